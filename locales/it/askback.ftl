### Shared

recommended = (Consigliato)
other = Altro
asks = { $agent } chiede
question-of = Domanda { $index } di { $count }
question-count = { $count ->
    [one] { $count } domanda
   *[other] { $count } domande
}
select-several = Seleziona tutto ciò che vale
selected-count = { $count ->
    [one] { $count } selezionata
   *[other] { $count } selezionate
}
optional = facoltativa
note = Nota
from = Dal
to = Al
counter = { $used }/{ $max }
number-whole = Un numero intero
number-whole-range = Un numero intero da { $min } a { $max }
number-whole-min = Un numero intero, almeno { $min }
number-whole-max = Un numero intero, al massimo { $max }
number-any = Un numero
number-range = Un numero da { $min } a { $max }
number-min = Un numero, almeno { $min }
number-max = Un numero, al massimo { $max }
number-step = a passi di { $step }
date-any = Un giorno, per esempio { $example }
date-between = Dal { $min } al { $max }
date-min = Dal { $min } in poi
date-max = Entro il { $max }
review = Riepilogo
review-lead = Controlla le risposte prima dell’invio
send-answers = Invia le risposte
answer-skipped = saltata
answer-open = senza risposta
answer-noted = { $answer } (nota: { $note })
answer-range = dal { $start } al { $end }
resolved-skipped = { $name }: saltata
resolved-declined = { $name }: decisione lasciata all’agente
resolved-undeliverable = { $name }: mai mostrata, nessuno poteva rispondere
someone = qualcuno
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: agente fermato
web-failed = Non ha funzionato. Riprova.
age-now = adesso
problem-empty = { $name }: dai una risposta
assumption-marked = Finché non rispondi, l’agente presume: { $assumption }
agent-not-waiting = L’agente non è in attesa in questo momento. Riceverà la risposta quando chiederà di nuovo.

### Program

handed-on-to-other = Passata a un’altra persona
answer-confirm = Inviare queste risposte? y/n:
other-hint = Scrivi la tua risposta…
other-specify = Specifica:
unanswered-count = { $count } senza risposta
day-count = { $count ->
    [one] { $count } giorno
   *[other] { $count } giorni
}
date-long = { $weekday } { $day } { $month } { $year }
month-year = { $month } { $year }
answer-own = { $answer } (risposta propria)
resolved-open = { $name }: senza risposta
resolved-superseded = { $name }: risposta data con un messaggio
resolved-expired = { $name }: nessuna risposta entro le { $time }, l’agente ha proseguito senza
resolved-cancelled = { $name }: annullata
resolved-timed-out = { $name }: nessuna risposta entro le { $time }
resolved-withdrawn = { $name }: ritirata dall’agente
resolved-elsewhere = { $line } — risposta di { $person } { $surface ->
    [terminal] nel terminale
    [web] nel browser
    [link] tramite un link
    [cli] dalla riga di comando
    [http] via HTTP
    [mcp] in una finestra di dialogo
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] tramite ntfy
    [push] in una notifica
    [email] via e-mail
    [command] tramite un comando
   *[system] dal sistema
}
resolved-elsewhere-unnamed = { $line } — risposta data { $surface ->
    [terminal] nel terminale
    [web] nel browser
    [link] tramite un link
    [cli] dalla riga di comando
    [http] via HTTP
    [mcp] da un client MCP
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] tramite ntfy
    [push] in una notifica
    [email] via e-mail
    [command] tramite un comando
   *[system] dal sistema
}
question-unnamed = La risposta
problem-nothing-answered = Nessuna domanda ha una risposta: rispondi almeno a una, o lascia decidere l’agente
problem-not-an-object = Le risposte devono essere un oggetto JSON con una voce per ogni id di domanda
problem-unknown-question = Questa domanda non esiste: usa { $known }
problem-answered-twice = { $name }: risposta data due volte; rispondi una volta sola
problem-cannot-skip = { $name }: non si può saltare; rispondi, o lascia decidere l’agente
problem-skipped-and-answered = { $name }: risposta e saltata insieme; scegli una delle due
problem-unknown-choice = { $name }: scegli tra queste opzioni: { $labels }
problem-ambiguous-choice = { $name }: non è chiaro. Scrivi il numero e il testo: { $lines }
problem-one-choice-only = { $name }: una sola scelta possibile
problem-exclusive = { $name }: «{ $label }» non si può combinare con altre scelte
problem-wrong-type = { $name }: serve { $wants ->
    [choices] una scelta: usa `values`, e `own` per testo proprio
    [number] un numero: usa `number`
    [date] un giorno: usa `date`, per esempio 2027-03-27
    [date-range] un periodo: usa `start` ed `end`
   *[text] testo: usa `text`
}
problem-too-short = { $name }: almeno { $min } caratteri
problem-too-long = { $name }: al massimo { $max } caratteri
problem-note-too-long = Nota su { $name }: al massimo { $max } caratteri
problem-pattern-mismatch = { $name }: non ha il formato richiesto
problem-too-small = { $name }: almeno { $min }
problem-too-large = { $name }: al massimo { $max }
problem-out-of-range = { $name }: da { $min } a { $max }
problem-not-whole = { $name }: scrivi un numero intero
problem-not-on-step = { $name }: a passi di { $step }
problem-not-a-number = { $name }: scrivi un numero, per esempio 3 o { $example }
problem-not-a-date = { $name }: scrivi una data, per esempio 2027-03-27
problem-too-early = { $name }: dal { $min } in poi
problem-too-late = { $name }: entro il { $max }
problem-end-before-start = { $name }: la fine non può precedere l’inizio
problem-of-field = { $field }: { $problem }
chat-title = Chat con { $agent }
chat-left = La conversazione è conservata. Riprendi con { $command }
chat-connected = Di nuovo connesso
web-decline-effect = L’agente viene informato che non hai scelto nulla, e continua.
web-signed-out = Per accedere, apri il link mostrato da askback nel terminale o inserisci il token del server.
web-token = Token
web-sign-in = Accedi
web-token-wrong = Questo non è il token di questo server. Copia il token per intero e riprova.
web-code-used = Questo link è già stato usato o è troppo vecchio. Per averne uno nuovo, esegui: askback phone
web-no-page = Questa pagina non esiste
web-unavailable = Il server al momento non riesce a raggiungere il suo database.
web-nothing-lost = Nulla va perso: tutte le domande e tutte le risposte inviate sono conservate.
web-retrying = Questa pagina riprova da sola.
web-try-again = Riprova
web-copy-unsent = Copiala prima di lasciare questa pagina.
web-today-is = «Oggi» qui è { $date }.
web-not-answering = Non vuoi rispondere?
web-skip-effect = L’agente viene informato che hai saltato questa domanda.
web-stop-effect = All’agente viene detto di fermarsi, senza risposta.
web-thanks-answered = { $named ->
    [yes] Grazie, { $agent } continua.
   *[no] Grazie, l’agente continua.
}
web-thanks-declined = { $named ->
    [yes] Grazie, { $agent } decide e continua.
   *[no] Grazie, l’agente decide e continua.
}
web-thanks-stopped = { $named ->
    [yes] A { $agent } è stato detto di fermarsi.
   *[no] All’agente è stato detto di fermarsi.
}
web-close-page = Puoi chiudere questa pagina.
web-link-expired = Questo link è scaduto: { $time }.
web-link-changed = La domanda è cambiata da quando è stato creato questo link.
web-link-ask-again = Chiedine uno nuovo a chi te l’ha inviato.
web-link-new = Inviami un nuovo link
web-link-new-sent = Un nuovo link è in arrivo. Arriverà dove hai ricevuto questo.
web-link-new-recently = Hai ricevuto un nuovo link meno di un’ora fa. Cercalo dove hai ricevuto questo.
form-first-day = Primo giorno
form-last-day = Ultimo giorno
form-skip = Salta questa domanda
form-answer = Risposta
form-questions = Domande per te
form-left-open = Queste domande sono senza risposta. Inviare comunque?
form-send-anyway = Invia comunque
web-no-script = Questa pagina richiede JavaScript. Per rispondere senza, apri /q/ seguito dall’identificativo della domanda.
web-link-not-allowed = Questo link non lo consente. Torna indietro e rispondi, oppure chiedi a chi ti ha inviato il link.

### Terminal

inbox-new-appear = Le nuove domande compaiono qui automaticamente.
problem-empty-here = Rispondi a questa domanda
hint-navigate = { $keys } muovi
hint-select = { $keys } scegli
hint-toggle = { $keys } spunta
hint-all = { $keys } tutte
hint-send = { $keys } invia
hint-next = { $keys } avanti
hint-back = { $keys } indietro
hint-skip = { $keys } salta
hint-note = { $keys } nota
hint-preview = { $keys } anteprima
hint-leave = { $keys } esci…
hint-line = { $keys } riga
hint-new-line = { $keys } nuova riga
hint-editor = { $keys } editor
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } giorno/settimana
hint-month = { $keys } mese
hint-year = { $keys } anno
hint-today = { $keys } oggi
hint-change = { $keys } modifica
hint-choose = { $keys } scegli
hint-back-to-question = { $keys } torna alla domanda
hint-back-to-list = { $keys } torna alla lista
hint-type-to-filter = scrivi per filtrare
hint-type-answer = scrivi la tua risposta
hint-clear = { $keys } cancella
hint-close = { $keys } chiudi
hint-scroll = { $keys } scorri
hint-keys = { $keys } tutti i tasti
tiny-ok = { $keys }ok
tiny-read = { $keys } leggi
tiny-cancel = { $keys }…
leave-title = Lasciare questa domanda?
leave-keep = Rispondi più tardi
leave-keep-effect = (la domanda resta aperta)
leave-quit = Esci senza rispondere
leave-quit-effect = (la domanda non viene conservata)
leave-decline = Lascia decidere l’agente
leave-decline-effect = (continua senza risposta)
leave-stop = Ferma l’agente
leave-stop-effect = (termina il suo lavoro)
sure-decline = Lasciare decidere l’agente? Continua senza risposta.
sure-stop = Fermare l’agente? Termina il suo lavoro senza risposta.
leave-cancel = Annulla la domanda
leave-cancel-effect = (lo script non riceve risposta)
sure-cancel = Annullare la domanda? Lo script non riceve risposta.
deadline-closing = chiude tra { $left } • premi un tasto per tenerla aperta
deadline-fallback = Se nessuno risponde: l’agente prosegue senza risposta
deadline-over = Il tempo è scaduto, ma la domanda resta aperta finché il server non la chiude
shown-of = { $shown } di { $count } visibili
more-rows = altre { $count }
folded = { $count ->
    [one] { $count } domanda in attesa
   *[other] { $count } domande in attesa
} • { $keys } apri • { $question }
help-title = Tasti
help-move = sposta la selezione
help-ends = prima e ultima riga
help-page = una pagina
help-half-page = mezza pagina
help-digit = scegli e prosegui
help-digit-several = spunta o togli la spunta
help-digit-moves = vai alla riga con questo numero
help-mark = segna senza proseguire
help-toggle = spunta o togli la spunta
help-confirm = scegli e prosegui
help-confirm-several = invia ciò che è spuntato; se niente, spunta la riga
help-confirm-text = invia o prosegui
help-yes = rispondi sì
help-no = rispondi no
help-send = invia tutto
help-new-line = nuova riga
help-next-question = domanda successiva
help-previous-question = domanda precedente
help-all = spunta tutte
help-invert = inverti le spunte
help-filter = filtra le scelte
help-other = scrivi una risposta tua
help-note = aggiungi una nota
help-skip = salta questa domanda
help-review = rivedi tutte le risposte
help-preview = anteprima della scelta
help-preview-scroll = scorrere l'anteprima
help-read = leggi per intero
help-fold = riduci a una riga
help-link = copia il link
help-share = link e codice QR per il telefono
help-hand-on = passare a un’altra persona
hand-on-nobody = La configurazione non nomina nessun altro.
notice-handed-on = passata
hint-share = { $keys } telefono
hint-copy = { $keys } copia
share-title = Rispondi su un altro dispositivo
share-making = Creazione del link…
share-once = Vale una sola volta, fino a { $time }.
share-local = Solo questa macchina può aprirlo. Per un telefono, avvia askback serve --phone.
share-small = Questa finestra è troppo piccola per il codice QR.
notice-no-share = Nessun link: la domanda si salva solo con --durable
help-undo = annulla l’ultima risposta
help-clear-marks = togli tutti i segni
help-help = mostra tutti i tasti
help-editor = apri il tuo editor
help-step = un passo in più o in meno
help-step-ten = dieci passi in più o in meno
help-day = un giorno
help-week = una settimana
help-month = un mese
help-year = un anno
help-today = oggi
help-line-ends = inizio e fine della riga
help-caret = spostare il cursore
help-erase = cancellare
help-recall = i messaggi precedenti
help-back = un passo indietro, poi il menu di uscita
help-detach = esci, la domanda resta aperta
help-undo-change = annulla l'ultima modifica
help-suspend = sospendi
help-repaint = ridisegna
notice-paste = Qui non si può incollare
notice-too-soon = Troppo presto: ignorato
notice-nothing-typed = Scrivi una risposta o premi { $keys } per saltare
notice-number-only = Solo numeri
date-not-understood = Non è una data. Prova 2027-03-27 o { $tomorrow }
date-does-not-exist = Il { $day } { $month } { $year } non esiste
date-day-does-not-exist = Il { $day } { $month } non esiste
date-ambiguous = { $one } o { $other }? Scrivi la data come { $example }
date-is-period = Quale giorno? Prova «tra 1 settimana» o «venerdì»
number-ambiguous = { $grouped } o { $decimal }? Scrivi una delle due forme
notice-not-skippable = Questa domanda è obbligatoria. { $keys } va alla prossima
notice-yes-or-no = Premi s o n, oppure spostati prima su una scelta
notice-read-on = Leggi il resto prima di rispondere
typed-label = Digitato: { $text }
typed-label-ambiguous = { $text }: più scelte iniziano così
typed-label-unknown = { $text }: nessuna scelta inizia così • { $keys } lo cancella
typed-label-yes-or-no = { $text }: rispondi { $yes } o { $no } • { $keys } lo cancella
notice-no-preview = Questa scelta non ha anteprima
notice-editor-missing = Imposta VISUAL o EDITOR per scrivere nel tuo editor
notice-editor-failed = L’editor è terminato con un errore; il tuo testo non è cambiato
notice-link-copied = Link copiato
notice-undone = Annullata. La domanda è di nuovo aperta
elsewhere-undoable = Lì si può ancora annullare. In tal caso la domanda si riapre qui.
elsewhere-undo-left = Risposta data altrove. Lì si può annullare per { $seconds } s.
notice-too-late-to-undo = Troppo tardi: l’agente ha già la risposta
notice-nothing-to-undo = Non c’è nulla da annullare
hint-undo-answer = { $keys }: annulla ({ $seconds } s)
hint-send-now = { $keys } continua
help-send-now = continua subito, senza attendere la fine del tempo per annullare
undo-left = La risposta è salvata. L’agente la riceve quando non può più essere annullata.
line-undo = Per annullare, digita u e premi Invio entro { $seconds } s. Una riga vuota continua:
detached = { $name }: resta aperta. Rispondi più tardi con { $command }
unsent-text = Non inviato: { $text }
unsent-unreachable = Non inviato: il server non è raggiungibile. La domanda resta aperta.
line-question = Domanda { $index } di { $count } da { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, consigliato.
line-choice-recommended-described = { $number }. { $label }, consigliato. { $description }.
line-other = { $number }. { $other }: scrivi la tua risposta.
line-prompt-one = Scrivi da 1 a { $count }, o ? per aiuto:
line-prompt-several = Scrivi numeri da 1 a { $count } separati da virgole, o ? per aiuto:
line-prompt-text = Scrivi la risposta, o ? per aiuto:
line-prompt-number = Scrivi un numero, o ? per aiuto:
line-prompt-date = Scrivi un giorno, per esempio { $example }, o ? per aiuto:
line-prompt-start = Primo giorno, per esempio { $example }, o ? per aiuto:
line-prompt-end = Ultimo giorno, o ? per aiuto:
line-prompt-other = La tua risposta:
line-prompt-note = La tua nota, o una riga vuota per nessuna:
line-prompt-review = Scrivi un numero per modificare una risposta, o una riga vuota per inviare:
line-prompt-leave = Scrivi da 1 a { $count }, o una riga vuota per tornare:
line-help = Scrivi il numero di una scelta.
line-help-several = Scrivi i numeri separati da virgole, per esempio 1,3.
line-help-review = Una riga vuota invia tutte le risposte. Il numero di una domanda ne modifica la risposta.
line-help-text = Scrivi la risposta e premi invio.
line-help-yes-no = Scrivi s per sì, n per no, o il numero di una scelta.
line-help-number = Scrivi un numero e premi invio.
line-help-date = Scrivi una data e premi invio, per esempio 2027-03-27, venerdì o tra 2 settimane.
line-help-skip = { $keys } salta questa domanda
line-help-back = { $keys } torna indietro
line-help-note = { $keys } aggiunge una nota
line-help-leave = { $keys } esce dalla domanda
line-help-help = { $keys } mostra questo aiuto
line-help-later = { $keys } lascia questa domanda per dopo e passa alla prossima
line-help-list = { $keys } torna alla lista
line-chosen = Scelta: { $answer }.
line-chosen-sent = Scelta: { $answer }. Inviata.
line-skipped = Saltata.
line-sent = Inviata.
line-deadline = Questa domanda chiude alle { $time }. Qualsiasi input la tiene aperta.
line-not-understood = Scrivi un numero da 1 a { $count }; nulla è stato scelto.
line-review-not-understood = Non capito. Nulla è stato inviato.
line-too-soon = È arrivato troppo presto dopo la domanda ed è stato ignorato. Scrivilo di nuovo.
line-pasted = Le righe incollate sono state ignorate. Scrivi la risposta su una riga.
line-pasted-kept = Sono state incollate più righe. Nulla è ancora stato inviato.
line-pasted-message = Sono state incollate più righe. Premi invio per inviarle come un messaggio, o scrivi altro per sostituirle:
line-nothing-typed = Non è stato scritto nulla. /s salta questa domanda.
line-prompt-yes-no = Scrivi s o n, da 1 a { $count }, o ? per aiuto:
line-prompt-sure = Scrivi sì per confermare, o una riga vuota per tornare:
line-so-far = La tua risposta finora: { $answer }. Una riga vuota la conserva.
line-inbox-item = { $number }. { $name }, da { $agent }.
line-inbox-prompt = Scrivi il numero di una domanda, una riga vuota per la prima, o ? per aiuto:
line-inbox-help = Scrivi il numero della domanda a cui vuoi rispondere. l mostra di nuovo la lista, q esce, ? mostra questo aiuto.
line-inbox-quit = Scrivi q per uscire:
pipe-waiting = { $count ->
    [one] { $count } domanda in attesa
   *[other] { $count } domande in attesa
} ({ $id }, { $agent }: { $name })
pipe-no-terminal = nessun terminale interattivo, nessuna risposta data
pipe-no-terminal-hint = Esegui il comando in un terminale. Se c’è ma l’input è rediretto, aggiungi --tty. Per salvare la domanda e rispondere altrove, aggiungi --durable.
pipe-answer = rispondi con  { $command }  o apri
chat-hint-send = { $keys } invia
chat-hint-stop = { $keys } ferma
chat-hint-leave = { $keys } esci
inbox-hint-open = { $keys } apri
inbox-hint-move = { $keys } muovi
inbox-hint-mark = { $keys } segna
inbox-hint-reject = { $keys } ferma agente
inbox-hint-skip = { $keys } salta
inbox-hint-snooze = { $keys } posticipa
inbox-hint-undo = { $keys } annulla
inbox-undo = { $line } — { $keys }: annulla ({ $seconds } s)
inbox-hint-quit = { $keys } esci
chat-busy = { $agent } sta ancora lavorando. Il messaggio non è stato inviato; { $keys } apre il menu.
chat-offered = Premi invio per inviarlo come risposta
chat-question-first = Rispondi prima alla domanda. Il messaggio non è stato inviato.
chat-sending = Invio in corso
chat-attempt = Nessuna risposta dal fornitore del modello, tentativo { $count } di { $max }
chat-helpers = { $agent } aspetta i sotto-agenti: { $count }
chat-menu-title = Menu
chat-menu-stay = Resta qui
chat-menu-stop = Ferma { $agent }
chat-menu-stop-effect = (la conversazione resta)
chat-menu-leave = Esci
chat-menu-leave-effect = (la conversazione è conservata)
chat-menu-earlier = Conversazioni precedenti
chat-menu-link = Mostra il link per il browser
chat-no-earlier = Non ci sono conversazioni precedenti
chat-hint-menu = { $keys } menu
chat-error-overloaded = Il fornitore è sovraccarico. Invia un messaggio qualsiasi per riprovare.
chat-error-network = Il fornitore non è raggiungibile. Controlla la rete e --base-url, poi invia un messaggio per riprovare.
chat-error-refused = Controlla la chiave e il modello, riavvia e riprendi questa conversazione.
chat-error-rounds = L’agente ha fatto troppi passi senza finire. Invia un messaggio per farlo continuare.
chat-error-other = Invia un messaggio qualsiasi per riprovare.
chat-link = Apri nel browser: { $link }
demo-hello = Mostrami cosa sa fare askback
demo-resumed = Bentornato: tutto è dove l’hai lasciato.
inbox-stop-marked = Fermare gli agenti di tutte le domande segnate ({ $count })? Terminano il lavoro senza risposta.
inbox-hint-decline = { $keys } decide l’agente
inbox-hint-answer = { $keys } rispondi
inbox-hint-yes = { $keys } sì
inbox-hint-no = { $keys } no
inbox-hint-go-on = { $keys } continua
inbox-how = Provalo in un altro terminale: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = Premi { $keys } per aprire questa domanda
inbox-ended-here = Questa domanda ha già una risposta. { $keys } passa alla successiva
inbox-more = { $count ->
    [one] un’altra domanda
   *[other] altre { $count } domande
}
chat-stopped = Fermato. Scrivi un messaggio per proseguire.
inbox-next = Prossima: { $name }
inbox-gone = Questa domanda non è più aperta
inbox-draft = bozza

### Chat and inbox

chat-you = tu
chat-prompt = Scrivi un messaggio
chat-thinking = { $agent } sta pensando
chat-working = { $agent } sta usando { $tool }
chat-waiting = { $agent } attende la tua risposta
chat-failed = { $agent } non è riuscito: { $reason }
chat-retry = { $reason }, tentativo { $count } di { $max }
chat-connecting = Connessione
chat-connection-lost = Connessione persa, nuovo tentativo
inbox-title = In arrivo
inbox-count = { $count ->
    [0] Nessuna domanda in attesa
    [one] { $count } domanda in attesa
   *[other] { $count } domande in attesa
}
inbox-empty = Nessuna domanda in attesa. Le nuove domande compaiono qui automaticamente.
inbox-marked = { $count ->
    [one] { $count } segnata
   *[other] { $count } segnate
}
inbox-decline-marked = Lasciare decidere l’agente per tutte quelle segnate ({ $count })? I loro agenti continuano senza risposta.
inbox-skip-marked = Saltare tutte le domande segnate ({ $count })?
inbox-skip-or-decline-marked = Saltare le domande segnate ({ $count })? Dove non è possibile, decide l’agente e continua senza risposta.
inbox-reject-marked = { $count ->
    [one] Fermare l’agente di { $count } domanda?
   *[other] Fermare gli agenti di { $count } domande?
}
inbox-arrived = { $count ->
    [one] { $count } nuova domanda
   *[other] { $count } nuove domande
}

### Web

web-send = Invia risposta
web-next = Avanti
web-back = Indietro
web-skip = Salta
web-edit = Modifica
web-own-answer = La tua risposta
web-add-note = Aggiungi una nota
web-filter = Filtra le scelte
web-choices-shown = { $count ->
    [one] { $count } scelta visibile
   *[other] { $count } scelte visibili
}
web-select-all = Seleziona tutto
web-clear-selection = Deseleziona tutto
web-selected-hidden = Selezionate: { $count }, non visibili: { $hidden }
web-use-typed = Usa «{ $text }»
web-today = Oggi
web-tomorrow = Domani
web-next-monday = Lunedì prossimo
web-pick-date = Scegli una data
web-enter-sends = Invio per inviare, Maiusc+Invio per andare a capo
web-preview = Anteprima
web-reject = Ferma l’agente
web-reject-ask = Fermare l’agente? Termina il suo lavoro senza risposta.
web-keep-open = Tieni aperta
web-decline = Lascia decidere l’agente
web-error = Errore
web-error-summary = { $count ->
    [one] C’è un problema con una risposta
   *[other] Ci sono problemi con { $count } risposte
}
web-sending = Invio in corso
web-saved-offline = Salvato. Verrà inviato quando sei online.
web-form-offline = Nessuna connessione. La risposta è conservata; inviala di nuovo.
web-answered-by = Risposta di { $person } { $surface ->
    [terminal] nel terminale
    [web] nel browser
    [link] tramite un link
    [cli] da riga di comando
    [http] via HTTP
    [mcp] in una finestra di dialogo
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] tramite ntfy
    [push] in una notifica
    [email] via e-mail
    [command] tramite un comando
   *[system] dal sistema
}
web-rejected-by = Agente fermato da { $person }
web-declined-by = Decisione lasciata all’agente da { $person }
web-withdrawn = Ritirata dall’agente
web-expired = Nessuna risposta entro le { $time }. L’agente ha proseguito senza.
web-answer-anyway = Rispondi comunque
web-bad-question = L’agente ha inviato una domanda che non si può mostrare
web-too-late = Questa domanda è chiusa. La risposta non è stata inviata.
web-conflict = Già risposto da { $person }. Questa è la risposta.
for-recipient = per { $recipient }
hand-on = Passa…
hand-on-to = Passa a { $person }
hand-on-unreachable = { $person } non ha alcun canale e non riceve messaggi, ma può rispondere nel browser
handed-on-to = Passata a { $to } da { $person }
handed-on-to-unnamed = Passata a { $to }
web-hand-on-reason = Motivo (facoltativo)
web-handed-on = Passata a { $person }
web-deadline = Chiude alle { $time }
web-more-time = Dammi più tempo
web-deadline-kept = Nessuna scadenza. La domanda resta aperta finché non rispondi.
web-reply-to = Rispondi a { $name }
web-composer-blocked = Rispondi prima alla domanda qui sopra
web-message = Messaggio
web-send-message = Invia
web-stop = Ferma
web-not-stopped = Non interrotto: il server non è raggiungibile. Riprova quando torna la connessione.
web-offline = Sei offline. Il messaggio è salvato qui.
web-not-found = Questa domanda non esiste o il link è scaduto
web-no-conversation = Questa conversazione non esiste o è stata eliminata
web-conversations = Conversazioni
web-new-conversation = Nuova conversazione
web-choose-app = Scegli un’app
web-delete = Elimina
web-delete-ask = Eliminare questa conversazione e le sue risposte?
web-notify = Avvisami delle domande
web-notify-on = Le notifiche sono attive
web-notify-blocked = Il browser blocca le notifiche di questa pagina
web-notify-whom = Le domande per chi?
web-language = Lingua
web-theme = Tema
web-theme-auto = Come il sistema
web-theme-light = Chiaro
web-theme-dark = Scuro
web-digits = Scegli con i tasti numerici
web-link = Rispondi su un altro dispositivo
web-link-hint = Inquadra il codice o apri il link. Vale una volta, solo per questa domanda.
web-copy-link = Copia link
web-copied = Copiato
web-skip-to-question = Vai alla domanda
web-answered = Risposta data
web-answered-unnamed = Risposta data { $surface ->
    [terminal] nel terminale
    [web] nel browser
    [link] tramite un link
    [cli] dalla riga di comando
    [http] via HTTP
    [mcp] da un client MCP
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] tramite ntfy
    [push] in una notifica
    [email] via e-mail
    [command] tramite un comando
   *[system] dal sistema
}
web-refused = Accesso negato. Accedi o controlla il token.
web-type-own = Altro: scrivilo sopra
web-older = Mostra i messaggi precedenti
web-your-name = Il tuo nome
web-link-until = Valido fino a { $time }.
web-link-local = Solo questo computer può aprire questo indirizzo. Per il telefono, avvia il server con { $command }.
web-late-lead = La domanda è chiusa. La risposta verrà inviata all’agente come messaggio.
web-late-text = La mia risposta tardiva a «{ $question }»: { $answer }
web-late-sent = Inviata all’agente come messaggio
web-agent-sent = Che cosa ha inviato l’agente
web-agent-told = Che cosa ha ricevuto l’agente
web-undo-left = Annulla invio ({ $seconds } s)
web-held = Inviato. Puoi ancora annullare.
web-undone = Annullato. La domanda è di nuovo aperta.
web-undone-elsewhere = La tua risposta è stata annullata in un’altra finestra. La domanda è di nuovo aperta.
web-open-again = Mostra la domanda
web-undo-late = Troppo tardi per annullare: l’agente ha già la risposta
web-seconds = { $count } s
web-off = Nessuno
web-deleted = Conversazione eliminata
web-settings = Impostazioni
web-people = Persone
web-people-alias = Nome breve, ad esempio anna
web-people-name = Nome
web-people-add = Aggiungi
web-people-remove = Rimuovi { $person }
web-people-group = gruppo di { $people }
web-people-on-call = di turno: { $person }
web-sign-out = Esci
web-no-such-choice = «{ $text }» non è tra le scelte
web-not-sent = La tua risposta non inviata
web-not-sent-yet = Non ancora inviata
web-other-draft = Un’altra finestra o un altro dispositivo ha salvato una bozza diversa di questa risposta.
web-use-other-draft = Usa quella bozza
web-keep-this-draft = Tieni la bozza qui
web-next-question = Domanda successiva
web-stop-ask = Fermare l’agente? Le domande dei suoi sotto-agenti verranno annullate.
web-now-answers = Questo messaggio ora risponde a «{ $name }». Invia di nuovo per confermare.
web-now-message = La domanda è chiusa. Invia di nuovo per mandarlo come messaggio.
inbox-reject-marked-confirm = Ferma tutti ({ $count })
web-details = Dettagli
web-more-waiting = Altre in attesa: { $count }
web-previous-question = Domanda precedente
web-close = Chiudi
web-latest = Più recenti
web-waiting-below = In attesa della tua risposta qui sotto
web-after-answer = Che cosa ha fatto poi l’agente
web-start-lead = Descrivi un compito. L’agente ti chiede quando la decisione spetta a te.

inbox-search = Cerca domande
inbox-agent = Agente
inbox-all-agents = Tutti gli agenti
inbox-sort = Ordine
inbox-sort-deadline = Prima la scadenza più vicina
inbox-sort-oldest = Prima le meno recenti
inbox-sort-newest = Prima le più recenti
inbox-for-me = Per me
inbox-clear-filter = Cancella ricerca e filtro
inbox-none-match = Nessuna domanda corrisponde.
inbox-loading = Caricamento delle domande…
inbox-listed = { $count } di { $all } mostrate
inbox-position = { $index } di { $count }
inbox-all = Tutte le domande
inbox-mark = Segna { $name }
inbox-mark-all = Segna tutte
inbox-unmark = Togli i segni
inbox-skipped = Saltate: { $count }
inbox-snooze = Posticipa
inbox-snooze-title = Posticipa fino a
inbox-snooze-hour = Tra un’ora
inbox-snooze-evening = Stasera
inbox-snooze-tomorrow = Domani mattina
inbox-snooze-monday = Lunedì mattina
inbox-snooze-own = Un altro momento
inbox-snoozed-until = Posticipata fino a { $time }
inbox-undo-snooze = Annulla
inbox-show-snoozed = Posticipate ({ $count })
inbox-hide-snoozed = Torna alle domande in arrivo
inbox-last-words = { $agent } ha scritto prima di chiedere
inbox-open-conversation = Apri la conversazione
inbox-keys = Tasti
inbox-key-move = Domanda successiva o precedente
inbox-key-open = Vai nella domanda
inbox-key-choose = Scegli una risposta
inbox-key-skip = Salta, o lascia decidere l’agente
inbox-key-mark = Segna per agire su più domande
inbox-key-undo = Annulla l’ultima azione
inbox-key-back = Torna all’elenco, togli i segni
web-more-conversations = Mostra altro
web-other-agents = Altri agenti
web-no-other-agents = Nessun altro agente ha ancora chiesto qualcosa. Collegane uno: { $command }
inbox-empty-title = Tutto in pari
inbox-empty-lead = Quando un agente ha bisogno di una decisione, la sua domanda compare qui da sola.
inbox-empty-try = Prova in un terminale:
inbox-declined = Lasciate agli agenti: { $count }
inbox-failed = Non riuscite: { $count }
web-two-steps = Prima scegli, poi invia
web-undo-time = Tempo per annullare una risposta
answered-project = Progetto
answered-all-projects = Tutti i progetti
answered-person = Risposto da
answered-everybody = Tutti
answered-outcome = Esito
answered-all-outcomes = Tutti gli esiti
answered-no-answer = Nessuna risposta
answered-copy = Copia come Markdown
answered-none = Non è stata ancora data alcuna risposta.
web-no-model = Nessun modello è configurato: qui risponde uno script dimostrativo. Per un vero agente, avvia il server con { $command }.
inbox-empty-install = Collega gli agenti di questo computer:
inbox-agents-ready = Configurati su questo computer: { $agents }. Di’ a un agente di chiederti qualcosa.
web-not-now = Non ora
web-phone = Sul telefono
web-phone-scan = Inquadra il codice. Fa accedere un browser, una volta.
web-too-early = Troppo presto: non è successo nulla. Premi di nuovo.

### Channels

channel-waiting = Una domanda è in attesa
channel-waiting-from = { $agent } ha una domanda
channel-project = Progetto: { $project }
channel-open = Apri
channel-write = Scrivi…
channel-next = Avanti
channel-back = Indietro
channel-send = Invia
channel-undo = Annulla
channel-today = Oggi
channel-tomorrow = Domani
channel-in-a-week = Tra una settimana
channel-rest-at-link = Il resto è nel link.
channel-answer-at-link = Rispondi a questa domanda nel link.
channel-outcome-at = { $outcome }, { $time }
channel-sent = Inviato: { $answer }
channel-sent-undo = Inviato: { $answer }. Puoi annullare per { $seconds } s.
channel-takes-effect = Ha effetto alle { $time }
channel-held-by = Risposta di { $person }. Ha effetto tra { $seconds } s.
channel-changed = La domanda è cambiata. Guardala di nuovo.
channel-sent-plain = Inviato.
channel-sent-undo-plain = Inviato. Puoi annullare per { $seconds } s.
channel-answer-elsewhere = Rispondi a questa domanda nel terminale o nel browser.
channel-help = Le domande arrivano qui con pulsanti. Per rispondere a parole, rispondi al messaggio della domanda.
channel-how-to-link = Per ricevere domande qui, invia il codice mostrato da questo comando: askback channel link
channel-text-only = Solo un testo scritto vale come risposta. Scrivilo in risposta alla domanda.
channel-not-allowed = Non puoi rispondere a questa domanda.
channel-linked = Collegato. Le domande per { $name } arriveranno qui.
channel-code-invalid = Questo codice è errato o è già stato usato. Uno nuovo: askback channel link
channel-code-in-group = Scrivimi in una chat privata. Altri hanno visto questo codice, quindi non vale più. Uno nuovo: askback channel link
channel-reply = Rispondi a questo messaggio con la tua risposta.
channel-use-fields = Questo messaggio ha più domande. Compila i campi e premi Invia.
channel-reply-at-review = Qui si controllano le risposte. Premi Invia, o Indietro per cambiare una risposta.
channel-text-added = Il tuo testo è stato aggiunto alle scelte selezionate. Guarda di nuovo la domanda e premi Invia.
channel-send-again = Senza risposta: { $names }. Per inviare comunque, premi di nuovo Invia.
channel-leave-open = Senza risposta: { $names }. Rispondi anche a questa, o lasciala aperta con { $example }
channel-reply-range = Rispondi a questo messaggio con il primo e l’ultimo giorno, per esempio { $example }
channel-reply-last-day = Il primo giorno è { $start }. Rispondi a questo messaggio con l’ultimo giorno.
channel-reply-reason = Rispondi a questo messaggio con il motivo.
channel-superseded = Risposta data con un messaggio
channel-not-sent = Non inviato. Apri la domanda o riprova.
channel-handed-on-by = { $person } ti ha passato questa domanda
channel-handed-on-by-unnamed = Passata a te
channel-still-open = Ancora aperta: { $question }
channel-new-link = Il nuovo link: { $link }
channel-still-open-until = Ancora aperta: { $question }. Scade alle { $time }.
channel-not-answered-by = { $person } non ha ancora risposto
channel-also-sent-to = Ancora senza risposta. Inviata anche a { $person }
