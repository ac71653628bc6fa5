### Shared

recommended = (Empfohlen)
other = Andere Antwort
asks = { $agent } fragt
question-of = Frage { $index } von { $count }
question-count = { $count ->
    [one] { $count } Frage
   *[other] { $count } Fragen
}
select-several = Alles Zutreffende auswählen
selected-count = { $count } ausgewählt
optional = freiwillig
note = Notiz
from = Von
to = Bis
counter = { $used }/{ $max }
number-whole = Eine ganze Zahl
number-whole-range = Eine ganze Zahl von { $min } bis { $max }
number-whole-min = Eine ganze Zahl, mindestens { $min }
number-whole-max = Eine ganze Zahl, höchstens { $max }
number-any = Eine Zahl
number-range = Eine Zahl von { $min } bis { $max }
number-min = Eine Zahl, mindestens { $min }
number-max = Eine Zahl, höchstens { $max }
number-step = in Schritten von { $step }
date-any = Ein Tag, zum Beispiel { $example }
date-between = Von { $min } bis { $max }
date-min = Ab { $min }
date-max = Bis { $max }
review = Übersicht
review-lead = Antworten prüfen, bevor sie gesendet werden
send-answers = Antworten senden
answer-skipped = übersprungen
answer-open = nicht beantwortet
answer-noted = { $answer } (Notiz: { $note })
answer-range = { $start } bis { $end }
resolved-skipped = { $name }: übersprungen
resolved-declined = { $name }: Entscheidung dem Agenten überlassen
resolved-undeliverable = { $name }: nie angezeigt, niemand konnte antworten
someone = Jemand
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: Agent angehalten
web-failed = Das hat nicht geklappt. Bitte noch einmal versuchen.
age-now = gerade eben
problem-empty = { $name }: bitte eine Antwort geben
assumption-marked = Bis zu Ihrer Antwort nimmt der Agent an: { $assumption }
agent-not-waiting = Der Agent wartet gerade nicht. Er bekommt die Antwort, wenn er wieder fragt.

### Program

handed-on-to-other = An jemand anderen weitergegeben
answer-confirm = Diese Antworten senden? y/n:
other-hint = Eigene Antwort eingeben …
other-specify = Bitte angeben:
unanswered-count = { $count } offen
day-count = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tage
}
date-long = { $weekday }, { $day }. { $month } { $year }
month-year = { $month } { $year }
answer-own = { $answer } (eigene Antwort)
resolved-open = { $name }: nicht beantwortet
resolved-superseded = { $name }: mit einer Nachricht beantwortet
resolved-expired = { $name }: keine Antwort bis { $time }, Agent macht ohne weiter
resolved-cancelled = { $name }: abgebrochen
resolved-timed-out = { $name }: keine Antwort bis { $time }
resolved-withdrawn = { $name }: vom Agenten zurückgezogen
resolved-elsewhere = { $line } — beantwortet von { $person } { $surface ->
    [terminal] im Terminal
    [web] im Browser
    [link] über einen Link
    [cli] auf der Kommandozeile
    [http] über HTTP
    [mcp] in einem Dialog
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] über ntfy
    [push] in einer Benachrichtigung
    [email] per E-Mail
    [command] durch einen Befehl
   *[system] durch das System
}
resolved-elsewhere-unnamed = { $line } — beantwortet { $surface ->
    [terminal] im Terminal
    [web] im Browser
    [link] über einen Link
    [cli] auf der Kommandozeile
    [http] über HTTP
    [mcp] aus einem MCP-Client
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] über ntfy
    [push] in einer Benachrichtigung
    [email] per E-Mail
    [command] durch einen Befehl
   *[system] durch das System
}
question-unnamed = Die Antwort
problem-nothing-answered = Keine Frage ist beantwortet: mindestens eine beantworten oder den Agenten entscheiden lassen
problem-not-an-object = Die Antworten müssen ein JSON-Objekt mit einem Eintrag je Frage-ID sein
problem-unknown-question = Diese Frage gibt es nicht: möglich sind { $known }
problem-answered-twice = { $name }: zweimal beantwortet; bitte nur einmal antworten
problem-cannot-skip = { $name }: kann nicht übersprungen werden; bitte antworten oder den Agenten entscheiden lassen
problem-skipped-and-answered = { $name }: beantwortet und zugleich übersprungen; bitte nur eines von beiden
problem-unknown-choice = { $name }: bitte eine der Möglichkeiten wählen: { $labels }
problem-ambiguous-choice = { $name }: nicht eindeutig. Geben Sie Nummer und Text ein: { $lines }
problem-one-choice-only = { $name }: nur eine Auswahl möglich
problem-exclusive = { $name }: „{ $label }“ lässt sich nicht mit anderem kombinieren
problem-wrong-type = { $name }: erwartet wird { $wants ->
    [choices] eine Auswahl: `values`, und `own` für eigenen Text
    [number] eine Zahl: `number`
    [date] ein Tag: `date`, zum Beispiel 2027-03-27
    [date-range] ein Zeitraum: `start` und `end`
   *[text] Text: `text`
}
problem-too-short = { $name }: mindestens { $min } Zeichen
problem-too-long = { $name }: höchstens { $max } Zeichen
problem-note-too-long = Notiz zu { $name }: höchstens { $max } Zeichen
problem-pattern-mismatch = { $name }: nicht im verlangten Format
problem-too-small = { $name }: mindestens { $min }
problem-too-large = { $name }: höchstens { $max }
problem-out-of-range = { $name }: von { $min } bis { $max }
problem-not-whole = { $name }: bitte eine ganze Zahl angeben
problem-not-on-step = { $name }: nur in Schritten von { $step }
problem-not-a-number = { $name }: bitte eine Zahl angeben, zum Beispiel 3 oder { $example }
problem-not-a-date = { $name }: bitte ein Datum angeben, zum Beispiel 2027-03-27
problem-too-early = { $name }: frühestens { $min }
problem-too-late = { $name }: spätestens { $max }
problem-end-before-start = { $name }: das Ende darf nicht vor dem Anfang liegen
problem-of-field = { $field }: { $problem }
chat-title = Chat mit { $agent }
chat-left = Das Gespräch ist gespeichert. Weiter mit { $command }
chat-connected = Wieder verbunden
web-decline-effect = Der Agent erfährt, dass Sie nichts gewählt haben, und macht weiter.
web-signed-out = Zum Anmelden den Link öffnen, den askback im Terminal ausgegeben hat, oder das Token des Servers eingeben.
web-token = Token
web-sign-in = Anmelden
web-token-wrong = Das ist nicht das Token dieses Servers. Kopieren Sie das ganze Token und versuchen Sie es noch einmal.
web-code-used = Dieser Link wurde schon benutzt oder ist zu alt. Einen neuen gibt: askback phone
web-no-page = Diese Seite gibt es nicht
web-unavailable = Der Server erreicht gerade seine Datenbank nicht.
web-nothing-lost = Nichts geht verloren: Alle Fragen und alle gesendeten Antworten bleiben erhalten.
web-retrying = Diese Seite versucht es von selbst noch einmal.
web-try-again = Noch einmal versuchen
web-copy-unsent = Kopieren Sie sie, bevor Sie diese Seite verlassen.
web-today-is = „Heute“ ist hier der { $date }.
web-not-answering = Nicht antworten?
web-skip-effect = Der Agent erfährt, dass Sie diese Frage übersprungen haben.
web-stop-effect = Der Agent wird ohne Antwort angehalten.
web-thanks-answered = { $named ->
    [yes] Danke, { $agent } macht weiter.
   *[no] Danke, der Agent macht weiter.
}
web-thanks-declined = { $named ->
    [yes] Danke, { $agent } entscheidet und macht weiter.
   *[no] Danke, der Agent entscheidet und macht weiter.
}
web-thanks-stopped = { $named ->
    [yes] { $agent } wurde angehalten.
   *[no] Der Agent wurde angehalten.
}
web-close-page = Sie können diese Seite schließen.
web-link-expired = Dieser Link ist abgelaufen: { $time }.
web-link-changed = Die Frage hat sich geändert, seit dieser Link erstellt wurde.
web-link-ask-again = Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen.
web-link-new = Neuen Link schicken
web-link-new-sent = Ein neuer Link ist unterwegs. Er kommt dort an, wo Sie diesen bekommen haben.
web-link-new-recently = Sie haben vor weniger als einer Stunde einen neuen Link bekommen. Sehen Sie dort nach, wo Sie diesen bekommen haben.
form-first-day = Erster Tag
form-last-day = Letzter Tag
form-skip = Diese Frage überspringen
form-answer = Antwort
form-questions = Fragen an Sie
form-left-open = Diese Fragen sind nicht beantwortet. Trotzdem senden?
form-send-anyway = Trotzdem senden
web-no-script = Diese Seite braucht JavaScript. Um eine Frage ohne JavaScript zu beantworten, öffnen Sie /q/ gefolgt von der Kennung der Frage.
web-link-not-allowed = Dieser Link erlaubt das nicht. Gehen Sie zurück und antworten Sie, oder fragen Sie die Person, die Ihnen den Link geschickt hat.

### Terminal

inbox-new-appear = Neue Fragen erscheinen hier von selbst.
problem-empty-here = Bitte diese Frage beantworten
hint-navigate = { $keys } bewegen
hint-select = { $keys } wählen
hint-toggle = { $keys } an/aus
hint-all = { $keys } alle
hint-send = { $keys } senden
hint-next = { $keys } weiter
hint-back = { $keys } zurück
hint-skip = { $keys } überspringen
hint-note = { $keys } Notiz
hint-preview = { $keys } Vorschau
hint-leave = { $keys } verlassen…
hint-line = { $keys } Zeile
hint-new-line = { $keys } neue Zeile
hint-editor = { $keys } Editor
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } Tag/Woche
hint-month = { $keys } Monat
hint-year = { $keys } Jahr
hint-today = { $keys } heute
hint-change = { $keys } ändern
hint-choose = { $keys } wählen
hint-back-to-question = { $keys } zurück zur Frage
hint-back-to-list = { $keys } zurück zur Liste
hint-type-to-filter = tippen filtert
hint-type-answer = eigene Antwort tippen
hint-clear = { $keys } leeren
hint-close = { $keys } schließen
hint-scroll = { $keys } blättern
hint-keys = { $keys } alle Tasten
tiny-ok = { $keys }ok
tiny-read = { $keys } lesen
tiny-cancel = { $keys }…
leave-title = Diese Frage verlassen?
leave-keep = Später antworten
leave-keep-effect = (die Frage bleibt offen)
leave-quit = Ohne Antwort verlassen
leave-quit-effect = (die Frage wird nicht gespeichert)
leave-decline = Den Agenten entscheiden lassen
leave-decline-effect = (er macht ohne Antwort weiter)
leave-stop = Den Agenten anhalten
leave-stop-effect = (er hört auf zu arbeiten)
sure-decline = Den Agenten entscheiden lassen? Er macht ohne Antwort weiter.
sure-stop = Den Agenten anhalten? Er hört ohne Antwort auf.
leave-cancel = Die Frage abbrechen
leave-cancel-effect = (das Skript bekommt keine Antwort)
sure-cancel = Die Frage abbrechen? Das Skript bekommt keine Antwort.
deadline-closing = schließt in { $left } • beliebige Taste hält sie offen
deadline-fallback = Wenn niemand antwortet, macht der Agent ohne Antwort weiter
deadline-over = Die Zeit ist um, aber die Frage ist offen, bis der Server sie schließt
shown-of = { $shown } von { $count } sichtbar
more-rows = { $count } weitere
folded = { $count ->
    [one] { $count } Frage wartet
   *[other] { $count } Fragen warten
} • { $keys } öffnen • { $question }
help-title = Tasten
help-move = Auswahl bewegen
help-ends = erste und letzte Zeile
help-page = eine Seite
help-half-page = eine halbe Seite
help-digit = wählen und weiter
help-digit-several = an- oder abwählen
help-digit-moves = zur Zeile mit dieser Nummer
help-mark = auswählen, ohne weiterzugehen
help-toggle = an- oder abwählen
help-confirm = wählen und weiter
help-confirm-several = Auswahl senden; ohne Auswahl die Zeile wählen
help-confirm-text = senden oder weiter
help-yes = mit Ja antworten
help-no = mit Nein antworten
help-send = alles senden
help-new-line = neue Zeile
help-next-question = nächste Frage
help-previous-question = vorige Frage
help-all = alle auswählen
help-invert = Auswahl umkehren
help-filter = Möglichkeiten filtern
help-other = eigene Antwort schreiben
help-note = Notiz hinzufügen
help-skip = Frage überspringen
help-review = alle Antworten ansehen
help-preview = Vorschau
help-preview-scroll = Vorschau blättern
help-read = ganz lesen
help-fold = auf eine Zeile einklappen
help-link = Link kopieren
help-share = Link und QR-Code fürs Telefon
help-hand-on = an jemand anderen weitergeben
hand-on-nobody = In der Konfiguration steht sonst niemand.
notice-handed-on = weitergegeben
hint-share = { $keys } Telefon
hint-copy = { $keys } kopieren
share-title = Auf einem anderen Gerät antworten
share-making = Link wird erstellt …
share-once = Er gilt einmal, bis { $time }.
share-local = Nur dieser Rechner kann ihn öffnen. Für ein Telefon askback serve --phone starten.
share-small = Dieses Fenster ist zu klein für den QR-Code.
notice-no-share = Kein Link: Die Frage wird nur mit --durable gespeichert
help-undo = letzte Antwort rückgängig machen
help-clear-marks = alle Markierungen aufheben
help-help = alle Tasten zeigen
help-editor = Editor öffnen
help-step = einen Schritt mehr oder weniger
help-step-ten = zehn Schritte mehr oder weniger
help-day = ein Tag
help-week = eine Woche
help-month = ein Monat
help-year = ein Jahr
help-today = heute
help-line-ends = Anfang und Ende der Zeile
help-caret = Einfügemarke bewegen
help-erase = löschen
help-recall = eigene frühere Nachrichten
help-back = zurück, dann das Menü zum Verlassen
help-detach = verlassen, die Frage bleibt offen
help-undo-change = die letzte Änderung rückgängig machen
help-suspend = anhalten
help-repaint = neu zeichnen
notice-paste = Hier lässt sich nichts einfügen
notice-too-soon = Zu früh: Taste ignoriert
notice-nothing-typed = Antwort eingeben oder mit { $keys } überspringen
notice-number-only = Nur Zahlen
date-not-understood = Kein Datum. Versuchen Sie 2027-03-27 oder { $tomorrow }
date-does-not-exist = { $day }. { $month } { $year } gibt es nicht
date-day-does-not-exist = { $day }. { $month } gibt es nicht
date-ambiguous = { $one } oder { $other }? Geben Sie es wie { $example } ein
date-is-period = Welcher Tag? Versuchen Sie „in 1 Woche“ oder „Freitag nächste Woche“
number-ambiguous = { $grouped } oder { $decimal }? Geben Sie eine der beiden Schreibweisen ein
notice-not-skippable = Diese Frage ist Pflicht. { $keys } geht zur nächsten
notice-yes-or-no = j oder n drücken, oder erst zu einer Möglichkeit gehen
notice-read-on = Erst weiterlesen, dann antworten
typed-label = Getippt: { $text }
typed-label-ambiguous = { $text }: mehrere Möglichkeiten fangen so an
typed-label-unknown = { $text }: keine Möglichkeit fängt so an • { $keys } löscht es
typed-label-yes-or-no = { $text }: mit { $yes } oder { $no } antworten • { $keys } löscht es
notice-no-preview = Zu dieser Möglichkeit gibt es keine Vorschau
notice-editor-missing = VISUAL oder EDITOR setzen, um den eigenen Editor zu benutzen
notice-editor-failed = Der Editor ist fehlgeschlagen; Ihr Text ist unverändert
notice-link-copied = Link kopiert
notice-undone = Rückgängig gemacht. Die Frage ist wieder offen
elsewhere-undoable = Dort kann sie noch rückgängig gemacht werden. Dann öffnet sich die Frage hier wieder.
elsewhere-undo-left = Woanders beantwortet. Dort kann es noch { $seconds } s rückgängig gemacht werden.
notice-too-late-to-undo = Zu spät: Der Agent hat die Antwort schon
notice-nothing-to-undo = Es gibt nichts rückgängig zu machen
hint-undo-answer = { $keys }: rückgängig ({ $seconds } s)
hint-send-now = { $keys } weiter
help-send-now = sofort weiter, ohne das Ende der Frist zum Rückgängigmachen abzuwarten
undo-left = Ihre Antwort ist gespeichert. Der Agent bekommt sie, sobald sie nicht mehr rückgängig gemacht werden kann.
line-undo = Zum Rückgängigmachen innerhalb von { $seconds } s u und Enter eingeben. Eine leere Zeile fährt fort:
detached = { $name }: noch offen. Später antworten mit { $command }
unsent-text = Nicht gesendet: { $text }
unsent-unreachable = Nicht gesendet: Der Server ist nicht erreichbar. Die Frage bleibt offen.
line-question = Frage { $index } von { $count } von { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, empfohlen.
line-choice-recommended-described = { $number }. { $label }, empfohlen. { $description }.
line-other = { $number }. { $other }: eigene Antwort schreiben.
line-prompt-one = 1 bis { $count } eingeben, ? für Hilfe:
line-prompt-several = Nummern von 1 bis { $count } eingeben, durch Kommas getrennt, ? für Hilfe:
line-prompt-text = Antwort eingeben, ? für Hilfe:
line-prompt-number = Zahl eingeben, ? für Hilfe:
line-prompt-date = Datum eingeben, zum Beispiel { $example }, ? für Hilfe:
line-prompt-start = Erster Tag, zum Beispiel { $example }, ? für Hilfe:
line-prompt-end = Letzter Tag, ? für Hilfe:
line-prompt-other = Eigene Antwort:
line-prompt-note = Notiz, leere Zeile für keine:
line-prompt-review = Nummer eingeben, um eine Antwort zu ändern, leere Zeile zum Senden:
line-prompt-leave = 1 bis { $count } eingeben, leere Zeile für zurück:
line-help = Die Nummer einer Möglichkeit eingeben.
line-help-several = Die Nummern mit Kommas eingeben, zum Beispiel 1,3.
line-help-review = Eine leere Zeile sendet alle Antworten. Die Nummer einer Frage ändert ihre Antwort.
line-help-text = Antwort eingeben und Enter drücken.
line-help-yes-no = j für Ja, n für Nein oder die Nummer einer Möglichkeit eingeben.
line-help-number = Eine Zahl eingeben und Enter drücken.
line-help-date = Ein Datum eingeben und Enter drücken, zum Beispiel 2027-03-27, Freitag oder in 2 Wochen.
line-help-skip = { $keys } überspringt diese Frage
line-help-back = { $keys } geht zurück
line-help-note = { $keys } fügt eine Notiz hinzu
line-help-leave = { $keys } verlässt die Frage
line-help-help = { $keys } zeigt diese Hilfe
line-help-later = { $keys } verschiebt diese Frage und geht zur nächsten
line-help-list = { $keys } geht zurück zur Liste
line-chosen = Gewählt: { $answer }.
line-chosen-sent = Gewählt: { $answer }. Gesendet.
line-skipped = Übersprungen.
line-sent = Gesendet.
line-deadline = Diese Frage schließt um { $time }. Jede Eingabe hält sie offen.
line-not-understood = Nichts wurde gewählt. Bitte eine Nummer von 1 bis { $count } eingeben.
line-review-not-understood = Nicht verstanden. Nichts wurde gesendet.
line-too-soon = Ignoriert: Die Eingabe kam zu früh nach der Frage. Bitte noch einmal eingeben.
line-pasted = Die eingefügten Zeilen wurden ignoriert. Bitte die Antwort in einer Zeile eingeben.
line-pasted-kept = Mehrere Zeilen wurden eingefügt. Noch wurde nichts gesendet.
line-pasted-message = Mehrere Zeilen wurden eingefügt. Enter sendet sie als eine Nachricht, jede andere Eingabe ersetzt sie:
line-nothing-typed = Nichts wurde eingegeben. /s überspringt die Frage.
line-prompt-yes-no = j oder n, 1 bis { $count } eingeben, ? für Hilfe:
line-prompt-sure = Zum Bestätigen Ja eingeben, leere Zeile für zurück:
line-so-far = Ihre Antwort bisher: { $answer }. Eine leere Zeile behält sie bei.
line-inbox-item = { $number }. { $name }, von { $agent }.
line-inbox-prompt = Nummer der Frage eingeben, leere Zeile für die erste, ? für Hilfe:
line-inbox-help = Die Nummer der Frage eingeben, die Sie beantworten möchten. l zeigt die Liste noch einmal, q beendet, ? zeigt diese Hilfe.
line-inbox-quit = q eingeben, um zu beenden:
pipe-waiting = { $count ->
    [one] { $count } Frage wartet
   *[other] { $count } Fragen warten
} ({ $id }, { $agent }: { $name })
pipe-no-terminal = kein interaktives Terminal, nichts wurde beantwortet
pipe-no-terminal-hint = In einem Terminal ausführen. Wenn eines da ist, aber die Eingabe umgeleitet wird: --tty hinzufügen. Um die Frage zu speichern und anderswo zu beantworten: --durable hinzufügen.
pipe-answer = antworten mit  { $command }  oder öffnen:
chat-hint-send = { $keys } senden
chat-hint-stop = { $keys } anhalten
chat-hint-leave = { $keys } verlassen
inbox-hint-open = { $keys } öffnen
inbox-hint-move = { $keys } bewegen
inbox-hint-mark = { $keys } markieren
inbox-hint-reject = { $keys } Agent anhalten
inbox-hint-skip = { $keys } überspringen
inbox-hint-snooze = { $keys } zurückstellen
inbox-hint-undo = { $keys } rückgängig
inbox-undo = { $line } — { $keys }: rückgängig ({ $seconds } s)
inbox-hint-quit = { $keys } beenden
chat-busy = { $agent } arbeitet noch. Ihre Nachricht wurde nicht gesendet; { $keys } öffnet das Menü.
chat-offered = Enter sendet das als Ihre Antwort
chat-question-first = Zuerst die Frage beantworten. Ihre Nachricht wurde nicht gesendet.
chat-sending = Wird gesendet
chat-attempt = Keine Antwort vom Modellanbieter, Versuch { $count } von { $max }
chat-helpers = { $agent } wartet auf Unteragenten: { $count }
chat-menu-title = Menü
chat-menu-stay = Hier bleiben
chat-menu-stop = { $agent } anhalten
chat-menu-stop-effect = (das Gespräch bleibt)
chat-menu-leave = Verlassen
chat-menu-leave-effect = (das Gespräch ist gespeichert)
chat-menu-earlier = Frühere Gespräche
chat-menu-link = Den Link für den Browser zeigen
chat-no-earlier = Keine früheren Gespräche
chat-hint-menu = { $keys } Menü
chat-error-overloaded = Der Anbieter ist überlastet. Senden Sie eine beliebige Nachricht, um es erneut zu versuchen.
chat-error-network = Der Anbieter ist nicht erreichbar. Prüfen Sie das Netz und --base-url und senden Sie dann eine beliebige Nachricht.
chat-error-refused = Prüfen Sie Schlüssel und Modell, starten Sie neu und setzen Sie dieses Gespräch fort.
chat-error-rounds = Der Agent hat zu viele Schritte gebraucht, ohne fertig zu werden. Eine beliebige Nachricht lässt ihn weitermachen.
chat-error-other = Senden Sie eine beliebige Nachricht, um es erneut zu versuchen.
chat-link = Im Browser öffnen: { $link }
demo-hello = Zeig mir, was askback kann
demo-resumed = Willkommen zurück. Alles ist, wo Sie es gelassen haben.
inbox-stop-marked = Die Agenten aller markierten Fragen ({ $count }) anhalten? Sie hören ohne Antwort auf.
inbox-hint-decline = { $keys } Agent entscheidet
inbox-hint-answer = { $keys } antworten
inbox-hint-yes = { $keys } ja
inbox-hint-no = { $keys } nein
inbox-hint-go-on = { $keys } weiter
inbox-how = Ausprobieren, in einem anderen Terminal: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = { $keys } drücken, um diese Frage zu öffnen
inbox-ended-here = Diese Frage ist beantwortet. { $keys } geht zur nächsten
inbox-more = { $count ->
    [one] noch { $count } Frage
   *[other] noch { $count } Fragen
}
chat-stopped = Angehalten. Mit einer Nachricht geht es weiter.
inbox-next = Nächste: { $name }
inbox-gone = Diese Frage ist nicht mehr offen
inbox-draft = Entwurf

### Chat and inbox

chat-you = Sie
chat-prompt = Nachricht schreiben
chat-thinking = { $agent } denkt nach
chat-working = { $agent } benutzt { $tool }
chat-waiting = { $agent } wartet auf Ihre Antwort
chat-failed = { $agent } ist gescheitert: { $reason }
chat-retry = { $reason }, Versuch { $count } von { $max }
chat-connecting = Verbinde
chat-connection-lost = Verbindung verloren, wird wiederhergestellt
inbox-title = Eingang
inbox-count = { $count ->
    [0] Keine Frage wartet
    [one] { $count } Frage wartet
   *[other] { $count } Fragen warten
}
inbox-empty = Keine Frage wartet. Neue Fragen erscheinen hier von selbst.
inbox-marked = { $count } markiert
inbox-decline-marked = Bei allen markierten Fragen ({ $count }) die Agenten entscheiden lassen? Sie machen ohne Antwort weiter.
inbox-skip-marked = Alle markierten Fragen ({ $count }) überspringen?
inbox-skip-or-decline-marked = Die markierten Fragen ({ $count }) überspringen? Wo das nicht geht, entscheiden die Agenten und machen ohne Antwort weiter.
inbox-reject-marked = { $count ->
    [one] Den Agenten von { $count } Frage anhalten?
   *[other] Die Agenten von { $count } Fragen anhalten?
}
inbox-arrived = { $count ->
    [one] { $count } neue Frage
   *[other] { $count } neue Fragen
}

### Web

web-send = Antwort senden
web-next = Weiter
web-back = Zurück
web-skip = Überspringen
web-edit = Ändern
web-own-answer = Ihre eigene Antwort
web-add-note = Notiz hinzufügen
web-filter = Möglichkeiten filtern
web-choices-shown = { $count ->
    [one] { $count } Möglichkeit sichtbar
   *[other] { $count } Möglichkeiten sichtbar
}
web-select-all = Alle auswählen
web-clear-selection = Auswahl aufheben
web-selected-hidden = { $count } ausgewählt, { $hidden } nicht sichtbar
web-use-typed = „{ $text }“ verwenden
web-today = Heute
web-tomorrow = Morgen
web-next-monday = Nächsten Montag
web-pick-date = Datum wählen
web-enter-sends = Enter zum Senden, Umschalt+Enter für eine neue Zeile
web-preview = Vorschau
web-reject = Den Agenten anhalten
web-reject-ask = Den Agenten anhalten? Er hört ohne Antwort auf.
web-keep-open = Offen lassen
web-decline = Den Agenten entscheiden lassen
web-error = Fehler
web-error-summary = { $count ->
    [one] Mit einer Antwort gibt es ein Problem
   *[other] Mit { $count } Antworten gibt es Probleme
}
web-sending = Wird gesendet
web-saved-offline = Gespeichert. Wird gesendet, sobald Sie online sind.
web-form-offline = Keine Verbindung. Ihre Antwort bleibt hier erhalten; senden Sie sie noch einmal.
web-answered-by = { $person } hat { $surface ->
    [terminal] im Terminal
    [web] im Browser
    [link] über einen Link
    [cli] auf der Kommandozeile
    [http] über HTTP
    [mcp] in einem Dialog
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] über ntfy
    [push] in einer Benachrichtigung
    [email] per E-Mail
    [command] durch einen Befehl
   *[system] durch das System
} geantwortet
web-rejected-by = { $person } hat den Agenten angehalten
web-declined-by = { $person } hat die Entscheidung dem Agenten überlassen
web-withdrawn = Vom Agenten zurückgezogen
web-expired = Keine Antwort bis { $time }. Der Agent hat ohne Antwort weitergemacht.
web-answer-anyway = Trotzdem antworten
web-bad-question = Der Agent hat eine Frage gesendet, die sich nicht anzeigen lässt
web-too-late = Diese Frage ist geschlossen. Ihre Antwort wurde nicht gesendet.
web-conflict = { $person } hat schon geantwortet. Dies ist die Antwort.
for-recipient = für { $recipient }
hand-on = Weitergeben…
hand-on-to = Weitergeben an { $person }
hand-on-unreachable = { $person } hat keinen Kanal und bekommt keine Nachricht, kann aber im Browser antworten
handed-on-to = Weitergegeben an { $to } von { $person }
handed-on-to-unnamed = Weitergegeben an { $to }
web-hand-on-reason = Grund (freiwillig)
web-handed-on = Weitergegeben an { $person }
web-deadline = Schließt um { $time }
web-more-time = Mehr Zeit geben
web-deadline-kept = Keine Frist mehr. Die Frage bleibt offen, bis Sie antworten.
web-reply-to = Antwort auf { $name }
web-composer-blocked = Bitte zuerst die Frage oben beantworten
web-message = Nachricht
web-send-message = Senden
web-stop = Anhalten
web-not-stopped = Nicht angehalten: Der Server ist nicht erreichbar. Drücken Sie noch einmal auf „Anhalten“, sobald die Verbindung wieder da ist.
web-offline = Sie sind offline. Ihre Nachricht bleibt hier gespeichert.
web-not-found = Diese Frage gibt es nicht, oder der Link ist abgelaufen
web-no-conversation = Dieses Gespräch gibt es nicht, oder es wurde gelöscht
web-conversations = Gespräche
web-new-conversation = Neues Gespräch
web-choose-app = App wählen
web-delete = Löschen
web-delete-ask = Dieses Gespräch mit seinen Antworten löschen?
web-notify = Bei Fragen benachrichtigen
web-notify-on = Benachrichtigungen sind an
web-notify-blocked = Ihr Browser blockiert Benachrichtigungen dieser Seite
web-notify-whom = Wessen Fragen?
web-language = Sprache
web-theme = Farbschema
web-theme-auto = Wie das System
web-theme-light = Hell
web-theme-dark = Dunkel
web-digits = Mit Zifferntasten wählen
web-link = Auf einem anderen Gerät antworten
web-link-hint = Code scannen oder Link öffnen. Er gilt einmal und nur für diese Frage.
web-copy-link = Link kopieren
web-copied = Kopiert
web-skip-to-question = Zur Frage
web-answered = Beantwortet
web-answered-unnamed = Beantwortet { $surface ->
    [terminal] im Terminal
    [web] im Browser
    [link] über einen Link
    [cli] auf der Kommandozeile
    [http] über HTTP
    [mcp] aus einem MCP-Client
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] über ntfy
    [push] in einer Benachrichtigung
    [email] per E-Mail
    [command] durch einen Befehl
   *[system] durch das System
}
web-refused = Zugriff verweigert. Melden Sie sich an oder prüfen Sie das Token.
web-type-own = Andere Antwort: oben eintippen
web-older = Frühere Nachrichten zeigen
web-your-name = Dein Name
web-link-until = Gültig bis { $time }.
web-link-local = Diese Adresse funktioniert nur auf diesem Rechner. Für Ihr Telefon starten Sie den Server mit { $command }.
web-late-lead = Die Frage ist geschlossen. Ihre Antwort wird dem Agenten als Nachricht gesendet.
web-late-text = Meine verspätete Antwort auf „{ $question }“: { $answer }
web-late-sent = Als Nachricht an den Agenten gesendet
web-agent-sent = Was der Agent gesendet hat
web-agent-told = Was der Agent erhalten hat
web-undo-left = Rückgängig ({ $seconds } s)
web-held = Gesendet. Sie können es noch rückgängig machen.
web-undone = Rückgängig gemacht. Die Frage ist wieder offen.
web-undone-elsewhere = Ihre Antwort wurde in einem anderen Fenster rückgängig gemacht. Die Frage ist wieder offen.
web-open-again = Frage zeigen
web-undo-late = Zu spät: Der Agent hat die Antwort schon
web-seconds = { $count } s
web-off = Aus
web-deleted = Gespräch gelöscht
web-settings = Einstellungen
web-people = Personen
web-people-alias = Kurzname, z. B. anna
web-people-name = Name
web-people-add = Hinzufügen
web-people-remove = { $person } entfernen
web-people-group = Gruppe: { $people }
web-people-on-call = in Bereitschaft: { $person }
web-sign-out = Abmelden
web-no-such-choice = „{ $text }“ steht nicht zur Auswahl
web-not-sent = Ihre nicht gesendete Antwort
web-not-sent-yet = Noch nicht gesendet
web-other-draft = In einem anderen Fenster oder auf einem anderen Gerät wurde ein anderer Entwurf dieser Antwort gespeichert.
web-use-other-draft = Diesen Entwurf verwenden
web-keep-this-draft = Den Entwurf hier behalten
web-next-question = Nächste Frage
web-stop-ask = Agent anhalten? Fragen seiner Unteragenten werden abgebrochen.
web-now-answers = Diese Nachricht beantwortet jetzt „{ $name }“. Zum Bestätigen noch einmal senden.
web-now-message = Die Frage ist geschlossen. Noch einmal senden, um dies als Nachricht abzuschicken.
inbox-reject-marked-confirm = Alle anhalten ({ $count })
web-details = Einzelheiten
web-more-waiting = { $count } weitere warten
web-previous-question = Vorherige Frage
web-close = Schließen
web-latest = Zum Neuesten
web-waiting-below = Wartet unten auf Ihre Antwort
web-after-answer = Was der Agent danach getan hat
web-start-lead = Beschreiben Sie eine Aufgabe. Der Agent fragt Sie, wenn die Entscheidung bei Ihnen liegt.

inbox-search = Fragen durchsuchen
inbox-agent = Agent
inbox-all-agents = Alle Agenten
inbox-sort = Reihenfolge
inbox-sort-deadline = Nächste Frist zuerst
inbox-sort-oldest = Älteste zuerst
inbox-sort-newest = Neueste zuerst
inbox-for-me = Für mich
inbox-clear-filter = Suche und Filter löschen
inbox-none-match = Keine Frage passt dazu.
inbox-loading = Fragen werden geladen …
inbox-listed = { $count } von { $all } angezeigt
inbox-position = { $index } von { $count }
inbox-all = Alle Fragen
inbox-mark = { $name } markieren
inbox-mark-all = Alle markieren
inbox-unmark = Markierungen löschen
inbox-skipped = Übersprungen: { $count }
inbox-snooze = Zurückstellen
inbox-snooze-title = Zurückstellen bis
inbox-snooze-hour = In einer Stunde
inbox-snooze-evening = Heute Abend
inbox-snooze-tomorrow = Morgen früh
inbox-snooze-monday = Montag früh
inbox-snooze-own = Anderer Zeitpunkt
inbox-snoozed-until = Zurückgestellt bis { $time }
inbox-undo-snooze = Rückgängig
inbox-show-snoozed = Zurückgestellt ({ $count })
inbox-hide-snoozed = Zurück zum Eingang
inbox-last-words = { $agent } schrieb vor der Frage
inbox-open-conversation = Gespräch öffnen
inbox-keys = Tasten
inbox-key-move = Nächste oder vorherige Frage
inbox-key-open = In die Frage gehen
inbox-key-choose = Eine Antwort wählen
inbox-key-skip = Überspringen oder den Agenten entscheiden lassen
inbox-key-mark = Für eine Aktion mit mehreren markieren
inbox-key-undo = Letzte Aktion rückgängig machen
inbox-key-back = Zurück zur Liste, Markierungen löschen
web-more-conversations = Mehr anzeigen
web-other-agents = Andere Agenten
web-no-other-agents = Noch kein anderer Agent hat gefragt. Einen verbinden: { $command }
inbox-empty-title = Alles beantwortet
inbox-empty-lead = Wenn ein Agent eine Entscheidung braucht, erscheint seine Frage hier von selbst.
inbox-empty-try = Probieren Sie es in einem Terminal:
inbox-declined = Den Agenten überlassen: { $count }
inbox-failed = Fehlgeschlagen: { $count }
web-two-steps = Erst auswählen, dann senden
web-undo-time = Zeit zum Rückgängigmachen
answered-project = Projekt
answered-all-projects = Alle Projekte
answered-person = Beantwortet von
answered-everybody = Alle
answered-outcome = Ergebnis
answered-all-outcomes = Alle Ergebnisse
answered-no-answer = Keine Antwort
answered-copy = Als Markdown kopieren
answered-none = Es wurde noch nichts beantwortet.
web-no-model = Kein Modell ist eingerichtet: hier antwortet ein Demoskript. Für einen echten Agenten starten Sie den Server mit { $command }.
inbox-empty-install = Die Agenten auf diesem Rechner verbinden:
inbox-agents-ready = Auf diesem Rechner eingerichtet: { $agents }. Sagen Sie einem Agenten, er soll Sie etwas fragen.
web-not-now = Nicht jetzt
web-phone = Auf dem Telefon
web-phone-scan = Scannen Sie den Code. Er meldet einen Browser an, einmal.
web-too-early = Das kam zu früh und hat nichts bewirkt. Noch einmal drücken.

### Channels

channel-waiting = Eine Frage wartet
channel-waiting-from = { $agent } hat eine Frage
channel-project = Projekt: { $project }
channel-open = Öffnen
channel-write = Schreiben…
channel-next = Weiter
channel-back = Zurück
channel-send = Senden
channel-undo = Rückgängig
channel-today = Heute
channel-tomorrow = Morgen
channel-in-a-week = In einer Woche
channel-rest-at-link = Der Rest steht hinter dem Link.
channel-answer-at-link = Beantworten Sie diese Frage hinter dem Link.
channel-outcome-at = { $outcome }, { $time }
channel-sent = Gesendet: { $answer }
channel-sent-undo = Gesendet: { $answer }. Sie können es { $seconds } s lang rückgängig machen.
channel-takes-effect = Gilt ab { $time }
channel-held-by = { $person } hat geantwortet. Die Antwort gilt in { $seconds } s.
channel-changed = Die Frage hat sich geändert. Sehen Sie sie noch einmal an.
channel-sent-plain = Gesendet.
channel-sent-undo-plain = Gesendet. Sie können es { $seconds } s lang rückgängig machen.
channel-answer-elsewhere = Beantworten Sie diese Frage im Terminal oder im Browser.
channel-help = Fragen kommen hier mit Schaltflächen an. Um mit Worten zu antworten, antworten Sie auf die Nachricht mit der Frage.
channel-how-to-link = Um hier Fragen zu bekommen, senden Sie den Code, den dieser Befehl ausgibt: askback channel link
channel-text-only = Nur ein getippter Text gilt als Antwort. Schreiben Sie ihn als Antwort auf die Frage.
channel-not-allowed = Sie können diese Frage nicht beantworten.
channel-linked = Verknüpft. Fragen an { $name } kommen jetzt hier an.
channel-code-invalid = Dieser Code ist falsch oder wurde schon benutzt. Ein neuer: askback channel link
channel-code-in-group = Schreiben Sie mir in einem privaten Chat. Andere haben diesen Code gesehen, daher gilt er nicht mehr. Ein neuer: askback channel link
channel-reply = Antworten Sie auf diese Nachricht mit Ihrer Antwort.
channel-use-fields = Diese Nachricht hat mehrere Fragen. Füllen Sie die Felder aus und drücken Sie Senden.
channel-reply-at-review = Hier werden die Antworten geprüft. Drücken Sie Senden, oder Zurück, um eine Antwort zu ändern.
channel-text-added = Ihr Text wurde zu den angekreuzten Antworten hinzugefügt. Sehen Sie sich die Frage noch einmal an und drücken Sie Senden.
channel-send-again = Nicht beantwortet: { $names }. Um trotzdem zu senden, drücken Sie noch einmal Senden.
channel-leave-open = Nicht beantwortet: { $names }. Beantworten Sie auch das, oder lassen Sie es offen mit { $example }
channel-reply-range = Antworten Sie auf diese Nachricht mit dem ersten und dem letzten Tag, zum Beispiel { $example }
channel-reply-last-day = Der erste Tag ist { $start }. Antworten Sie auf diese Nachricht mit dem letzten Tag.
channel-reply-reason = Antworten Sie auf diese Nachricht mit dem Grund.
channel-superseded = Mit einer Nachricht beantwortet
channel-not-sent = Nicht gesendet. Öffnen Sie die Frage, oder versuchen Sie es noch einmal.
channel-handed-on-by = { $person } hat dir diese Frage weitergegeben
channel-handed-on-by-unnamed = An dich weitergegeben
channel-still-open = Noch offen: { $question }
channel-new-link = Der neue Link: { $link }
channel-still-open-until = Noch offen: { $question }. Läuft ab um { $time }.
channel-not-answered-by = { $person } hat noch nicht geantwortet
channel-also-sent-to = Noch nicht beantwortet. Auch gesendet an { $person }
