### Shared

recommended = (מומלץ)
other = אחר
asks = שאלה מאת { $agent }
question-of = שאלה { $index } מתוך { $count }
question-count = { $count ->
    [one] שאלה אחת
    [two] שתי שאלות
   *[other] { $count } שאלות
}
select-several = יש לבחור את כל מה שמתאים
selected-count = נבחרו: { $count }
optional = לא חובה
note = הערה
from = מתאריך
to = עד תאריך
counter = { $used }/{ $max }
number-whole = מספר שלם
number-whole-range = מספר שלם מ־{ $min } עד { $max }
number-whole-min = מספר שלם, לפחות { $min }
number-whole-max = מספר שלם, לכל היותר { $max }
number-any = מספר
number-range = מספר מ־{ $min } עד { $max }
number-min = מספר, לפחות { $min }
number-max = מספר, לכל היותר { $max }
number-step = בקפיצות של { $step }
date-any = יום, למשל { $example }
date-between = מ־{ $min } עד { $max }
date-min = החל מ־{ $min }
date-max = עד { $max }
review = סקירה
review-lead = כדאי לבדוק את התשובות לפני השליחה
send-answers = שליחת התשובות
answer-skipped = דולגה
answer-open = ללא תשובה
answer-noted = { $answer } (הערה: { $note })
answer-range = { $start } עד { $end }
resolved-skipped = { $name }: דולגה
resolved-declined = { $name }: ההחלטה הושארה לסוכן
resolved-undeliverable = { $name }: לא הוצגה, איש לא יכול היה לענות
someone = מישהו
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: הסוכן נעצר
web-failed = זה לא הצליח. אפשר לנסות שוב.
age-now = ממש עכשיו
problem-empty = { $name }: נא לתת תשובה
assumption-marked = עד שתענה, הסוכן מניח: { $assumption }
agent-not-waiting = הסוכן אינו ממתין כרגע. הוא יקבל את התשובה כשישאל שוב.

### Program

handed-on-to-other = הועבר אל מישהו אחר
answer-confirm = לשלוח את התשובות האלה? y/n:
other-hint = אפשר להקליד תשובה משלך...
other-specify = נא לפרט:
unanswered-count = ללא תשובה: { $count }
day-count = { $count ->
    [one] יום אחד
    [two] יומיים
   *[other] { $count } ימים
}
date-long = { $weekday }, { $day } ב{ $month } { $year }
month-year = { $month } { $year }
answer-own = { $answer } (תשובה חופשית)
resolved-open = { $name }: ללא תשובה
resolved-superseded = { $name }: נענתה בהודעה
resolved-expired = { $name }: אין תשובה עד { $time }, הסוכן המשיך בלי תשובה
resolved-cancelled = { $name }: בוטלה
resolved-timed-out = { $name }: אין תשובה עד { $time }
resolved-withdrawn = { $name }: הסוכן משך את השאלה
resolved-elsewhere = { $line } — תשובה מאת { $person } { $surface ->
    [terminal] במסוף
    [web] בדפדפן
    [link] דרך קישור
    [cli] בשורת הפקודה
    [http] דרך HTTP
    [mcp] בתיבת דו־שיח
    [telegram] בטלגרם
    [slack] ב-Slack
    [ntfy] דרך ntfy
    [push] בהתראה
    [email] בדואר אלקטרוני
    [command] דרך פקודה
   *[system] מהמערכת
}
resolved-elsewhere-unnamed = { $line } — נענתה { $surface ->
    [terminal] במסוף
    [web] בדפדפן
    [link] דרך קישור
    [cli] משורת הפקודה
    [http] דרך HTTP
    [mcp] מלקוח MCP
    [telegram] בטלגרם
    [slack] ב-Slack
    [ntfy] דרך ntfy
    [push] בהתראה
    [email] בדואר אלקטרוני
    [command] דרך פקודה
   *[system] מהמערכת
}
question-unnamed = התשובה
problem-nothing-answered = אף שאלה לא נענתה: יש לענות על אחת לפחות, או להשאיר לסוכן להחליט
problem-not-an-object = התשובות צריכות להיות אובייקט JSON עם ערך לכל מזהה שאלה
problem-unknown-question = אין שאלה כזאת: אפשר להשתמש ב־{ $known }
problem-answered-twice = { $name }: נענתה פעמיים; יש לענות פעם אחת
problem-cannot-skip = { $name }: אי אפשר לדלג; יש לענות, או להשאיר לסוכן להחליט
problem-skipped-and-answered = { $name }: גם נענתה וגם דולגה; יש לבחור באחד מהשניים
problem-unknown-choice = { $name }: יש לבחור מבין האפשרויות: { $labels }
problem-ambiguous-choice = { $name }: לא ברור. נא להקליד את המספר ואת הטקסט: { $lines }
problem-one-choice-only = { $name }: אפשר לבחור רק באחת
problem-exclusive = { $name }: אי אפשר לשלב „{ $label }” עם אפשרויות אחרות
problem-wrong-type = { $name }: נדרש { $wants ->
    [choices] בחירה: `values`, ו־`own` לטקסט חופשי
    [number] מספר: `number`
    [date] יום: `date`, למשל 2027-03-27
    [date-range] טווח ימים: `start` ו־`end`
   *[text] טקסט: `text`
}
problem-too-short = { $name }: לפחות { $min } תווים
problem-too-long = { $name }: לכל היותר { $max } תווים
problem-note-too-long = ההערה על { $name }: לכל היותר { $max } תווים
problem-pattern-mismatch = { $name }: לא בתבנית המבוקשת
problem-too-small = { $name }: לפחות { $min }
problem-too-large = { $name }: לכל היותר { $max }
problem-out-of-range = { $name }: מ־{ $min } עד { $max }
problem-not-whole = { $name }: נא לכתוב מספר שלם
problem-not-on-step = { $name }: בקפיצות של { $step }
problem-not-a-number = { $name }: נא לכתוב מספר, למשל 3 או { $example }
problem-not-a-date = { $name }: נא לכתוב תאריך, למשל 2027-03-27
problem-too-early = { $name }: החל מ־{ $min }
problem-too-late = { $name }: עד { $max }
problem-end-before-start = { $name }: הסוף לא יכול להיות לפני ההתחלה
problem-of-field = { $field }: { $problem }
chat-title = שיחה עם { $agent }
chat-left = השיחה נשמרת. אפשר להמשיך עם { $command }
chat-connected = מחובר שוב
web-decline-effect = הסוכן יידע שלא בחרת דבר, וימשיך.
web-signed-out = כדי להיכנס יש לפתוח את הקישור ש־askback הציג במסוף, או להזין את האסימון של השרת
web-token = אסימון
web-sign-in = כניסה
web-token-wrong = זה לא האסימון של השרת הזה. יש להעתיק את האסימון במלואו ולנסות שוב.
web-code-used = הקישור הזה כבר נוצל או ישן מדי. לקישור חדש יש להריץ: askback phone
web-no-page = הדף הזה לא קיים
web-unavailable = השרת לא מצליח כרגע לגשת למסד הנתונים שלו.
web-nothing-lost = דבר לא אבד: כל השאלות וכל התשובות שנשלחו נשמרות.
web-retrying = הדף הזה מנסה שוב מעצמו.
web-try-again = לנסות שוב
web-copy-unsent = יש להעתיק אותה לפני שעוזבים את הדף.
web-today-is = ”היום“ כאן הוא { $date }.
web-not-answering = לא רוצים לענות?
web-skip-effect = הסוכן יידע שדילגת על השאלה הזו.
web-stop-effect = הסוכן יתבקש לעצור, בלי תשובה.
web-thanks-answered = { $named ->
    [yes] תודה, { $agent } ממשיך.
   *[no] תודה, הסוכן ממשיך.
}
web-thanks-declined = { $named ->
    [yes] תודה, { $agent } מחליט וממשיך.
   *[no] תודה, הסוכן מחליט וממשיך.
}
web-thanks-stopped = { $named ->
    [yes] { $agent } התבקש לעצור.
   *[no] הסוכן התבקש לעצור.
}
web-close-page = אפשר לסגור את הדף הזה.
web-link-expired = תוקף הקישור פג: { $time }.
web-link-changed = השאלה השתנתה מאז שנוצר הקישור.
web-link-ask-again = אפשר לבקש קישור חדש ממי ששלח אותו.
web-link-new = שליחת קישור חדש
web-link-new-sent = קישור חדש בדרך. הוא יגיע למקום שבו התקבל הקישור הזה.
web-link-new-recently = קישור חדש נשלח לפני פחות משעה. כדאי לחפש במקום שבו התקבל הקישור הזה.
form-first-day = היום הראשון
form-last-day = היום האחרון
form-skip = דלג על השאלה הזו
form-answer = תשובה
form-questions = שאלות בשבילך
form-left-open = השאלות האלה ללא תשובה. לשלוח בכל זאת?
form-send-anyway = שליחה בכל זאת
web-no-script = הדף הזה זקוק ל-JavaScript. כדי לענות בלעדיו יש לפתוח את /q/ ואחריו מזהה השאלה.
web-link-not-allowed = הקישור הזה לא מאפשר זאת. אפשר לחזור ולענות, או לשאול את מי ששלח את הקישור.

### Terminal

inbox-new-appear = שאלות חדשות מופיעות כאן מעצמן.
problem-empty-here = נא לענות על שאלה זו
hint-navigate = { $keys } תנועה
hint-select = { $keys } בחירה
hint-toggle = { $keys } סימון
hint-all = { $keys } הכול
hint-send = { $keys } שליחה
hint-next = { $keys } הבאה
hint-back = { $keys } חזרה
hint-skip = { $keys } דילוג
hint-note = { $keys } הערה
hint-preview = { $keys } תצוגה מקדימה
hint-leave = { $keys } יציאה…
hint-line = { $keys } שורה
hint-new-line = { $keys } שורה חדשה
hint-editor = { $keys } עורך
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } יום/שבוע
hint-month = { $keys } חודש
hint-year = { $keys } שנה
hint-today = { $keys } היום
hint-change = { $keys } שינוי
hint-choose = { $keys } בחירה
hint-back-to-question = { $keys } חזרה לשאלה
hint-back-to-list = { $keys } חזרה לרשימה
hint-type-to-filter = הקלדה מסננת
hint-type-answer = אפשר להקליד תשובה
hint-clear = { $keys } ניקוי
hint-close = { $keys } סגירה
hint-scroll = { $keys } גלילה
hint-keys = { $keys } כל המקשים
tiny-ok = { $keys } אישור
tiny-read = { $keys } קריאה
tiny-cancel = { $keys }…
leave-title = לעזוב את השאלה?
leave-keep = לענות אחר כך
leave-keep-effect = (השאלה נשארת פתוחה)
leave-quit = יציאה בלי תשובה
leave-quit-effect = (השאלה לא נשמרת)
leave-decline = שהסוכן יחליט
leave-decline-effect = (ממשיך בלי תשובה)
leave-stop = לעצור את הסוכן
leave-stop-effect = (הוא מסיים את עבודתו)
sure-decline = שהסוכן יחליט? הוא ממשיך בלי תשובה.
sure-stop = לעצור את הסוכן? הוא מסיים את עבודתו בלי תשובה.
leave-cancel = לבטל את השאלה
leave-cancel-effect = (הסקריפט לא מקבל תשובה)
sure-cancel = לבטל את השאלה? הסקריפט לא מקבל תשובה.
deadline-closing = נסגרת בעוד { $left } • כל מקש משאיר אותה פתוחה
deadline-fallback = אם איש לא יענה: הסוכן ימשיך בלי תשובה
deadline-over = הזמן תם, אבל השאלה פתוחה עד שהשרת יסגור אותה
shown-of = מוצגות { $shown } מתוך { $count }
more-rows = עוד { $count }
folded = { $count ->
    [one] שאלה אחת ממתינה
    [two] שתי שאלות ממתינות
   *[other] { $count } שאלות ממתינות
} • { $keys } לפתיחה • { $question }
help-title = מקשים
help-move = הזזת המיקוד
help-ends = שורה ראשונה ואחרונה
help-page = עמוד אחד
help-half-page = חצי עמוד
help-digit = בחירה והמשך
help-digit-several = סימון או ביטול סימון
help-digit-moves = מעבר לשורה עם המספר הזה
help-mark = סימון בלי להמשיך
help-toggle = סימון או ביטול סימון
help-confirm = בחירה והמשך
help-confirm-several = שליחת המסומנות; אם אין, סימון השורה
help-confirm-text = שליחה או המשך
help-yes = לענות כן
help-no = לענות לא
help-send = שליחת הכול
help-new-line = שורה חדשה
help-next-question = השאלה הבאה
help-previous-question = השאלה הקודמת
help-all = סימון הכול
help-invert = היפוך הסימון
help-filter = סינון האפשרויות
help-other = כתיבת תשובה חופשית
help-note = הוספת הערה
help-skip = דילוג על השאלה
help-review = סקירת כל התשובות
help-preview = תצוגה מקדימה
help-preview-scroll = גלילת התצוגה המקדימה
help-read = קריאה במלואה
help-fold = קיפול לשורה אחת
help-link = העתקת הקישור
help-share = קישור וקוד QR לטלפון
help-hand-on = העברה למישהו אחר
hand-on-nobody = אין אף אחד אחר בהגדרות.
notice-handed-on = הועברה
hint-share = { $keys } טלפון
hint-copy = { $keys } העתקה
share-title = מענה ממכשיר אחר
share-making = הקישור נוצר…
share-once = פועל פעם אחת, עד { $time }.
share-local = רק המחשב הזה יכול לפתוח אותו. לטלפון, יש להריץ askback serve --phone.
share-small = החלון קטן מדי בשביל קוד ה־QR.
notice-no-share = אין קישור: השאלה נשמרת רק עם --durable
help-undo = ביטול התשובה האחרונה
help-clear-marks = ניקוי כל הסימונים
help-help = הצגת כל המקשים
help-editor = פתיחת העורך
help-step = צעד אחד למעלה או למטה
help-step-ten = עשרה צעדים למעלה או למטה
help-day = יום אחד
help-week = שבוע אחד
help-month = חודש אחד
help-year = שנה אחת
help-today = היום
help-line-ends = תחילת השורה וסופה
help-caret = הזזת הסמן
help-erase = מחיקה
help-recall = ההודעות הקודמות שלכם
help-back = צעד אחורה, ואז תפריט העזיבה
help-detach = עזיבה, השאלה נשארת פתוחה
help-undo-change = ביטול השינוי האחרון
help-suspend = השהיה
help-repaint = ציור מחדש
notice-paste = אי אפשר להדביק כאן
notice-too-soon = מוקדם מדי: לא נקלט
notice-nothing-typed = נא להקליד תשובה, או { $keys } לדילוג
notice-number-only = מספרים בלבד
date-not-understood = זה לא תאריך. אפשר לנסות 2027-03-27 או { $tomorrow }
date-does-not-exist = { $day } ב{ $month } { $year } אינו קיים
date-day-does-not-exist = { $day } ב{ $month } אינו קיים
date-ambiguous = { $one } או { $other }? נא לכתוב כמו { $example }
date-is-period = איזה יום? אפשר לנסות ”בעוד 1 שבוע” או ”יום שישי”
number-ambiguous = { $grouped } או { $decimal }? נא לכתוב אחת משתי הצורות
notice-not-skippable = זו שאלת חובה. { $keys } עובר לשאלה הבאה
notice-yes-or-no = יש ללחוץ על y או n, או לעבור קודם לאפשרות
notice-read-on = יש לקרוא עד הסוף לפני שעונים
typed-label = הוקלד: { $text }
typed-label-ambiguous = { $text }: כמה אפשרויות מתחילות כך
typed-label-unknown = { $text }: אין אפשרות שמתחילה כך • { $keys } מוחק
typed-label-yes-or-no = { $text }: אפשר לענות { $yes } או { $no } • { $keys } מוחק
notice-no-preview = אין תצוגה מקדימה לאפשרות הזאת
notice-editor-missing = כדי לכתוב בעורך שלך יש להגדיר VISUAL או EDITOR
notice-editor-failed = העורך הסתיים בשגיאה; הטקסט לא השתנה
notice-link-copied = הקישור הועתק
notice-undone = בוטל. השאלה פתוחה שוב
elsewhere-undoable = עדיין אפשר לבטל אותה שם. אז השאלה תיפתח כאן שוב.
elsewhere-undo-left = נענתה במקום אחר. אפשר לבטל שם במשך { $seconds } שנ׳.
notice-too-late-to-undo = מאוחר מדי: התשובה כבר אצל הסוכן
notice-nothing-to-undo = אין מה לבטל
hint-undo-answer = { $keys }: ביטול ({ $seconds } שנ׳)
hint-send-now = { $keys } המשך
help-send-now = להמשיך עכשיו, בלי לחכות לסוף הזמן לביטול
undo-left = התשובה נשמרה. הסוכן יקבל אותה כשכבר אי אפשר לבטל אותה.
line-undo = לביטול, הקלידו u ו-Enter בתוך { $seconds } שנ׳. שורה ריקה ממשיכה:
detached = { $name }: נשארת פתוחה. אפשר לענות אחר כך עם { $command }
unsent-text = לא נשלח: { $text }
unsent-unreachable = לא נשלח: אין חיבור לשרת. השאלה נשארת פתוחה.
line-question = שאלה { $index } מתוך { $count } מאת { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, מומלץ.
line-choice-recommended-described = { $number }. { $label }, מומלץ. { $description }.
line-other = { $number }. { $other }: תשובה משלך.
line-prompt-one = נא להקליד 1 עד { $count }, או ? לעזרה:
line-prompt-several = נא להקליד מספרים מ־1 עד { $count } עם פסיקים ביניהם, או ? לעזרה:
line-prompt-text = נא להקליד תשובה, או ? לעזרה:
line-prompt-number = נא להקליד מספר, או ? לעזרה:
line-prompt-date = נא להקליד יום, למשל { $example }, או ? לעזרה:
line-prompt-start = היום הראשון, למשל { $example }, או ? לעזרה:
line-prompt-end = היום האחרון, או ? לעזרה:
line-prompt-other = תשובה משלך:
line-prompt-note = הערה, או שורה ריקה בלי הערה:
line-prompt-review = מספר לשינוי תשובה, או שורה ריקה לשליחה:
line-prompt-leave = נא להקליד 1 עד { $count }, או שורה ריקה לחזרה:
line-help = נא להקליד את מספר האפשרות.
line-help-several = נא להקליד את המספרים עם פסיקים ביניהם, למשל 1,3.
line-help-review = שורה ריקה שולחת את כל התשובות. מספר של שאלה משנה את התשובה שלה.
line-help-text = נא להקליד תשובה וללחוץ enter.
line-help-yes-no = נא להקליד y לכן, n ללא או את מספר האפשרות.
line-help-number = נא להקליד מספר וללחוץ enter.
line-help-date = נא להקליד תאריך וללחוץ enter, למשל 2027-03-27, יום שישי או בעוד שבועיים.
line-help-skip = ‎{ $keys } לדילוג על השאלה
line-help-back = ‎{ $keys } לחזרה
line-help-note = ‎{ $keys } להערה
line-help-leave = ‎{ $keys } ליציאה מהשאלה
line-help-help = ‎{ $keys } לעזרה הזאת
line-help-later = ‎{ $keys } להשאיר את השאלה לאחר כך ולעבור לבאה
line-help-list = ‎{ $keys } לחזרה לרשימה
line-chosen = נבחר: { $answer }.
line-chosen-sent = נבחר: { $answer }. נשלח.
line-skipped = דולגה.
line-sent = נשלח.
line-deadline = השאלה נסגרת ב־{ $time }. כל קלט משאיר אותה פתוחה.
line-not-understood = נא להקליד מספר מ־1 עד { $count }; שום דבר לא נבחר.
line-review-not-understood = לא הובן. שום דבר לא נשלח.
line-too-soon = זה הגיע מוקדם מדי אחרי השאלה ולא נקלט. נא להקליד שוב.
line-pasted = השורות שהודבקו לא נקלטו. נא להקליד את התשובה בשורה אחת.
line-pasted-kept = הודבקו כמה שורות. עדיין לא נשלח דבר.
line-pasted-message = הודבקו כמה שורות. enter שולח אותן כהודעה אחת; כל דבר אחר מחליף אותן:
line-nothing-typed = לא הוקלד דבר. ‎/s מדלג על השאלה.
line-prompt-yes-no = נא להקליד y לכן או n ללא, 1 עד { $count }, או ? לעזרה:
line-prompt-sure = נא להקליד כן לאישור, או שורה ריקה לחזרה:
line-so-far = התשובה עד כה: { $answer }. שורה ריקה משאירה אותה.
line-inbox-item = { $number }. { $name }, מאת { $agent }.
line-inbox-prompt = נא להקליד מספר של שאלה, שורה ריקה לראשונה, או ? לעזרה:
line-inbox-help = נא להקליד את מספר השאלה שעליה רוצים לענות. l להצגת הרשימה שוב, q ליציאה, ? לעזרה הזאת.
line-inbox-quit = נא להקליד q ליציאה:
pipe-waiting = { $count ->
    [one] שאלה אחת ממתינה
    [two] שתי שאלות ממתינות
   *[other] { $count } שאלות ממתינות
} ({ $id }, { $agent }: { $name })
pipe-no-terminal = אין מסוף אינטראקטיבי, שום דבר לא נענה
pipe-no-terminal-hint = יש להריץ במסוף. אם יש מסוף אבל הקלט מופנה, יש להוסיף --tty. כדי לשמור את השאלה ולענות עליה במקום אחר, יש להוסיף --durable.
pipe-answer = אפשר לענות עם  { $command }  או לפתוח את
chat-hint-send = { $keys } שליחה
chat-hint-stop = { $keys } עצירה
chat-hint-leave = { $keys } עזיבה
inbox-hint-open = { $keys } פתיחה
inbox-hint-move = { $keys } תנועה
inbox-hint-mark = { $keys } סימון
inbox-hint-reject = { $keys } לעצור את הסוכן
inbox-hint-skip = { $keys } דילוג
inbox-hint-snooze = { $keys } דחייה
inbox-hint-undo = { $keys } ביטול
inbox-undo = { $line } — { $keys }: ביטול ({ $seconds } שנ׳)
inbox-hint-quit = { $keys } יציאה
chat-busy = { $agent } עדיין בעבודה. ההודעה לא נשלחה; { $keys } פותח את התפריט.
chat-offered = enter ישלח את זה כתשובה
chat-question-first = נא לענות קודם על השאלה. ההודעה לא נשלחה.
chat-sending = שולח
chat-attempt = אין תשובה מספק המודל, ניסיון { $count } מתוך { $max }
chat-helpers = { $agent } ממתין לתת־סוכנים: { $count }
chat-menu-title = תפריט
chat-menu-stay = להישאר כאן
chat-menu-stop = לעצור את { $agent }
chat-menu-stop-effect = (השיחה נשארת)
chat-menu-leave = יציאה
chat-menu-leave-effect = (השיחה נשמרת)
chat-menu-earlier = שיחות קודמות
chat-menu-link = הצגת הקישור לדפדפן
chat-no-earlier = אין שיחות קודמות
chat-hint-menu = { $keys } תפריט
chat-error-overloaded = הספק עמוס. שליחת הודעה כלשהי מנסה שוב.
chat-error-network = אין גישה לספק. יש לבדוק את הרשת ואת --base-url ואז לשלוח הודעה כלשהי.
chat-error-refused = יש לבדוק את המפתח ואת המודל, להפעיל מחדש ולהמשיך בשיחה זו.
chat-error-rounds = הסוכן עשה יותר מדי צעדים בלי לסיים. שליחת הודעה כלשהי ממשיכה.
chat-error-other = שליחת הודעה כלשהי מנסה שוב.
chat-link = לפתיחה בדפדפן: { $link }
demo-hello = הראה לי מה askback יודע לעשות
demo-resumed = ברוך שובך: הכול נשאר כפי שהיה.
inbox-stop-marked = לעצור את הסוכנים של כל השאלות המסומנות ({ $count })? הם מסיימים את עבודתם בלי תשובה.
inbox-hint-decline = { $keys } שהסוכן יחליט
inbox-hint-answer = { $keys } תשובה
inbox-hint-yes = { $keys } כן
inbox-hint-no = { $keys } לא
inbox-hint-go-on = { $keys } המשך
inbox-how = לנסות במסוף אחר: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = יש להקיש { $keys } כדי לפתוח את השאלה
inbox-ended-here = לשאלה הזו כבר יש תשובה. { $keys } עובר לשאלה הבאה
inbox-more = { $count ->
    [one] עוד שאלה אחת
    [two] עוד שתי שאלות
   *[other] עוד { $count } שאלות
}
chat-stopped = נעצר. הודעה חדשה תמשיך.
inbox-next = הבאה: { $name }
inbox-gone = השאלה כבר לא פתוחה
inbox-draft = טיוטה

### Chat and inbox

chat-you = אני
chat-prompt = כתיבת הודעה
chat-thinking = { $agent }: חושב
chat-working = { $agent }: בשימוש { $tool }
chat-waiting = { $agent }: ממתין לתשובה שלך
chat-failed = { $agent } נכשל: { $reason }
chat-retry = { $reason }, ניסיון { $count } מתוך { $max }
chat-connecting = מתחבר
chat-connection-lost = החיבור אבד, מנסה שוב
inbox-title = נכנסות
inbox-count = { $count ->
    [0] אין שאלות ממתינות
    [one] שאלה אחת ממתינה
    [two] שתי שאלות ממתינות
   *[other] { $count } שאלות ממתינות
}
inbox-empty = אין שאלות ממתינות. שאלות חדשות מופיעות כאן מעצמן.
inbox-marked = סומנו: { $count }
inbox-decline-marked = שהסוכן יחליט בכל השאלות המסומנות ({ $count })? הסוכנים ממשיכים בלי תשובה.
inbox-skip-marked = לדלג על כל השאלות המסומנות ({ $count })?
inbox-skip-or-decline-marked = לדלג על השאלות המסומנות ({ $count })? היכן שאי אפשר, הסוכן מחליט וממשיך בלי תשובה.
inbox-reject-marked = { $count ->
    [one] לעצור את הסוכן של שאלה אחת?
    [two] לעצור את הסוכנים של שתי שאלות?
   *[other] לעצור את הסוכנים של { $count } שאלות?
}
inbox-arrived = { $count ->
    [one] שאלה חדשה
    [two] שתי שאלות חדשות
   *[other] { $count } שאלות חדשות
}

### Web

web-send = שליחת התשובה
web-next = הבאה
web-back = חזרה
web-skip = דילוג
web-edit = שינוי
web-own-answer = תשובה משלך
web-add-note = הוספת הערה
web-filter = סינון האפשרויות
web-choices-shown = אפשרויות מוצגות: { $count }
web-select-all = בחירת הכול
web-clear-selection = ניקוי הבחירה
web-selected-hidden = נבחרו: { $count }, לא מוצגים: { $hidden }
web-use-typed = להשתמש ב„{ $text }”
web-today = היום
web-tomorrow = מחר
web-next-monday = יום שני הבא
web-pick-date = בחירת תאריך
web-enter-sends = Enter לשליחה, Shift+Enter לשורה חדשה
web-preview = תצוגה מקדימה
web-reject = לעצור את הסוכן
web-reject-ask = לעצור את הסוכן? הוא מסיים את עבודתו בלי תשובה.
web-keep-open = להשאיר פתוחה
web-decline = שהסוכן יחליט
web-error = שגיאה
web-error-summary = { $count ->
    [one] יש בעיה בתשובה אחת
    [two] יש בעיות בשתי תשובות
   *[other] יש בעיות ב־{ $count } תשובות
}
web-sending = בשליחה
web-saved-offline = נשמר. יישלח כשיהיה חיבור.
web-form-offline = אין חיבור. התשובה נשמרה; יש לשלוח שוב.
web-answered-by = תשובה מאת { $person } { $surface ->
    [terminal] במסוף
    [web] בדפדפן
    [link] דרך קישור
    [cli] בשורת הפקודה
    [http] דרך HTTP
    [mcp] בתיבת דו־שיח
    [telegram] בטלגרם
    [slack] ב-Slack
    [ntfy] דרך ntfy
    [push] בהתראה
    [email] בדואר אלקטרוני
    [command] דרך פקודה
   *[system] מהמערכת
}
web-rejected-by = הסוכן נעצר בידי { $person }
web-declined-by = ההחלטה הושארה לסוכן בידי { $person }
web-withdrawn = הסוכן משך את השאלה
web-expired = אין תשובה עד { $time }. הסוכן המשיך בלי תשובה.
web-answer-anyway = לענות בכל זאת
web-bad-question = הסוכן שלח שאלה שאי אפשר להציג
web-too-late = השאלה סגורה. התשובה לא נשלחה.
web-conflict = התשובה הראשונה היא מאת { $person }. זו התשובה.
for-recipient = עבור { $recipient }
hand-on = העברה…
hand-on-to = העברה אל { $person }
hand-on-unreachable = אין ערוץ עבור { $person } ולא תישלח הודעה, אך אפשר לענות בדפדפן
handed-on-to = הועבר אל { $to } על ידי { $person }
handed-on-to-unnamed = הועבר אל { $to }
web-hand-on-reason = סיבה (לא חובה)
web-handed-on = הועבר אל { $person }
web-deadline = נסגרת ב־{ $time }
web-more-time = צריך עוד זמן
web-deadline-kept = אין עוד מועד אחרון. השאלה נשארת פתוחה עד שתענו.
web-reply-to = תשובה על { $name }
web-composer-blocked = יש לענות קודם על השאלה שלמעלה
web-message = הודעה
web-send-message = שליחה
web-stop = עצירה
web-not-stopped = לא נעצר: אין חיבור לשרת. יש לנסות שוב כשהחיבור יחזור.
web-offline = אין חיבור. ההודעה נשמרת כאן.
web-not-found = השאלה לא קיימת, או שתוקף הקישור פג
web-no-conversation = השיחה לא קיימת, או שנמחקה
web-conversations = שיחות
web-new-conversation = שיחה חדשה
web-choose-app = בחירת יישום
web-delete = מחיקה
web-delete-ask = למחוק את השיחה ואת התשובות?
web-notify = להודיע לי על שאלות
web-notify-on = ההתראות פועלות
web-notify-blocked = הדפדפן חוסם התראות מהדף הזה
web-notify-whom = שאלות של מי?
web-language = שפה
web-theme = ערכת צבעים
web-theme-auto = כמו המערכת
web-theme-light = בהירה
web-theme-dark = כהה
web-digits = בחירה במקשי הספרות
web-link = תשובה ממכשיר אחר
web-link-hint = אפשר לסרוק את הקוד או לפתוח את הקישור. הוא תקף פעם אחת, לשאלה הזאת בלבד.
web-copy-link = העתקת הקישור
web-copied = הועתק
web-skip-to-question = מעבר לשאלה
web-answered = נענתה
web-answered-unnamed = נענתה { $surface ->
    [terminal] במסוף
    [web] בדפדפן
    [link] דרך קישור
    [cli] משורת הפקודה
    [http] דרך HTTP
    [mcp] מלקוח MCP
    [telegram] בטלגרם
    [slack] ב-Slack
    [ntfy] דרך ntfy
    [push] בהתראה
    [email] בדואר אלקטרוני
    [command] דרך פקודה
   *[system] מהמערכת
}
web-refused = הגישה נדחתה. התחברו או בדקו את האסימון.
web-type-own = אחר: הקלידו למעלה
web-older = הצגת הודעות קודמות
web-your-name = השם שלך
web-link-until = בתוקף עד { $time }.
web-link-local = רק המחשב הזה יכול לפתוח את הכתובת. לטלפון, יש להפעיל את השרת עם { $command }.
web-late-lead = השאלה סגורה. התשובה תישלח לסוכן כהודעה.
web-late-text = תשובתי המאוחרת לשאלה ”{ $question }“: { $answer }
web-late-sent = נשלחה לסוכן כהודעה
web-agent-sent = מה שהסוכן שלח
web-agent-told = מה שהסוכן קיבל
web-undo-left = ביטול ({ $seconds } שנ׳)
web-held = נשלח. עדיין אפשר לבטל.
web-undone = בוטל. השאלה פתוחה שוב.
web-undone-elsewhere = התשובה שלך בוטלה בחלון אחר. השאלה פתוחה שוב.
web-open-again = הצגת השאלה
web-undo-late = מאוחר מדי לבטל: התשובה כבר אצל הסוכן
web-seconds = { $count } שנ׳
web-off = ללא
web-deleted = השיחה נמחקה
web-settings = הגדרות
web-people = אנשים
web-people-alias = שם קצר, למשל anna
web-people-name = שם
web-people-add = הוספה
web-people-remove = הסרת { $person }
web-people-group = קבוצה של { $people }
web-people-on-call = בכוננות: { $person }
web-sign-out = התנתקות
web-no-such-choice = „{ $text }” אינו אחת מהאפשרויות
web-not-sent = תשובתך שלא נשלחה
web-not-sent-yet = עדיין לא נשלח
web-other-draft = חלון אחר או מכשיר אחר שמר טיוטה שונה של תשובה זו.
web-use-other-draft = להשתמש בטיוטה הזו
web-keep-this-draft = להשאיר את הטיוטה כאן
web-next-question = השאלה הבאה
web-stop-ask = לעצור את הסוכן? השאלות של תתי-הסוכנים שלו יבוטלו.
web-now-answers = ההודעה הזו עונה עכשיו על „{ $name }”. לאישור יש לשלוח שוב.
web-now-message = השאלה נסגרה. יש לשלוח שוב כדי לשלוח זאת כהודעה.
inbox-reject-marked-confirm = לעצור את כולם ({ $count })
web-details = פרטים
web-more-waiting = ממתינות עוד: { $count }
web-previous-question = השאלה הקודמת
web-close = סגירה
web-latest = לחדש ביותר
web-waiting-below = ממתין לתשובתך למטה
web-after-answer = מה הסוכן עשה אחר כך
web-start-lead = תארו משימה. הסוכן ישאל כשההחלטה שלכם.

inbox-search = חיפוש בשאלות
inbox-agent = סוכן
inbox-all-agents = כל הסוכנים
inbox-sort = סדר
inbox-sort-deadline = המועד הקרוב תחילה
inbox-sort-oldest = הישנות תחילה
inbox-sort-newest = החדשות תחילה
inbox-for-me = בשבילי
inbox-clear-filter = ניקוי החיפוש והסינון
inbox-none-match = אין שאלה מתאימה.
inbox-loading = השאלות נטענות…
inbox-listed = מוצגות { $count } מתוך { $all }
inbox-position = { $index } מתוך { $count }
inbox-all = כל השאלות
inbox-mark = סימון { $name }
inbox-mark-all = סימון הכול
inbox-unmark = ניקוי הסימונים
inbox-skipped = דולגו: { $count }
inbox-snooze = דחייה
inbox-snooze-title = דחייה עד
inbox-snooze-hour = בעוד שעה
inbox-snooze-evening = הערב
inbox-snooze-tomorrow = מחר בבוקר
inbox-snooze-monday = ביום שני בבוקר
inbox-snooze-own = זמן אחר
inbox-snoozed-until = נדחתה עד { $time }
inbox-undo-snooze = ביטול
inbox-show-snoozed = נדחו ({ $count })
inbox-hide-snoozed = חזרה לנכנסות
inbox-last-words = מה ש{ $agent } כתב לפני השאלה
inbox-open-conversation = פתיחת השיחה
inbox-keys = מקשים
inbox-key-move = השאלה הבאה או הקודמת
inbox-key-open = כניסה לשאלה
inbox-key-choose = בחירת תשובה
inbox-key-skip = דילוג, או שהסוכן יחליט
inbox-key-mark = סימון לפעולה על כמה שאלות
inbox-key-undo = ביטול הפעולה האחרונה
inbox-key-back = חזרה לרשימה, ניקוי הסימונים
web-more-conversations = להציג עוד
web-other-agents = סוכנים אחרים
web-no-other-agents = אף סוכן אחר עוד לא שאל. לחיבור סוכן: { $command }
inbox-empty-title = אין שאלות ממתינות
inbox-empty-lead = כשסוכן צריך החלטה, השאלה שלו מופיעה כאן מעצמה.
inbox-empty-try = נסו במסוף:
inbox-declined = הושארו לסוכנים: { $count }
inbox-failed = נכשלו: { $count }
web-two-steps = קודם לבחור, אחר כך לשלוח
web-undo-time = זמן לביטול תשובה
answered-project = פרויקט
answered-all-projects = כל הפרויקטים
answered-person = נענה בידי
answered-everybody = כולם
answered-outcome = תוצאה
answered-all-outcomes = כל התוצאות
answered-no-answer = ללא תשובה
answered-copy = העתקה כ־Markdown
answered-none = עוד לא נענתה שום שאלה.
web-no-model = לא הוגדר מודל: כאן עונה תסריט הדגמה. לסוכן אמיתי, יש להפעיל את השרת עם { $command }.
inbox-empty-install = חברו את הסוכנים שבמחשב הזה:
inbox-agents-ready = מוגדרים במחשב הזה: { $agents }. אמרו לסוכן לשאול אתכם משהו.
web-not-now = לא עכשיו
web-phone = בטלפון
web-phone-scan = סרקו את הקוד. הוא מחבר דפדפן אחד, פעם אחת.
web-too-early = זה היה מוקדם מדי ולא פעל. לחצו שוב.

### Channels

channel-waiting = שאלה ממתינה
channel-waiting-from = ל-{ $agent } יש שאלה
channel-project = פרויקט: { $project }
channel-open = פתיחה
channel-write = כתיבה…
channel-next = הבא
channel-back = הקודם
channel-send = שליחה
channel-undo = ביטול
channel-today = היום
channel-tomorrow = מחר
channel-in-a-week = בעוד שבוע
channel-rest-at-link = ההמשך בקישור.
channel-answer-at-link = יש לענות על שאלה זו בקישור.
channel-outcome-at = { $outcome }, { $time }
channel-sent = נשלח: { $answer }
channel-sent-undo = נשלח: { $answer }. אפשר לבטל במשך { $seconds } שנ׳.
channel-takes-effect = ייכנס לתוקף ב-{ $time }
channel-held-by = { $person } השיב/ה. התשובה תיכנס לתוקף בעוד { $seconds } שנ׳.
channel-changed = השאלה השתנתה. יש לעיין בה שוב.
channel-sent-plain = נשלח.
channel-sent-undo-plain = נשלח. אפשר לבטל במשך { $seconds } שנ׳.
channel-answer-elsewhere = יש לענות על שאלה זו במסוף או בדפדפן.
channel-help = שאלות מגיעות לכאן עם לחצנים. כדי לענות במילים, יש להשיב להודעת השאלה.
channel-how-to-link = כדי לקבל כאן שאלות, יש לשלוח את הקוד שפקודה זו מציגה: askback channel link
channel-text-only = רק טקסט מוקלד מתקבל כתשובה. יש לכתוב אותו כתגובה לשאלה.
channel-not-allowed = אין לך אפשרות לענות על שאלה זו.
channel-linked = החשבון קושר. שאלות אל { $name } יגיעו לכאן.
channel-code-invalid = הקוד שגוי או שכבר נעשה בו שימוש. קוד חדש: askback channel link
channel-code-in-group = יש לכתוב לי בצ׳אט פרטי. אחרים ראו את הקוד הזה, ולכן הוא כבר לא פועל. קוד חדש: askback channel link
channel-reply = יש להשיב להודעה זו עם התשובה.
channel-use-fields = בהודעה זו יש כמה שאלות. יש למלא את השדות וללחוץ על ״שליחה״.
channel-reply-at-review = כאן בודקים את התשובות. יש ללחוץ על ״שליחה״, או על ״הקודם״ כדי לשנות תשובה.
channel-text-added = הטקסט נוסף לאפשרויות המסומנות. יש לעיין שוב בשאלה וללחוץ על ״שליחה״.
channel-send-again = ללא תשובה: { $names }. כדי לשלוח בכל זאת, יש ללחוץ שוב על ״שליחה״.
channel-leave-open = ללא תשובה: { $names }. יש לענות גם על כך, או להשאיר פתוח עם { $example }
channel-reply-range = יש להשיב להודעה זו עם היום הראשון והיום האחרון, למשל { $example }
channel-reply-last-day = היום הראשון הוא { $start }. יש להשיב להודעה זו עם היום האחרון.
channel-reply-reason = יש להשיב להודעה זו עם הסיבה.
channel-superseded = נענתה בהודעה
channel-not-sent = לא נשלח. פתחו את השאלה או נסו שוב.
channel-handed-on-by = השאלה הועברה אליך על ידי { $person }
channel-handed-on-by-unnamed = הועבר אליך
channel-still-open = עדיין פתוח: { $question }
channel-new-link = הקישור החדש: { $link }
channel-still-open-until = עדיין פתוח: { $question }. פג בשעה { $time }.
channel-not-answered-by = עדיין אין תשובה מאת { $person }
channel-also-sent-to = עדיין אין תשובה. נשלח גם אל { $person }
