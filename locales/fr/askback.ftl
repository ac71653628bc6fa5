### Shared

recommended = (Recommandé)
other = Autre
asks = Question de { $agent }
question-of = Question { $index } sur { $count }
question-count = { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
select-several = Sélectionnez tout ce qui convient
selected-count = { $count ->
    [one] { $count } sélectionné
   *[other] { $count } sélectionnés
}
optional = facultatif
note = Note
from = Du
to = Au
counter = { $used }/{ $max }
number-whole = Un nombre entier
number-whole-range = Un nombre entier de { $min } à { $max }
number-whole-min = Un nombre entier, { $min } au minimum
number-whole-max = Un nombre entier, { $max } au maximum
number-any = Un nombre
number-range = Un nombre de { $min } à { $max }
number-min = Un nombre, { $min } au minimum
number-max = Un nombre, { $max } au maximum
number-step = par pas de { $step }
date-any = Un jour, par exemple { $example }
date-between = Du { $min } au { $max }
date-min = À partir du { $min }
date-max = Jusqu’au { $max }
review = Récapitulatif
review-lead = Vérifiez vos réponses avant l’envoi
send-answers = Envoyer les réponses
answer-skipped = passée
answer-open = sans réponse
answer-noted = { $answer } (note : { $note })
answer-range = du { $start } au { $end }
resolved-skipped = { $name } : passée
resolved-declined = { $name } : décision laissée à l’agent
resolved-undeliverable = { $name } : jamais affichée, personne ne pouvait répondre
someone = quelqu’un
resolved-answered = { $name } : { $answer }
resolved-stopped = { $name } : agent arrêté
web-failed = Cela n’a pas marché. Réessayez.
age-now = à l’instant
problem-empty = { $name } : donnez une réponse
assumption-marked = En attendant votre réponse, l’agent suppose : { $assumption }
agent-not-waiting = L’agent n’attend pas en ce moment. Il recevra la réponse quand il redemandera.

### Program

handed-on-to-other = Transmise à quelqu’un d’autre
answer-confirm = Envoyer ces réponses ? y/n :
other-hint = Saisir votre propre réponse…
other-specify = Veuillez préciser :
unanswered-count = { $count } sans réponse
day-count = { $count ->
    [one] { $count } jour
   *[other] { $count } jours
}
date-long = { $weekday } { $day } { $month } { $year }
month-year = { $month } { $year }
answer-own = { $answer } (réponse libre)
resolved-open = { $name } : sans réponse
resolved-superseded = { $name } : réponse par message
resolved-expired = { $name } : pas de réponse à { $time }, l’agent a continué sans
resolved-cancelled = { $name } : annulée
resolved-timed-out = { $name } : pas de réponse à { $time }
resolved-withdrawn = { $name } : retirée par l’agent
resolved-elsewhere = { $line } — réponse de { $person } { $surface ->
    [terminal] dans le terminal
    [web] dans le navigateur
    [link] par un lien
    [cli] depuis la ligne de commande
    [http] par HTTP
    [mcp] dans une boîte de dialogue
    [telegram] dans Telegram
    [slack] dans Slack
    [ntfy] par ntfy
    [push] dans une notification
    [email] par e-mail
    [command] par une commande
   *[system] par le système
}
resolved-elsewhere-unnamed = { $line } — réponse donnée { $surface ->
    [terminal] dans le terminal
    [web] dans le navigateur
    [link] par un lien
    [cli] depuis la ligne de commande
    [http] par HTTP
    [mcp] depuis un client MCP
    [telegram] dans Telegram
    [slack] dans Slack
    [ntfy] par ntfy
    [push] dans une notification
    [email] par e-mail
    [command] par une commande
   *[system] par le système
}
question-unnamed = La réponse
problem-nothing-answered = Aucune question n’a de réponse : répondez à une au moins, ou laissez l’agent décider
problem-not-an-object = Les réponses doivent être un objet JSON avec une entrée par identifiant de question
problem-unknown-question = Cette question n’existe pas : utilisez { $known }
problem-answered-twice = { $name } : deux réponses données ; n’en donnez qu’une
problem-cannot-skip = { $name } : ne peut pas être passée ; répondez, ou laissez l’agent décider
problem-skipped-and-answered = { $name } : à la fois répondue et passée ; choisissez l’un des deux
problem-unknown-choice = { $name } : choisissez parmi { $labels }
problem-ambiguous-choice = { $name } : ce n’est pas clair. Saisissez le numéro et le texte : { $lines }
problem-one-choice-only = { $name } : un seul choix possible
problem-exclusive = { $name } : « { $label } » ne se combine pas avec d’autres choix
problem-wrong-type = { $name } : il faut { $wants ->
    [choices] un choix : utilisez `values`, et `own` pour un texte libre
    [number] un nombre : utilisez `number`
    [date] un jour : utilisez `date`, par exemple 2027-03-27
    [date-range] une période : utilisez `start` et `end`
   *[text] un texte : utilisez `text`
}
problem-too-short = { $name } : { $min } caractères au minimum
problem-too-long = { $name } : { $max } caractères au maximum
problem-note-too-long = Note sur { $name } : { $max } caractères au maximum
problem-pattern-mismatch = { $name } : le format demandé n’est pas respecté
problem-too-small = { $name } : { $min } au minimum
problem-too-large = { $name } : { $max } au maximum
problem-out-of-range = { $name } : de { $min } à { $max }
problem-not-whole = { $name } : donnez un nombre entier
problem-not-on-step = { $name } : par pas de { $step }
problem-not-a-number = { $name } : donnez un nombre, par exemple 3 ou { $example }
problem-not-a-date = { $name } : donnez une date, par exemple 2027-03-27
problem-too-early = { $name } : au plus tôt le { $min }
problem-too-late = { $name } : au plus tard le { $max }
problem-end-before-start = { $name } : la fin ne peut pas précéder le début
problem-of-field = { $field } : { $problem }
chat-title = Discussion avec { $agent }
chat-left = La conversation est gardée. Reprenez avec { $command }
chat-connected = Connexion rétablie
web-decline-effect = L’agent apprend que vous n’avez rien choisi, et continue.
web-signed-out = Pour vous connecter, ouvrez le lien affiché par askback dans le terminal, ou saisissez le jeton du serveur.
web-token = Jeton
web-sign-in = Se connecter
web-token-wrong = Ce n’est pas le jeton de ce serveur. Copiez le jeton en entier et réessayez.
web-code-used = Ce lien a déjà servi ou est trop ancien. Pour en obtenir un autre, lancez : askback phone
web-no-page = Cette page n’existe pas
web-unavailable = Le serveur ne peut pas joindre sa base de données pour le moment.
web-nothing-lost = Rien n’est perdu : toutes les questions et toutes les réponses envoyées sont conservées.
web-retrying = Cette page réessaie d’elle-même.
web-try-again = Réessayer
web-copy-unsent = Copiez-la avant de quitter cette page.
web-today-is = « Aujourd’hui » désigne ici le { $date }.
web-not-answering = Ne pas répondre ?
web-skip-effect = L’agent apprend que vous avez passé cette question.
web-stop-effect = L’agent reçoit l’ordre de s’arrêter, sans réponse.
web-thanks-answered = { $named ->
    [yes] Merci, { $agent } continue.
   *[no] Merci, l’agent continue.
}
web-thanks-declined = { $named ->
    [yes] Merci, { $agent } décide et continue.
   *[no] Merci, l’agent décide et continue.
}
web-thanks-stopped = { $named ->
    [yes] { $agent } a reçu l’ordre de s’arrêter.
   *[no] L’agent a reçu l’ordre de s’arrêter.
}
web-close-page = Vous pouvez fermer cette page.
web-link-expired = Ce lien a expiré : { $time }.
web-link-changed = La question a changé depuis la création de ce lien.
web-link-ask-again = Demandez-en un nouveau à la personne qui vous l’a envoyé.
web-link-new = M’envoyer un nouveau lien
web-link-new-sent = Un nouveau lien est en route. Il arrivera là où vous avez reçu celui-ci.
web-link-new-recently = Vous avez reçu un nouveau lien il y a moins d’une heure. Cherchez-le là où vous avez reçu celui-ci.
form-first-day = Premier jour
form-last-day = Dernier jour
form-skip = Passer cette question
form-answer = Réponse
form-questions = Questions pour vous
form-left-open = Ces questions sont sans réponse. Envoyer quand même ?
form-send-anyway = Envoyer quand même
web-no-script = Cette page a besoin de JavaScript. Pour répondre sans lui, ouvrez /q/ suivi de l’identifiant de la question.
web-link-not-allowed = Ce lien ne le permet pas. Revenez en arrière et répondez, ou demandez à la personne qui vous a envoyé le lien.

### Terminal

inbox-new-appear = Les nouvelles questions apparaissent ici automatiquement.
problem-empty-here = Répondez à cette question
hint-navigate = { $keys } naviguer
hint-select = { $keys } choisir
hint-toggle = { $keys } cocher
hint-all = { $keys } tout
hint-send = { $keys } envoyer
hint-next = { $keys } suivant
hint-back = { $keys } retour
hint-skip = { $keys } passer
hint-note = { $keys } note
hint-preview = { $keys } aperçu
hint-leave = { $keys } quitter…
hint-line = { $keys } ligne
hint-new-line = { $keys } nouvelle ligne
hint-editor = { $keys } éditeur
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } jour/semaine
hint-month = { $keys } mois
hint-year = { $keys } année
hint-today = { $keys } aujourd’hui
hint-change = { $keys } modifier
hint-choose = { $keys } choisir
hint-back-to-question = { $keys } revenir à la question
hint-back-to-list = { $keys } revenir à la liste
hint-type-to-filter = tapez pour filtrer
hint-type-answer = tapez votre réponse
hint-clear = { $keys } effacer
hint-close = { $keys } fermer
hint-scroll = { $keys } défiler
hint-keys = { $keys } toutes les touches
tiny-ok = { $keys }ok
tiny-read = { $keys } lire
tiny-cancel = { $keys }…
leave-title = Quitter cette question ?
leave-keep = Répondre plus tard
leave-keep-effect = (la question reste ouverte)
leave-quit = Quitter sans répondre
leave-quit-effect = (la question n’est pas conservée)
leave-decline = Laisser l’agent décider
leave-decline-effect = (il continue sans réponse)
leave-stop = Arrêter l’agent
leave-stop-effect = (il termine son travail)
sure-decline = Laisser l’agent décider ? Il continue sans réponse.
sure-stop = Arrêter l’agent ? Il termine son travail sans réponse.
leave-cancel = Annuler la question
leave-cancel-effect = (le script ne reçoit pas de réponse)
sure-cancel = Annuler la question ? Le script ne reçoit pas de réponse.
deadline-closing = ferme dans { $left } • une touche la garde ouverte
deadline-fallback = Sans réponse : l’agent continue sans elle
deadline-over = Le temps est écoulé, mais la question reste ouverte jusqu’à ce que le serveur la ferme
shown-of = { $shown } sur { $count } affichés
more-rows = encore { $count }
folded = { $count ->
    [one] { $count } question en attente
   *[other] { $count } questions en attente
} • { $keys } ouvrir • { $question }
help-title = Touches
help-move = déplacer la sélection
help-ends = première et dernière ligne
help-page = une page
help-half-page = une demi-page
help-digit = choisir et continuer
help-digit-several = cocher ou décocher
help-digit-moves = aller à la ligne de ce numéro
help-mark = marquer sans continuer
help-toggle = cocher ou décocher
help-confirm = choisir et continuer
help-confirm-several = envoyer ce qui est coché ; sinon, cocher la ligne
help-confirm-text = envoyer ou continuer
help-yes = répondre oui
help-no = répondre non
help-send = tout envoyer
help-new-line = nouvelle ligne
help-next-question = question suivante
help-previous-question = question précédente
help-all = tout cocher
help-invert = inverser les coches
help-filter = filtrer les choix
help-other = écrire sa propre réponse
help-note = ajouter une note
help-skip = passer cette question
help-review = revoir toutes les réponses
help-preview = aperçu du choix
help-preview-scroll = faire défiler l'aperçu
help-read = lire en entier
help-fold = replier sur une ligne
help-link = copier le lien
help-share = lien et code QR pour votre téléphone
help-hand-on = transmettre à quelqu’un d’autre
hand-on-nobody = La configuration ne nomme personne d’autre.
notice-handed-on = transmise
hint-share = { $keys } téléphone
hint-copy = { $keys } copier
share-title = Répondre sur un autre appareil
share-making = Création du lien…
share-once = Il sert une seule fois, jusqu’au { $time }.
share-local = Seule cette machine peut l’ouvrir. Pour un téléphone, lancez askback serve --phone.
share-small = Cette fenêtre est trop petite pour le code QR.
notice-no-share = Pas de lien : la question n’est enregistrée qu’avec --durable
help-undo = annuler la dernière réponse
help-clear-marks = retirer toutes les marques
help-help = montrer toutes les touches
help-editor = ouvrir votre éditeur
help-step = un pas de plus ou de moins
help-step-ten = dix pas de plus ou de moins
help-day = un jour
help-week = une semaine
help-month = un mois
help-year = un an
help-today = aujourd’hui
help-line-ends = début et fin de ligne
help-caret = déplacer le curseur
help-erase = effacer
help-recall = vos messages précédents
help-back = un pas en arrière, puis le menu de sortie
help-detach = quitter, la question reste ouverte
help-undo-change = annuler la dernière modification
help-suspend = suspendre
help-repaint = redessiner
notice-paste = On ne peut rien coller ici
notice-too-soon = Trop tôt : touche ignorée
notice-nothing-typed = Saisissez une réponse, ou { $keys } pour passer
notice-number-only = Chiffres uniquement
date-not-understood = Ce n’est pas une date. Essayez 2027-03-27 ou { $tomorrow }
date-does-not-exist = Le { $day } { $month } { $year } n’existe pas
date-day-does-not-exist = Le { $day } { $month } n’existe pas
date-ambiguous = { $one } ou { $other } ? Saisissez la date comme { $example }
date-is-period = Quel jour ? Essayez « dans 1 semaine » ou « vendredi prochain »
number-ambiguous = { $grouped } ou { $decimal } ? Saisissez l’une de ces deux formes
notice-not-skippable = Cette question est obligatoire. { $keys } va à la suivante
notice-yes-or-no = Appuyez sur o ou n, ou placez-vous d’abord sur un choix
notice-read-on = Lisez la suite avant de répondre
typed-label = Saisi : { $text }
typed-label-ambiguous = { $text } : plusieurs choix commencent ainsi
typed-label-unknown = { $text } : aucun choix ne commence ainsi • { $keys } l’efface
typed-label-yes-or-no = { $text } : répondez { $yes } ou { $no } • { $keys } l’efface
notice-no-preview = Ce choix n’a pas d’aperçu
notice-editor-missing = Définissez VISUAL ou EDITOR pour écrire dans votre éditeur
notice-editor-failed = L’éditeur s’est terminé par une erreur ; votre texte est inchangé
notice-link-copied = Lien copié
notice-undone = Annulé. La question est de nouveau ouverte
elsewhere-undoable = Elle peut encore y être annulée. La question s’ouvre alors de nouveau ici.
elsewhere-undo-left = Réponse donnée ailleurs. Elle peut y être annulée pendant { $seconds } s.
notice-too-late-to-undo = Trop tard : l’agent a déjà la réponse
notice-nothing-to-undo = Il n’y a rien à annuler
hint-undo-answer = { $keys } : annuler ({ $seconds } s)
hint-send-now = { $keys } continuer
help-send-now = continuer tout de suite, sans attendre la fin du délai d’annulation
undo-left = Votre réponse est enregistrée. L’agent la reçoit quand elle ne peut plus être annulée.
line-undo = Pour annuler, tapez u puis Entrée dans les { $seconds } s. Une ligne vide continue :
detached = { $name } : reste ouverte. Répondez plus tard avec { $command }
unsent-text = Non envoyé : { $text }
unsent-unreachable = Pas envoyé : le serveur est injoignable. La question reste ouverte.
line-question = Question { $index } sur { $count }, de { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, recommandé.
line-choice-recommended-described = { $number }. { $label }, recommandé. { $description }.
line-other = { $number }. { $other } : votre propre réponse.
line-prompt-one = Tapez 1 à { $count }, ou ? pour l’aide :
line-prompt-several = Tapez des numéros de 1 à { $count } séparés par des virgules, ou ? pour l’aide :
line-prompt-text = Tapez votre réponse, ou ? pour l’aide :
line-prompt-number = Tapez un nombre, ou ? pour l’aide :
line-prompt-date = Tapez un jour, par exemple { $example }, ou ? pour l’aide :
line-prompt-start = Premier jour, par exemple { $example }, ou ? pour l’aide :
line-prompt-end = Dernier jour, ou ? pour l’aide :
line-prompt-other = Votre propre réponse :
line-prompt-note = Votre note, ou une ligne vide pour aucune :
line-prompt-review = Tapez un numéro pour modifier une réponse, ou une ligne vide pour envoyer :
line-prompt-leave = Tapez 1 à { $count }, ou une ligne vide pour revenir :
line-help = Tapez le numéro d’un choix.
line-help-several = Tapez les numéros séparés par des virgules, par exemple 1,3.
line-help-review = Une ligne vide envoie toutes les réponses. Le numéro d’une question modifie sa réponse.
line-help-text = Tapez votre réponse puis entrée.
line-help-yes-no = Tapez o pour oui, n pour non, ou le numéro d’un choix.
line-help-number = Tapez un nombre puis entrée.
line-help-date = Tapez une date puis entrée, par exemple 2027-03-27, vendredi ou dans 2 semaines.
line-help-skip = { $keys } passe cette question
line-help-back = { $keys } revient
line-help-note = { $keys } ajoute une note
line-help-leave = { $keys } quitte la question
line-help-help = { $keys } montre cette aide
line-help-later = { $keys } laisse cette question pour plus tard et passe à la suivante
line-help-list = { $keys } revient à la liste
line-chosen = Choisi : { $answer }.
line-chosen-sent = Choisi : { $answer }. Envoyé.
line-skipped = Passée.
line-sent = Envoyé.
line-deadline = Cette question ferme à { $time }. Toute saisie la garde ouverte.
line-not-understood = Tapez un numéro de 1 à { $count } ; rien n’a été choisi.
line-review-not-understood = Non compris. Rien n’a été envoyé.
line-too-soon = C’était trop tôt après la question et n’a pas compté. Tapez-le à nouveau.
line-pasted = Les lignes collées ont été ignorées. Tapez votre réponse sur une ligne.
line-pasted-kept = Plusieurs lignes ont été collées. Rien n’est encore envoyé.
line-pasted-message = Plusieurs lignes ont été collées. Entrée les envoie en un message ; tout autre texte les remplace :
line-nothing-typed = Rien n’a été saisi. /s passe cette question.
line-prompt-yes-no = Tapez o ou n, 1 à { $count }, ou ? pour l’aide :
line-prompt-sure = Tapez oui pour confirmer, ou une ligne vide pour revenir :
line-so-far = Votre réponse pour l’instant : { $answer }. Une ligne vide la conserve.
line-inbox-item = { $number }. { $name }, de { $agent }.
line-inbox-prompt = Tapez le numéro d’une question, une ligne vide pour la première, ou ? pour l’aide :
line-inbox-help = Tapez le numéro de la question à laquelle vous voulez répondre. l montre encore la liste, q quitte, ? montre cette aide.
line-inbox-quit = Tapez q pour quitter :
pipe-waiting = { $count ->
    [one] { $count } question en attente
   *[other] { $count } questions en attente
} ({ $id }, { $agent } : { $name })
pipe-no-terminal = pas de terminal interactif, aucune réponse donnée
pipe-no-terminal-hint = Lancez cette commande dans un terminal. S’il y en a un mais que l’entrée est redirigée, ajoutez --tty. Pour enregistrer la question et y répondre ailleurs, ajoutez --durable.
pipe-answer = répondez avec  { $command }  ou ouvrez
chat-hint-send = { $keys } envoyer
chat-hint-stop = { $keys } arrêter
chat-hint-leave = { $keys } quitter
inbox-hint-open = { $keys } ouvrir
inbox-hint-move = { $keys } déplacer
inbox-hint-mark = { $keys } marquer
inbox-hint-reject = { $keys } arrêter l’agent
inbox-hint-skip = { $keys } passer
inbox-hint-snooze = { $keys } reporter
inbox-hint-undo = { $keys } annuler
inbox-undo = { $line } — { $keys } : annuler ({ $seconds } s)
inbox-hint-quit = { $keys } quitter
chat-busy = { $agent } travaille encore. Votre message n’est pas envoyé ; { $keys } ouvre le menu.
chat-offered = Entrée envoie ceci comme réponse
chat-question-first = Répondez d’abord à la question. Votre message n’a pas été envoyé.
chat-sending = Envoi
chat-attempt = Pas de réponse du fournisseur du modèle, tentative { $count } sur { $max }
chat-helpers = { $agent } attend ses sous-agents : { $count }
chat-menu-title = Menu
chat-menu-stay = Rester ici
chat-menu-stop = Arrêter { $agent }
chat-menu-stop-effect = (la conversation reste)
chat-menu-leave = Quitter
chat-menu-leave-effect = (la conversation est conservée)
chat-menu-earlier = Conversations précédentes
chat-menu-link = Afficher le lien pour le navigateur
chat-no-earlier = Il n’y a pas de conversation précédente
chat-hint-menu = { $keys } menu
chat-error-overloaded = Le fournisseur est surchargé. Envoyez un message pour réessayer.
chat-error-network = Le fournisseur est injoignable. Vérifiez le réseau et --base-url, puis envoyez un message pour réessayer.
chat-error-refused = Vérifiez la clé et le modèle, relancez, puis reprenez cette conversation.
chat-error-rounds = L’agent a fait trop d’étapes sans terminer. Envoyez un message pour qu’il continue.
chat-error-other = Envoyez un message pour réessayer.
chat-link = Ouvrir dans un navigateur : { $link }
demo-hello = Montre-moi ce que sait faire askback
demo-resumed = Bon retour : tout est là où vous l’avez laissé.
inbox-stop-marked = Arrêter les agents de toutes les questions marquées ({ $count }) ? Ils terminent leur travail sans réponse.
inbox-hint-decline = { $keys } laisser l’agent décider
inbox-hint-answer = { $keys } répondre
inbox-hint-yes = { $keys } oui
inbox-hint-no = { $keys } non
inbox-hint-go-on = { $keys } continuer
inbox-how = Essayez dans un autre terminal : askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = Appuyez sur { $keys } pour ouvrir cette question
inbox-ended-here = Cette question a reçu une réponse. { $keys } passe à la suivante
inbox-more = { $count ->
    [one] encore { $count } question
   *[other] encore { $count } questions
}
chat-stopped = Arrêté. Écrivez un message pour continuer.
inbox-next = Suivante : { $name }
inbox-gone = Cette question n’est plus ouverte
inbox-draft = brouillon

### Chat and inbox

chat-you = vous
chat-prompt = Écrire un message
chat-thinking = { $agent } réfléchit
chat-working = { $agent } utilise { $tool }
chat-waiting = { $agent } attend votre réponse
chat-failed = { $agent } a échoué : { $reason }
chat-retry = { $reason }, tentative { $count } sur { $max }
chat-connecting = Connexion
chat-connection-lost = Connexion perdue, nouvel essai
inbox-title = Boîte de réception
inbox-count = { $count ->
    [0] Aucune question en attente
    [one] { $count } question en attente
   *[other] { $count } questions en attente
}
inbox-empty = Aucune question en attente. Les nouvelles apparaissent ici automatiquement.
inbox-marked = { $count ->
    [one] { $count } marquée
   *[other] { $count } marquées
}
inbox-decline-marked = Laisser l’agent décider pour toutes les questions marquées ({ $count }) ? Leurs agents continuent sans réponse.
inbox-skip-marked = Passer toutes les questions marquées ({ $count }) ?
inbox-skip-or-decline-marked = Passer les questions marquées ({ $count }) ? Là où ce n’est pas possible, l’agent décide et continue sans réponse.
inbox-reject-marked = { $count ->
    [one] Arrêter l’agent de { $count } question ?
   *[other] Arrêter les agents de { $count } questions ?
}
inbox-arrived = { $count ->
    [one] { $count } nouvelle question
   *[other] { $count } nouvelles questions
}

### Web

web-send = Envoyer la réponse
web-next = Suivant
web-back = Retour
web-skip = Passer
web-edit = Modifier
web-own-answer = Votre propre réponse
web-add-note = Ajouter une note
web-filter = Filtrer les choix
web-choices-shown = { $count ->
    [one] { $count } choix affiché
   *[other] { $count } choix affichés
}
web-select-all = Tout sélectionner
web-clear-selection = Effacer la sélection
web-selected-hidden = Sélection : { $count }, dont non affichés : { $hidden }
web-use-typed = Utiliser « { $text } »
web-today = Aujourd’hui
web-tomorrow = Demain
web-next-monday = Lundi prochain
web-pick-date = Choisir une date
web-enter-sends = Entrée pour envoyer, Maj+Entrée pour aller à la ligne
web-preview = Aperçu
web-reject = Arrêter l’agent
web-reject-ask = Arrêter l’agent ? Il termine son travail sans réponse.
web-keep-open = Garder ouverte
web-decline = Laisser l’agent décider
web-error = Erreur
web-error-summary = { $count ->
    [one] Une réponse pose problème
   *[other] { $count } réponses posent problème
}
web-sending = Envoi en cours
web-saved-offline = Enregistré. Sera envoyé une fois en ligne.
web-form-offline = Pas de connexion. Votre réponse est conservée ; envoyez-la de nouveau.
web-answered-by = Réponse de { $person } { $surface ->
    [terminal] dans le terminal
    [web] dans le navigateur
    [link] par un lien
    [cli] en ligne de commande
    [http] par HTTP
    [mcp] dans une boîte de dialogue
    [telegram] dans Telegram
    [slack] dans Slack
    [ntfy] par ntfy
    [push] dans une notification
    [email] par e-mail
    [command] par une commande
   *[system] par le système
}
web-rejected-by = Agent arrêté par { $person }
web-declined-by = Décision laissée à l’agent par { $person }
web-withdrawn = Retirée par l’agent
web-expired = Pas de réponse à { $time }. L’agent a continué sans réponse.
web-answer-anyway = Répondre quand même
web-bad-question = L’agent a envoyé une question impossible à afficher
web-too-late = Cette question est fermée. Votre réponse n’a pas été envoyée.
web-conflict = Déjà répondu par { $person }. Voici sa réponse.
for-recipient = pour { $recipient }
hand-on = Transmettre…
hand-on-to = Transmettre à { $person }
hand-on-unreachable = { $person } n’a aucun canal et ne reçoit aucun message, mais peut répondre dans le navigateur
handed-on-to = Transmise à { $to } par { $person }
handed-on-to-unnamed = Transmise à { $to }
web-hand-on-reason = Motif (facultatif)
web-handed-on = Transmise à { $person }
web-deadline = Ferme à { $time }
web-more-time = Plus de temps
web-deadline-kept = Plus d’échéance. La question reste ouverte jusqu’à votre réponse.
web-reply-to = Répondre à { $name }
web-composer-blocked = Répondez d’abord à la question ci-dessus
web-message = Message
web-send-message = Envoyer
web-stop = Arrêter
web-not-stopped = Pas arrêté : le serveur est injoignable. Appuyez de nouveau sur Arrêter quand la connexion est revenue.
web-offline = Vous êtes hors ligne. Votre message est conservé ici.
web-not-found = Cette question n’existe pas, ou son lien a expiré
web-no-conversation = Cette conversation n’existe pas, ou elle a été supprimée
web-conversations = Conversations
web-new-conversation = Nouvelle conversation
web-choose-app = Choisir une application
web-delete = Supprimer
web-delete-ask = Supprimer cette conversation et ses réponses ?
web-notify = M’avertir des questions
web-notify-on = Les notifications sont actives
web-notify-blocked = Votre navigateur bloque les notifications de cette page
web-notify-whom = Les questions de qui ?
web-language = Langue
web-theme = Thème
web-theme-auto = Comme le système
web-theme-light = Clair
web-theme-dark = Sombre
web-digits = Choisir avec les chiffres
web-link = Répondre sur un autre appareil
web-link-hint = Scannez le code ou ouvrez le lien. Il sert une fois, pour cette question seulement.
web-copy-link = Copier le lien
web-copied = Copié
web-skip-to-question = Aller à la question
web-answered = Répondu
web-answered-unnamed = Réponse donnée { $surface ->
    [terminal] dans le terminal
    [web] dans le navigateur
    [link] par un lien
    [cli] depuis la ligne de commande
    [http] par HTTP
    [mcp] depuis un client MCP
    [telegram] dans Telegram
    [slack] dans Slack
    [ntfy] par ntfy
    [push] dans une notification
    [email] par e-mail
    [command] par une commande
   *[system] par le système
}
web-refused = Accès refusé. Connectez-vous ou vérifiez le jeton.
web-type-own = Autre : saisissez-le ci-dessus
web-older = Afficher les messages précédents
web-your-name = Votre nom
web-link-until = Valable jusqu’à { $time }.
web-link-local = Cette adresse ne fonctionne que sur cet ordinateur. Pour votre téléphone, lancez le serveur avec { $command }.
web-late-lead = La question est fermée. Votre réponse sera envoyée à l’agent comme message.
web-late-text = Ma réponse tardive à « { $question } » : { $answer }
web-late-sent = Envoyée à l’agent comme message
web-agent-sent = Ce que l’agent a envoyé
web-agent-told = Ce que l’agent a reçu
web-undo-left = Annuler l’envoi ({ $seconds } s)
web-held = Envoyé. Vous pouvez encore annuler.
web-undone = Annulé. La question est de nouveau ouverte.
web-undone-elsewhere = Votre réponse a été annulée dans une autre fenêtre. La question est de nouveau ouverte.
web-open-again = Afficher la question
web-undo-late = Trop tard pour annuler : l’agent a la réponse
web-seconds = { $count } s
web-off = Aucun
web-deleted = Conversation supprimée
web-settings = Réglages
web-people = Personnes
web-people-alias = Nom court, comme anna
web-people-name = Nom
web-people-add = Ajouter
web-people-remove = Retirer { $person }
web-people-group = groupe de { $people }
web-people-on-call = d’astreinte : { $person }
web-sign-out = Se déconnecter
web-no-such-choice = « { $text } » ne fait pas partie des choix
web-not-sent = Votre réponse non envoyée
web-not-sent-yet = Pas encore envoyée
web-other-draft = Une autre fenêtre ou un autre appareil a enregistré un brouillon différent de cette réponse.
web-use-other-draft = Utiliser ce brouillon
web-keep-this-draft = Garder le brouillon affiché
web-next-question = Question suivante
web-stop-ask = Arrêter l’agent ? Les questions de ses sous-agents seront annulées.
web-now-answers = Ce message répond maintenant à « { $name } ». Envoyez à nouveau pour confirmer.
web-now-message = La question est fermée. Envoyez à nouveau pour envoyer ceci comme message.
inbox-reject-marked-confirm = Tout arrêter ({ $count })
web-details = Détails
web-more-waiting = { $count } de plus en attente
web-previous-question = Question précédente
web-close = Fermer
web-latest = Au plus récent
web-waiting-below = Attend votre réponse ci-dessous
web-after-answer = Ce que l’agent a fait ensuite
web-start-lead = Décrivez une tâche. L’agent vous interroge quand la décision vous revient.

inbox-search = Rechercher des questions
inbox-agent = Agent
inbox-all-agents = Tous les agents
inbox-sort = Ordre
inbox-sort-deadline = Échéance la plus proche d’abord
inbox-sort-oldest = Plus anciennes d’abord
inbox-sort-newest = Plus récentes d’abord
inbox-for-me = Pour moi
inbox-clear-filter = Effacer la recherche et le filtre
inbox-none-match = Aucune question ne correspond.
inbox-loading = Chargement des questions…
inbox-listed = { $count } sur { $all } affichées
inbox-position = { $index } sur { $count }
inbox-all = Toutes les questions
inbox-mark = Marquer { $name }
inbox-mark-all = Tout marquer
inbox-unmark = Effacer les marques
inbox-skipped = Passées : { $count }
inbox-snooze = Reporter
inbox-snooze-title = Reporter jusqu’à
inbox-snooze-hour = Dans une heure
inbox-snooze-evening = Ce soir
inbox-snooze-tomorrow = Demain matin
inbox-snooze-monday = Lundi matin
inbox-snooze-own = Un autre moment
inbox-snoozed-until = Reportée jusqu’à { $time }
inbox-undo-snooze = Annuler
inbox-show-snoozed = Reportées ({ $count })
inbox-hide-snoozed = Retour à la boîte de réception
inbox-last-words = { $agent } a écrit avant de demander
inbox-open-conversation = Ouvrir la conversation
inbox-keys = Touches
inbox-key-move = Question suivante ou précédente
inbox-key-open = Aller dans la question
inbox-key-choose = Choisir une réponse
inbox-key-skip = Passer, ou laisser l’agent décider
inbox-key-mark = Marquer pour agir sur plusieurs
inbox-key-undo = Annuler la dernière action
inbox-key-back = Retour à la liste, effacer les marques
web-more-conversations = Afficher plus
web-other-agents = Autres agents
web-no-other-agents = Aucun autre agent n’a encore posé de question. En connecter un : { $command }
inbox-empty-title = Tout est à jour
inbox-empty-lead = Quand un agent a besoin d’une décision, sa question apparaît ici d’elle-même.
inbox-empty-try = Essayez dans un terminal :
inbox-declined = Laissées aux agents : { $count }
inbox-failed = Échecs : { $count }
web-two-steps = Choisir d’abord, envoyer ensuite
web-undo-time = Délai d’annulation d’une réponse
answered-project = Projet
answered-all-projects = Tous les projets
answered-person = Répondu par
answered-everybody = Tout le monde
answered-outcome = Résultat
answered-all-outcomes = Tous les résultats
answered-no-answer = Sans réponse
answered-copy = Copier en Markdown
answered-none = Rien n’a encore reçu de réponse.
web-no-model = Aucun modèle n’est configuré : ici répond un script de démonstration. Pour un vrai agent, lancez le serveur avec { $command }.
inbox-empty-install = Connectez les agents de cet ordinateur :
inbox-agents-ready = Configurés sur cet ordinateur : { $agents }. Dites à un agent de vous poser une question.
web-not-now = Pas maintenant
web-phone = Sur votre téléphone
web-phone-scan = Scannez le code. Il connecte un navigateur, une fois.
web-too-early = C’était trop tôt et n’a rien fait. Appuyez encore.

### Channels

channel-waiting = Une question attend
channel-waiting-from = { $agent } a une question
channel-project = Projet : { $project }
channel-open = Ouvrir
channel-write = Écrire…
channel-next = Suivant
channel-back = Retour
channel-send = Envoyer
channel-undo = Annuler
channel-today = Aujourd’hui
channel-tomorrow = Demain
channel-in-a-week = Dans une semaine
channel-rest-at-link = La suite est derrière le lien.
channel-answer-at-link = Répondez à cette question derrière le lien.
channel-outcome-at = { $outcome }, { $time }
channel-sent = Envoyé : { $answer }
channel-sent-undo = Envoyé : { $answer }. Vous pouvez l’annuler pendant { $seconds } s.
channel-takes-effect = Prend effet à { $time }
channel-held-by = Réponse de { $person }. Elle prend effet dans { $seconds } s.
channel-changed = La question a changé. Regardez-la de nouveau.
channel-sent-plain = Envoyé.
channel-sent-undo-plain = Envoyé. Vous pouvez l’annuler pendant { $seconds } s.
channel-answer-elsewhere = Répondez à cette question dans le terminal ou dans le navigateur.
channel-help = Les questions arrivent ici avec des boutons. Pour répondre par écrit, répondez au message de la question.
channel-how-to-link = Pour recevoir des questions ici, envoyez le code affiché par cette commande : askback channel link
channel-text-only = Seul un texte saisi compte comme réponse. Écrivez-le en réponse à la question.
channel-not-allowed = Vous ne pouvez pas répondre à cette question.
channel-linked = Lié. Les questions pour { $name } arriveront ici.
channel-code-invalid = Ce code est faux ou a déjà servi. Un nouveau : askback channel link
channel-code-in-group = Écrivez-moi dans une discussion privée. D’autres ont vu ce code, il ne fonctionne donc plus. Un nouveau : askback channel link
channel-reply = Répondez à ce message avec votre réponse.
channel-use-fields = Ce message contient plusieurs questions. Remplissez ses champs et appuyez sur Envoyer.
channel-reply-at-review = Vérifiez vos réponses. Appuyez sur Envoyer, ou sur Retour pour modifier une réponse.
channel-text-added = Votre texte a été ajouté aux choix cochés. Regardez de nouveau la question et appuyez sur Envoyer.
channel-send-again = Sans réponse : { $names }. Pour envoyer quand même, appuyez encore sur Envoyer.
channel-leave-open = Sans réponse : { $names }. Répondez-y aussi, ou laissez-la ouverte avec { $example }
channel-reply-range = Répondez à ce message avec le premier et le dernier jour, par exemple { $example }
channel-reply-last-day = Le premier jour est { $start }. Répondez à ce message avec le dernier jour.
channel-reply-reason = Répondez à ce message avec le motif.
channel-superseded = Réponse donnée par un message
channel-not-sent = Non envoyé. Ouvrez la question ou réessayez.
channel-handed-on-by = { $person } vous a transmis cette question
channel-handed-on-by-unnamed = Transmise à vous
channel-still-open = Toujours ouverte : { $question }
channel-new-link = Le nouveau lien : { $link }
channel-still-open-until = Toujours ouverte : { $question }. Expire à { $time }.
channel-not-answered-by = { $person } n’a pas encore répondu
channel-also-sent-to = Pas encore de réponse. Envoyée aussi à { $person }
