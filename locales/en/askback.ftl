### Shared

recommended = (Recommended)
other = Other
asks = { $agent } asks
question-of = Question { $index } of { $count }
question-count = { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
select-several = Select all that apply
selected-count = { $count } selected
optional = optional
note = Note
from = From
to = To
counter = { $used }/{ $max }
number-whole = A whole number
number-whole-range = A whole number from { $min } to { $max }
number-whole-min = A whole number, { $min } or more
number-whole-max = A whole number, { $max } or fewer
number-any = A number
number-range = A number from { $min } to { $max }
number-min = A number, { $min } or more
number-max = A number, { $max } or fewer
number-step = in steps of { $step }
date-any = A date, such as { $example }
date-between = From { $min } to { $max }
date-min = { $min } or later
date-max = { $max } or earlier
review = Review
review-lead = Check your answers before they are sent
send-answers = Send answers
answer-skipped = skipped
answer-open = not answered
answer-noted = { $answer } (note: { $note })
answer-range = { $start } to { $end }
resolved-skipped = { $name }: skipped
resolved-declined = { $name }: decision left to the agent
resolved-undeliverable = { $name }: never shown, nobody could answer
someone = someone
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: agent stopped
web-failed = Something went wrong. Try again.
age-now = just now
problem-empty = { $name }: give an answer
assumption-marked = Until you answer, the agent assumes: { $assumption }
agent-not-waiting = The agent is not waiting right now. It gets the answer when it asks again.

### Program

handed-on-to-other = Handed on to somebody else
answer-confirm = Send these answers? y/n:
other-hint = Type your own answer...
other-specify = Please specify:
unanswered-count = { $count } unanswered
day-count = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
date-long = { $weekday } { $day } { $month } { $year }
month-year = { $month } { $year }
answer-own = { $answer } (own answer)
resolved-open = { $name }: not answered
resolved-superseded = { $name }: answered with a message
resolved-expired = { $name }: no answer by { $time }, agent continued without one
resolved-cancelled = { $name }: cancelled
resolved-timed-out = { $name }: no answer by { $time }
resolved-withdrawn = { $name }: withdrawn by the agent
resolved-elsewhere = { $line } — answered by { $person } { $surface ->
    [terminal] in the terminal
    [web] in the browser
    [link] through a link
    [cli] from the command line
    [http] over HTTP
    [mcp] in a dialog
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] through ntfy
    [push] in a notification
    [email] by e-mail
    [command] through a command
   *[system] by the system
}
resolved-elsewhere-unnamed = { $line } — answered { $surface ->
    [terminal] in the terminal
    [web] in the browser
    [link] through a link
    [cli] from the command line
    [http] over HTTP
    [mcp] from an MCP client
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] through ntfy
    [push] in a notification
    [email] by e-mail
    [command] through a command
   *[system] by the system
}
question-unnamed = The answer
problem-nothing-answered = No question was answered: answer at least one, or let the agent decide
problem-not-an-object = The answers must be a JSON object with one entry for each question id
problem-unknown-question = There is no such question: use { $known }
problem-answered-twice = { $name } is answered twice; answer it once
problem-cannot-skip = { $name } cannot be skipped; answer it, or let the agent decide
problem-skipped-and-answered = { $name } is both answered and skipped; do one of the two
problem-unknown-choice = { $name } must be one of the choices: { $labels }
problem-ambiguous-choice = { $name } is not clear: type the number and the label: { $lines }
problem-one-choice-only = { $name } takes one choice only
problem-exclusive = { $name } cannot combine “{ $label }” with other choices
problem-wrong-type = { $name } must be { $wants ->
    [choices] chosen: use `values`, and `own` for own text
    [number] a number: use `number`
    [date] a date: use `date`, such as 2027-03-27
    [date-range] a range of dates: use `start` and `end`
   *[text] text: use `text`
}
problem-too-short = { $name } must have { $min } characters or more
problem-too-long = { $name } must have { $max } characters or fewer
problem-note-too-long = The note on { $name } must have { $max } characters or fewer
problem-pattern-mismatch = { $name } does not have the requested format
problem-too-small = { $name } must be { $min } or more
problem-too-large = { $name } must be { $max } or fewer
problem-out-of-range = { $name } must be from { $min } to { $max }
problem-not-whole = { $name } must be a whole number
problem-not-on-step = { $name } must go in steps of { $step }
problem-not-a-number = { $name } must be a number, such as 3 or { $example }
problem-not-a-date = { $name } must be a date, such as 2027-03-27
problem-too-early = { $name } must be { $min } or later
problem-too-late = { $name } must be { $max } or earlier
problem-end-before-start = { $name } must not end before it begins
problem-of-field = { $field }: { $problem }
chat-title = Chat with { $agent }
chat-left = The conversation is saved. Continue with { $command }
chat-connected = Reconnected
web-decline-effect = The agent is told that you chose nothing, and goes on.
web-signed-out = To sign in, open the link that askback printed in the terminal, or enter the token of the server.
web-token = Token
web-sign-in = Sign in
web-token-wrong = This is not the token of this server. Copy the whole token and try again.
web-code-used = This link was used before, or is too old. For a new one, run: askback phone
web-no-page = This page does not exist
web-unavailable = The server cannot reach its database at the moment.
web-nothing-lost = Nothing is lost: every question and every answer that was sent is kept.
web-retrying = This page tries again by itself.
web-try-again = Try again
web-copy-unsent = Copy it before you leave this page.
web-today-is = “Today” means { $date } here.
web-not-answering = Not answering?
web-skip-effect = The agent is told that you skipped this question.
web-stop-effect = The agent is told to stop, without an answer.
web-thanks-answered = { $named ->
    [yes] Thanks, { $agent } goes on.
   *[no] Thanks, the agent goes on.
}
web-thanks-declined = { $named ->
    [yes] Thanks, { $agent } decides and goes on.
   *[no] Thanks, the agent decides and goes on.
}
web-thanks-stopped = { $named ->
    [yes] { $agent } was told to stop.
   *[no] The agent was told to stop.
}
web-close-page = You can close this page.
web-link-expired = This link expired: { $time }.
web-link-changed = The question has changed since this link was made.
web-link-ask-again = Ask the person who sent it to you for a new one.
web-link-new = Send me a new link
web-link-new-sent = A new link is on its way. It arrives where you got this one.
web-link-new-recently = You got a new link less than an hour ago. Look where you got this one.
form-first-day = First day
form-last-day = Last day
form-skip = Skip this question
form-answer = Answer
form-questions = Questions for you
form-left-open = These questions are not answered. Send anyway?
form-send-anyway = Send anyway
web-no-script = This page needs JavaScript. To answer a question without it, open /q/ followed by the id of the question.
web-link-not-allowed = This link does not allow that. Go back and answer, or ask the person who sent you the link.

### Terminal

inbox-new-appear = New questions appear here automatically.
problem-empty-here = Answer this question
hint-navigate = { $keys } navigate
hint-select = { $keys } select
hint-toggle = { $keys } toggle
hint-all = { $keys } all
hint-send = { $keys } send
hint-next = { $keys } next
hint-back = { $keys } back
hint-skip = { $keys } skip
hint-note = { $keys } note
hint-preview = { $keys } preview
hint-leave = { $keys } leave…
hint-line = { $keys } line
hint-new-line = { $keys } new line
hint-editor = { $keys } editor
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } day/week
hint-month = { $keys } month
hint-year = { $keys } year
hint-today = { $keys } today
hint-change = { $keys } change
hint-choose = { $keys } choose
hint-back-to-question = { $keys } back to the question
hint-back-to-list = { $keys } back to the list
hint-type-to-filter = type to filter
hint-type-answer = type your answer
hint-clear = { $keys } clear
hint-close = { $keys } close
hint-scroll = { $keys } scroll
hint-keys = { $keys } all keys
tiny-ok = { $keys }ok
tiny-read = { $keys } read
tiny-cancel = { $keys }…
leave-title = Leave this question?
leave-keep = Answer later
leave-keep-effect = (the question stays open)
leave-quit = Leave without answering
leave-quit-effect = (the question is not saved)
leave-decline = Let the agent decide
leave-decline-effect = (it continues without an answer)
leave-stop = Stop the agent
leave-stop-effect = (it stops working)
sure-decline = Let the agent decide? It continues without an answer.
sure-stop = Stop the agent? It stops without an answer.
leave-cancel = Cancel the question
leave-cancel-effect = (the script gets no answer)
sure-cancel = Cancel the question? The script gets no answer.
deadline-closing = closes in { $left } • any key keeps it open
deadline-fallback = If nobody answers, the agent continues without one
deadline-over = Time is up, but the question is open until the server closes it
shown-of = { $shown } of { $count } shown
more-rows = { $count } more
folded = { $count ->
    [one] { $count } question waiting
   *[other] { $count } questions waiting
} • { $keys } open • { $question }
help-title = Keys
help-move = move the focus
help-ends = first and last row
help-page = one page
help-half-page = half a page
help-digit = choose and continue
help-digit-several = select or deselect
help-digit-moves = move to the row with this number
help-mark = select without continuing
help-toggle = select or deselect
help-confirm = choose and continue
help-confirm-several = send the selection; with none, select the row
help-confirm-text = send or continue
help-yes = answer yes
help-no = answer no
help-send = send everything
help-new-line = new line
help-next-question = next question
help-previous-question = previous question
help-all = select all
help-invert = invert the selection
help-filter = filter the choices
help-other = write your own answer
help-note = add a note
help-skip = skip this question
help-review = review all answers
help-preview = preview the choice
help-preview-scroll = scroll the preview
help-read = read in full
help-fold = collapse to one line
help-link = copy the link
help-share = link and QR code for your phone
help-hand-on = hand on to somebody else
hand-on-nobody = The configuration names nobody else.
notice-handed-on = handed on
hint-share = { $keys } phone
hint-copy = { $keys } copy
share-title = Answer on another device
share-making = Creating a link…
share-once = It works once, until { $time }.
share-local = Only this computer can open it. To use a phone, run askback serve --phone.
share-small = This window is too small for the QR code.
notice-no-share = No link: the question is saved only with --durable
help-undo = undo the last answer
help-clear-marks = clear all marks
help-help = show all keys
help-editor = open your editor
help-step = one step up or down
help-step-ten = ten steps up or down
help-day = one day
help-week = one week
help-month = one month
help-year = one year
help-today = today
help-line-ends = start and end of the line
help-caret = move the caret
help-erase = erase
help-recall = your earlier messages
help-back = back, then the leave menu
help-detach = leave, the question stays open
help-undo-change = undo the last change
help-suspend = suspend
help-repaint = redraw
notice-paste = You cannot paste here
notice-too-soon = Too soon: key ignored
notice-nothing-typed = Type an answer, or press { $keys } to skip
notice-number-only = Numbers only
date-not-understood = Not a date. Try 2027-03-27 or { $tomorrow }
date-does-not-exist = { $day } { $month } { $year } does not exist
date-day-does-not-exist = { $day } { $month } does not exist
date-ambiguous = { $one } or { $other }? Type it as { $example }
date-is-period = Which day? Try “in 1 week” or “next friday”
number-ambiguous = { $grouped } or { $decimal }? Type one of these two
notice-not-skippable = This question is required. { $keys } goes to the next one
notice-yes-or-no = Press y or n, or move to a choice first
notice-read-on = Read on before you answer
typed-label = Typed: { $text }
typed-label-ambiguous = { $text }: several options start like this
typed-label-unknown = { $text }: no option starts like this • { $keys } clears it
typed-label-yes-or-no = { $text }: answer { $yes } or { $no } • { $keys } clears it
notice-no-preview = This choice has no preview
notice-editor-missing = Set VISUAL or EDITOR to use your editor
notice-editor-failed = The editor failed; your text is unchanged
notice-link-copied = Link copied
notice-undone = Undone. The question is open again
elsewhere-undoable = It can still be undone there. Then the question opens here again.
elsewhere-undo-left = Answered elsewhere. It can be undone there for { $seconds } s.
notice-too-late-to-undo = Too late to undo: the agent has the answer
notice-nothing-to-undo = There is nothing to undo
hint-undo-answer = { $keys }: undo ({ $seconds } s)
hint-send-now = { $keys } continue
help-send-now = continue now, without waiting for the end of the undo window
undo-left = Your answer is stored. The agent gets it when it can no longer be undone.
line-undo = To undo, type u and press enter within { $seconds } s. An empty line continues:
detached = { $name }: still open. Answer later with { $command }
unsent-text = Not sent: { $text }
unsent-unreachable = Not sent: the server cannot be reached. The question stays open.
line-question = Question { $index } of { $count } from { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, recommended.
line-choice-recommended-described = { $number }. { $label }, recommended. { $description }.
line-other = { $number }. { $other }: type your own answer.
line-prompt-one = Type 1 to { $count }, or ? for help:
line-prompt-several = Type numbers from 1 to { $count }, separated by commas, or ? for help:
line-prompt-text = Type your answer, or ? for help:
line-prompt-number = Type a number, or ? for help:
line-prompt-date = Type a date, such as { $example }, or ? for help:
line-prompt-start = First day, such as { $example }, or ? for help:
line-prompt-end = Last day, or ? for help:
line-prompt-other = Your own answer:
line-prompt-note = Your note, or an empty line for none:
line-prompt-review = Type a number to change an answer, or an empty line to send:
line-prompt-leave = Type 1 to { $count }, or an empty line to go back:
line-help = Type the number of a choice.
line-help-several = Type the numbers of your choices, separated by commas, such as 1,3.
line-help-review = An empty line sends all answers. The number of a question changes its answer.
line-help-text = Type your answer and press enter.
line-help-yes-no = Type y for yes, n for no, or the number of a choice.
line-help-number = Type a number and press enter.
line-help-date = Type a date and press enter, such as 2027-03-27, friday or in 2 weeks.
line-help-skip = { $keys } skips this question
line-help-back = { $keys } goes back
line-help-note = { $keys } adds a note
line-help-leave = { $keys } leaves the question
line-help-help = { $keys } shows this help
line-help-later = { $keys } postpones this question and goes to the next
line-help-list = { $keys } goes back to the list
line-chosen = Chosen: { $answer }.
line-chosen-sent = Chosen: { $answer }. Sent.
line-skipped = Skipped.
line-sent = Sent.
line-deadline = This question closes at { $time }. Type anything to keep it open.
line-not-understood = Nothing was chosen. Type a number from 1 to { $count }.
line-review-not-understood = Not understood. Nothing was sent.
line-too-soon = Ignored: it came too soon after the question. Type it again.
line-pasted = Pasted lines were ignored. Type your answer on one line.
line-pasted-kept = Several lines were pasted. Nothing was sent yet.
line-pasted-message = Several lines were pasted. Press enter to send them as one message, or type something else to replace them:
line-nothing-typed = Nothing was typed. /s skips this question.
line-prompt-yes-no = Type y or n, 1 to { $count }, or ? for help:
line-prompt-sure = Type yes to confirm, or an empty line to go back:
line-so-far = Your answer so far: { $answer }. An empty line keeps it.
line-inbox-item = { $number }. { $name }, from { $agent }.
line-inbox-prompt = Type a number to answer, an empty line for the first, or ? for help:
line-inbox-help = Type the number of the question you want to answer. l lists them again, q leaves, ? shows this help.
line-inbox-quit = Type q to leave:
pipe-waiting = { $count ->
    [one] { $count } question is waiting
   *[other] { $count } questions are waiting
} ({ $id }, { $agent }: { $name })
pipe-no-terminal = no interactive terminal, nothing was answered
pipe-no-terminal-hint = Run this at a terminal. If one is there but input is piped, add --tty. To store the question and answer it elsewhere, add --durable.
pipe-answer = answer with  { $command }  or open
chat-hint-send = { $keys } send
chat-hint-stop = { $keys } stop
chat-hint-leave = { $keys } leave
inbox-hint-open = { $keys } open
inbox-hint-move = { $keys } move
inbox-hint-mark = { $keys } mark
inbox-hint-reject = { $keys } stop agent
inbox-hint-skip = { $keys } skip
inbox-hint-snooze = { $keys } snooze
inbox-hint-undo = { $keys } undo
inbox-undo = { $line } — { $keys }: undo ({ $seconds } s)
inbox-hint-quit = { $keys } quit
chat-busy = { $agent } is still working. Your message was not sent; { $keys } opens the menu.
chat-offered = Press enter to send this as your answer
chat-question-first = Answer the question first. Your message was not sent.
chat-sending = Sending
chat-attempt = No reply from the model provider, retry { $count } of { $max }
chat-helpers = { $agent } is waiting for sub-agents: { $count }
chat-menu-title = Menu
chat-menu-stay = Stay here
chat-menu-stop = Stop { $agent }
chat-menu-stop-effect = (the conversation stays)
chat-menu-leave = Leave
chat-menu-leave-effect = (the conversation is saved)
chat-menu-earlier = Earlier conversations
chat-menu-link = Show the link for the browser
chat-no-earlier = No earlier conversations
chat-hint-menu = { $keys } menu
chat-error-overloaded = The provider is busy. Send any message to retry.
chat-error-network = Cannot reach the provider. Check the network and --base-url, then send any message to retry.
chat-error-refused = Check the key and the model, restart, and continue this conversation.
chat-error-rounds = The agent took too many steps without finishing. Send any message to let it continue.
chat-error-other = Send any message to retry.
chat-link = Open in a browser: { $link }
demo-hello = Show me what askback can do
demo-resumed = Welcome back. Everything is where you left it.
inbox-stop-marked = Stop the agents of all marked questions ({ $count })? They stop without an answer.
inbox-hint-decline = { $keys } let agent decide
inbox-hint-answer = { $keys } answer
inbox-hint-yes = { $keys } yes
inbox-hint-no = { $keys } no
inbox-hint-go-on = { $keys } continue
inbox-how = Try it in another terminal: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = Press { $keys } to open this question
inbox-ended-here = This question has been answered. { $keys } goes to the next one
inbox-more = { $count ->
    [one] { $count } more question
   *[other] { $count } more questions
}
chat-stopped = Stopped. Write a message to continue.
inbox-next = Next: { $name }
inbox-gone = This question is no longer open
inbox-draft = draft

### Chat and inbox

chat-you = you
chat-prompt = Write a message
chat-thinking = { $agent } is thinking
chat-working = { $agent } is using { $tool }
chat-waiting = { $agent } is waiting for your answer
chat-failed = { $agent } failed: { $reason }
chat-retry = { $reason }, retry { $count } of { $max }
chat-connecting = Connecting
chat-connection-lost = Connection lost, reconnecting
inbox-title = Inbox
inbox-count = { $count ->
    [0] No questions waiting
    [one] { $count } question waiting
   *[other] { $count } questions waiting
}
inbox-empty = No questions waiting. New questions appear here automatically.
inbox-marked = { $count } marked
inbox-decline-marked = Let the agents decide on all marked questions ({ $count })? They continue without an answer.
inbox-skip-marked = Skip all marked questions ({ $count })?
inbox-skip-or-decline-marked = Skip the marked questions ({ $count })? Where that is not possible, the agents decide and continue without an answer.
inbox-reject-marked = { $count ->
    [one] Stop the agent of { $count } question?
   *[other] Stop the agents of { $count } questions?
}
inbox-arrived = { $count ->
    [one] { $count } new question
   *[other] { $count } new questions
}

### Web

web-send = Send answer
web-next = Next
web-back = Back
web-skip = Skip
web-edit = Change
web-own-answer = Your own answer
web-add-note = Add a note
web-filter = Filter choices
web-choices-shown = { $count ->
    [one] { $count } choice shown
   *[other] { $count } choices shown
}
web-select-all = Select all
web-clear-selection = Clear selection
web-selected-hidden = { $count } selected, { $hidden } not shown
web-use-typed = Use “{ $text }”
web-today = Today
web-tomorrow = Tomorrow
web-next-monday = Next Monday
web-pick-date = Pick a date
web-enter-sends = Enter to send, Shift+Enter for a new line
web-preview = Preview
web-reject = Stop the agent
web-reject-ask = Stop the agent? It stops without an answer.
web-keep-open = Keep open
web-decline = Let the agent decide
web-error = Error
web-error-summary = { $count ->
    [one] There is a problem with one answer
   *[other] There are problems with { $count } answers
}
web-sending = Sending
web-saved-offline = Saved. It will be sent when you are online.
web-form-offline = No connection. Your answer is kept; press Send again.
web-answered-by = Answered by { $person } { $surface ->
    [terminal] in the terminal
    [web] in the browser
    [link] through a link
    [cli] from the command line
    [http] over HTTP
    [mcp] in a dialog
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] through ntfy
    [push] in a notification
    [email] by e-mail
    [command] through a command
   *[system] by the system
}
web-rejected-by = Agent stopped by { $person }
web-declined-by = Decision left to the agent by { $person }
web-withdrawn = Withdrawn by the agent
web-expired = No answer by { $time }. The agent continued without one.
web-answer-anyway = Answer anyway
web-bad-question = The agent sent a question that cannot be shown
web-too-late = This question is closed. Your answer was not sent.
web-conflict = Already answered by { $person }. This is their answer.
for-recipient = for { $recipient }
hand-on = Hand on…
hand-on-to = Hand on to { $person }
hand-on-unreachable = { $person } has no channel and gets no message, but can answer in the browser
handed-on-to = Handed on to { $to } by { $person }
handed-on-to-unnamed = Handed on to { $to }
web-hand-on-reason = Reason (optional)
web-handed-on = Handed on to { $person }
web-deadline = Closes at { $time }
web-more-time = Give me more time
web-deadline-kept = No deadline any more. The question stays open until you answer.
web-reply-to = Reply to { $name }
web-composer-blocked = Answer the question above first
web-message = Message
web-send-message = Send
web-stop = Stop
web-not-stopped = Not stopped: the server cannot be reached. Press Stop again when the connection is back.
web-offline = You are offline. Your message is saved here.
web-not-found = This question does not exist, or its link has expired
web-no-conversation = This conversation does not exist, or it was deleted
web-conversations = Conversations
web-new-conversation = New conversation
web-choose-app = Choose an app
web-delete = Delete
web-delete-ask = Delete this conversation and its answers?
web-notify = Notify me about questions
web-notify-on = Notifications are on
web-notify-blocked = Your browser blocks notifications for this page
web-notify-whom = Whose questions?
web-language = Language
web-theme = Theme
web-theme-auto = Same as system
web-theme-light = Light
web-theme-dark = Dark
web-digits = Choose with number keys
web-link = Answer on another device
web-link-hint = Scan the code or open the link. It works once, for this question only.
web-copy-link = Copy link
web-copied = Copied
web-skip-to-question = Skip to the question
web-answered = Answered
web-answered-unnamed = Answered { $surface ->
    [terminal] in the terminal
    [web] in the browser
    [link] through a link
    [cli] from the command line
    [http] over HTTP
    [mcp] from an MCP client
    [telegram] in Telegram
    [slack] in Slack
    [ntfy] through ntfy
    [push] in a notification
    [email] by e-mail
    [command] through a command
   *[system] by the system
}
web-refused = Access denied. Sign in, or check the token.
web-type-own = Other: type it above
web-older = Show earlier messages
web-your-name = Your name
web-link-until = Valid until { $time }.
web-link-local = Only this computer can open this address. For your phone, start the server with { $command }.
web-late-lead = The question is closed. Your answer will be sent to the agent as a message.
web-late-text = My late answer to “{ $question }”: { $answer }
web-late-sent = Sent to the agent as a message
web-agent-sent = What the agent sent
web-agent-told = What the agent received
web-undo-left = Undo ({ $seconds } s)
web-held = Sent. You can still undo it.
web-undone = Undone. The question is open again.
web-undone-elsewhere = Your answer was undone in another window. The question is open again.
web-open-again = Show the question
web-undo-late = Too late to undo: the agent has the answer
web-seconds = { $count } s
web-off = Off
web-deleted = Conversation deleted
web-settings = Settings
web-people = People
web-people-alias = Short name, such as anna
web-people-name = Name
web-people-add = Add
web-people-remove = Remove { $person }
web-people-group = group of { $people }
web-people-on-call = on call: { $person }
web-sign-out = Sign out
web-no-such-choice = “{ $text }” is not one of the choices
web-not-sent = Your answer that was not sent
web-not-sent-yet = Not sent yet
web-other-draft = Another window or device saved a different draft of this answer.
web-use-other-draft = Use that draft
web-keep-this-draft = Keep the draft here
web-next-question = Next question
web-stop-ask = Stop the agent? The questions of its sub-agents will be cancelled.
web-now-answers = This message now answers “{ $name }”. Send again to confirm.
web-now-message = The question is closed. Send again to send this as a message.
inbox-reject-marked-confirm = Stop all ({ $count })
web-details = Details
web-more-waiting = { $count } more waiting
web-previous-question = Previous question
web-close = Close
web-latest = Latest
web-waiting-below = Waiting for your answer below
web-after-answer = What the agent did next
web-start-lead = Describe a task. The agent asks you when a decision is yours.

inbox-search = Search questions
inbox-agent = Agent
inbox-all-agents = All agents
inbox-sort = Order
inbox-sort-deadline = Deadline first
inbox-sort-oldest = Oldest first
inbox-sort-newest = Newest first
inbox-for-me = For me
inbox-clear-filter = Clear search and filter
inbox-none-match = No question matches.
inbox-loading = Loading questions…
inbox-listed = { $count } of { $all } shown
inbox-position = { $index } of { $count }
inbox-all = All questions
inbox-mark = Mark { $name }
inbox-mark-all = Mark all
inbox-unmark = Clear marks
inbox-skipped = Skipped: { $count }
inbox-snooze = Snooze
inbox-snooze-title = Snooze until
inbox-snooze-hour = In one hour
inbox-snooze-evening = This evening
inbox-snooze-tomorrow = Tomorrow morning
inbox-snooze-monday = Monday morning
inbox-snooze-own = Another time
inbox-snoozed-until = Snoozed until { $time }
inbox-undo-snooze = Undo
inbox-show-snoozed = Snoozed ({ $count })
inbox-hide-snoozed = Back to the inbox
inbox-last-words = { $agent } wrote before asking
inbox-open-conversation = Open conversation
inbox-keys = Keys
inbox-key-move = Next or previous question
inbox-key-open = Go into the question
inbox-key-choose = Choose an answer
inbox-key-skip = Skip, or let the agent decide
inbox-key-mark = Mark for an action on several
inbox-key-undo = Undo the last action
inbox-key-back = Back to the list, clear marks
web-more-conversations = Show more
web-other-agents = Other agents
web-no-other-agents = No other agent has asked yet. Connect one: { $command }
inbox-empty-title = All caught up
inbox-empty-lead = When an agent needs a decision, its question appears here by itself.
inbox-empty-try = Try it in a terminal:
inbox-declined = Left to the agents: { $count }
inbox-failed = Failed: { $count }
web-two-steps = Choose first, then press Send
web-undo-time = Time to undo an answer
answered-project = Project
answered-all-projects = All projects
answered-person = Answered by
answered-everybody = Everybody
answered-outcome = Outcome
answered-all-outcomes = All outcomes
answered-no-answer = No answer
answered-copy = Copy as Markdown
answered-none = Nothing was answered yet.
web-no-model = No model is set up: here a demo script replies. For a real agent, start the server with { $command }.
inbox-empty-install = Connect the agents on this computer:
inbox-agents-ready = Set up on this computer: { $agents }. Tell an agent to ask you something.
web-not-now = Not now
web-phone = On your phone
web-phone-scan = Scan the code. It signs in one browser, once.
web-too-early = That was too early and did nothing. Press again.

### Channels

channel-waiting = A question is waiting
channel-waiting-from = { $agent } has a question
channel-project = Project: { $project }
channel-open = Open
channel-write = Write…
channel-next = Next
channel-back = Back
channel-send = Send
channel-undo = Undo
channel-today = Today
channel-tomorrow = Tomorrow
channel-in-a-week = In a week
channel-rest-at-link = The rest is behind the link.
channel-answer-at-link = Answer this question behind the link.
channel-outcome-at = { $outcome }, { $time }
channel-sent = Sent: { $answer }
channel-sent-undo = Sent: { $answer }. You can undo it for { $seconds } s.
channel-takes-effect = Takes effect at { $time }
channel-held-by = Answered by { $person }. The answer takes effect in { $seconds } s.
channel-changed = The question has changed. Look at it again.
channel-sent-plain = Sent.
channel-sent-undo-plain = Sent. You can undo it for { $seconds } s.
channel-answer-elsewhere = Answer this question in the terminal or in the browser.
channel-help = Questions arrive here with buttons. To answer one in words, reply to its message.
channel-how-to-link = To get questions here, send the code that this command prints: askback channel link
channel-text-only = Only a typed text is taken as an answer. Write it as a reply to the question.
channel-not-allowed = You cannot answer this question.
channel-linked = Linked. Questions for { $name } will arrive here.
channel-code-invalid = This code is wrong, or was used before. A new one: askback channel link
channel-code-in-group = Write to me in a private chat. Others have seen this code, so it does not work any more. A new one: askback channel link
channel-reply = Reply to this message with your answer.
channel-use-fields = This message has several questions. Fill in its fields and press Send.
channel-reply-at-review = Here the answers are reviewed. Press Send, or Back to change an answer.
channel-text-added = Your text was added to the ticked choices. Look at the question again and press Send.
channel-send-again = Not answered: { $names }. To send it anyway, press Send again.
channel-leave-open = Not answered: { $names }. Answer it too, or leave it open with { $example }
channel-reply-range = Reply to this message with the first and the last day, such as { $example }
channel-reply-last-day = The first day is { $start }. Reply to this message with the last day.
channel-reply-reason = Reply to this message with the reason.
channel-superseded = Answered with a message
channel-not-sent = Not sent. Open the question, or try again.
channel-handed-on-by = { $person } handed this on to you
channel-handed-on-by-unnamed = Handed on to you
channel-still-open = Still open: { $question }
channel-new-link = The new link: { $link }
channel-still-open-until = Still open: { $question }. Expires at { $time }.
channel-not-answered-by = { $person } has not answered yet
channel-also-sent-to = Not answered yet. Also sent to { $person }
