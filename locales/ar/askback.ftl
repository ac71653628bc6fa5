### Shared

recommended = (موصى به)
other = غير ذلك
asks = سؤال من { $agent }
question-of = السؤال { $index } من { $count }
question-count = { $count ->
    [zero] لا أسئلة
    [one] سؤال واحد
    [two] سؤالان
    [few] { $count } أسئلة
    [many] { $count } سؤالًا
   *[other] { $count } سؤال
}
select-several = اختر كل ما ينطبق
selected-count = المحدد: { $count }
optional = اختياري
note = ملاحظة
from = من
to = إلى
counter = { $used }/{ $max }
number-whole = عدد صحيح
number-whole-range = عدد صحيح من { $min } إلى { $max }
number-whole-min = عدد صحيح لا يقل عن { $min }
number-whole-max = عدد صحيح لا يزيد على { $max }
number-any = عدد
number-range = عدد من { $min } إلى { $max }
number-min = عدد لا يقل عن { $min }
number-max = عدد لا يزيد على { $max }
number-step = بخطوات مقدارها { $step }
date-any = يوم، مثل { $example }
date-between = من { $min } إلى { $max }
date-min = ابتداءً من { $min }
date-max = حتى { $max }
review = المراجعة
review-lead = راجع إجاباتك قبل إرسالها
send-answers = إرسال الإجابات
answer-skipped = تم التخطي
answer-open = بلا إجابة
answer-noted = { $answer } (ملاحظة: { $note })
answer-range = من { $start } إلى { $end }
resolved-skipped = { $name }: تم التخطي
resolved-declined = { $name }: تُرك القرار للوكيل
resolved-undeliverable = { $name }: لم يُعرض ولم يتمكن أحد من الإجابة
someone = شخص ما
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: توقف الوكيل
web-failed = لم ينجح ذلك. حاول مرة أخرى.
age-now = الآن
problem-empty = { $name }: أدخل إجابة
assumption-marked = إلى أن تجيب، يفترض الوكيل: { $assumption }
agent-not-waiting = الوكيل لا ينتظر الآن. سيحصل على الإجابة عندما يسأل مجددًا.

### Program

handed-on-to-other = أُحيل إلى شخص آخر
answer-confirm = هل تُرسل هذه الإجابات؟ y/n:
other-hint = اكتب إجابتك...
other-specify = يُرجى التحديد:
unanswered-count = بلا إجابة: { $count }
day-count = { $count ->
    [zero] صفر يوم
    [one] يوم واحد
    [two] يومان
    [few] { $count } أيام
    [many] { $count } يومًا
   *[other] { $count } يوم
}
date-long = { $weekday } { $day } { $month } { $year }
month-year = { $month } { $year }
answer-own = { $answer } (إجابة خاصة)
resolved-open = { $name }: بلا إجابة
resolved-superseded = { $name }: أُجيب برسالة
resolved-expired = { $name }: لا إجابة حتى { $time }، تابع الوكيل دون إجابة
resolved-cancelled = { $name }: أُلغي
resolved-timed-out = { $name }: لا إجابة حتى { $time }
resolved-withdrawn = { $name }: سحبه الوكيل
resolved-elsewhere = { $line } — أجاب { $person } { $surface ->
    [terminal] في الطرفية
    [web] في المتصفح
    [link] عبر رابط
    [cli] من سطر الأوامر
    [http] عبر HTTP
    [mcp] في مربع حوار
    [telegram] عبر Telegram
    [slack] عبر Slack
    [ntfy] عبر ntfy
    [push] عبر إشعار
    [email] عبر البريد
    [command] عبر أمر
   *[system] من النظام
}
resolved-elsewhere-unnamed = { $line } — تمت الإجابة { $surface ->
    [terminal] في الطرفية
    [web] في المتصفح
    [link] عبر رابط
    [cli] من سطر الأوامر
    [http] عبر HTTP
    [mcp] في عميل MCP
    [telegram] عبر Telegram
    [slack] عبر Slack
    [ntfy] عبر ntfy
    [push] عبر إشعار
    [email] عبر البريد
    [command] عبر أمر
   *[system] من النظام
}
question-unnamed = الإجابة
problem-nothing-answered = لم تُجب عن أي سؤال: أجب عن سؤال واحد على الأقل أو اترك القرار للوكيل
problem-not-an-object = يجب أن تكون الإجابات كائن JSON فيه مدخل لكل معرّف سؤال
problem-unknown-question = لا يوجد سؤال كهذا: استخدم { $known }
problem-answered-twice = { $name }: أُجيب مرتين؛ أجب مرة واحدة
problem-cannot-skip = { $name }: لا يمكن تخطيه؛ أجب عنه أو اترك القرار للوكيل
problem-skipped-and-answered = { $name }: أُجيب وتُخطي معًا؛ اختر أحدهما
problem-unknown-choice = { $name }: اختر من الخيارات: { $labels }
problem-ambiguous-choice = { $name }: غير واضح. اكتب الرقم والنص: { $lines }
problem-one-choice-only = { $name }: خيار واحد فقط
problem-exclusive = { $name }: لا يمكن الجمع بين «{ $label }» وخيارات أخرى
problem-wrong-type = { $name }: المطلوب { $wants ->
    [choices] اختيار: استخدم `values` و`own` للنص الخاص
    [number] عدد: استخدم `number`
    [date] يوم: استخدم `date`، مثل 2027-03-27
    [date-range] فترة: استخدم `start` و`end`
   *[text] نص: استخدم `text`
}
problem-too-short = { $name }: عدد الأحرف لا يقل عن { $min }
problem-too-long = { $name }: عدد الأحرف لا يزيد على { $max }
problem-note-too-long = ملاحظة { $name }: عدد الأحرف لا يزيد على { $max }
problem-pattern-mismatch = { $name }: ليس بالتنسيق المطلوب
problem-too-small = { $name }: القيمة لا تقل عن { $min }
problem-too-large = { $name }: القيمة لا تزيد على { $max }
problem-out-of-range = { $name }: من { $min } إلى { $max }
problem-not-whole = { $name }: أدخل عددًا صحيحًا
problem-not-on-step = { $name }: بخطوات مقدارها { $step }
problem-not-a-number = { $name }: أدخل عددًا، مثل 3 أو { $example }
problem-not-a-date = { $name }: أدخل تاريخًا، مثل 2027-03-27
problem-too-early = { $name }: ابتداءً من { $min }
problem-too-late = { $name }: حتى { $max }
problem-end-before-start = { $name }: يجب ألا تسبق النهاية البداية
problem-of-field = { $field }: { $problem }
chat-title = محادثة مع { $agent }
chat-left = المحادثة محفوظة. تابع بالأمر { $command }
chat-connected = عاد الاتصال
web-decline-effect = يُبلَّغ الوكيل بأنك لم تختر شيئًا، ويتابع.
web-signed-out = لتسجيل الدخول افتح الرابط الذي عرضه askback في الطرفية، أو أدخل رمز الخادم
web-token = رمز الخادم
web-sign-in = تسجيل الدخول
web-token-wrong = هذا ليس رمز هذا الخادم. انسخ الرمز كاملًا وحاول مرة أخرى.
web-code-used = استُخدم هذا الرابط من قبل أو أصبح قديمًا. للحصول على رابط جديد شغِّل: askback phone
web-no-page = هذه الصفحة غير موجودة
web-unavailable = لا يستطيع الخادم الوصول إلى قاعدة بياناته الآن.
web-nothing-lost = لم يُفقد شيء: كل الأسئلة وكل الإجابات المرسلة محفوظة.
web-retrying = تعيد هذه الصفحة المحاولة تلقائيًا.
web-try-again = إعادة المحاولة
web-copy-unsent = انسخها قبل مغادرة هذه الصفحة.
web-today-is = «اليوم» هنا هو { $date }.
web-not-answering = لا تريد الإجابة؟
web-skip-effect = يُبلَّغ الوكيل بأنك تخطيت هذا السؤال.
web-stop-effect = يُطلب من الوكيل التوقف دون إجابة.
web-thanks-answered = { $named ->
    [yes] شكرًا، يتابع { $agent } العمل.
   *[no] شكرًا، يتابع الوكيل العمل.
}
web-thanks-declined = { $named ->
    [yes] شكرًا، يقرر { $agent } ويتابع العمل.
   *[no] شكرًا، يقرر الوكيل ويتابع العمل.
}
web-thanks-stopped = { $named ->
    [yes] طُلب من { $agent } التوقف.
   *[no] طُلب من الوكيل التوقف.
}
web-close-page = يمكنك إغلاق هذه الصفحة.
web-link-expired = انتهت صلاحية هذا الرابط: { $time }.
web-link-changed = تغيّر السؤال بعد إنشاء هذا الرابط.
web-link-ask-again = اطلب رابطًا جديدًا ممن أرسله إليك.
web-link-new = أرسل لي رابطًا جديدًا
web-link-new-sent = رابط جديد في الطريق. سيصل إلى حيث استلمت هذا الرابط.
web-link-new-recently = استلمت رابطًا جديدًا قبل أقل من ساعة. ابحث عنه حيث استلمت هذا الرابط.
form-first-day = اليوم الأول
form-last-day = اليوم الأخير
form-skip = تخطي هذا السؤال
form-answer = الإجابة
form-questions = أسئلة لك
form-left-open = هذه الأسئلة بلا إجابة. هل ترسل رغم ذلك؟
form-send-anyway = إرسال رغم ذلك
web-no-script = تحتاج هذه الصفحة إلى JavaScript. للإجابة من دونه افتح /q/ متبوعًا بمعرّف السؤال.
web-link-not-allowed = لا يسمح هذا الرابط بذلك. ارجع وأجب، أو اسأل من أرسل إليك الرابط.

### Terminal

inbox-new-appear = تظهر الأسئلة الجديدة هنا تلقائيًا.
problem-empty-here = أجب عن هذا السؤال
hint-navigate = { $keys } تنقل
hint-select = { $keys } اختيار
hint-toggle = { $keys } تبديل
hint-all = { $keys } الكل
hint-send = { $keys } إرسال
hint-next = { $keys } التالي
hint-back = { $keys } رجوع
hint-skip = { $keys } تخطٍّ
hint-note = { $keys } ملاحظة
hint-preview = { $keys } معاينة
hint-leave = { $keys } مغادرة…
hint-line = { $keys } سطر
hint-new-line = { $keys } سطر جديد
hint-editor = { $keys } محرر
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } يوم/أسبوع
hint-month = { $keys } شهر
hint-year = { $keys } سنة
hint-today = { $keys } اليوم
hint-change = { $keys } تغيير
hint-choose = { $keys } اختيار
hint-back-to-question = { $keys } عودة إلى السؤال
hint-back-to-list = { $keys } عودة إلى القائمة
hint-type-to-filter = اكتب للتصفية
hint-type-answer = اكتب إجابتك
hint-clear = { $keys } مسح
hint-close = { $keys } إغلاق
hint-scroll = { $keys } تمرير
hint-keys = { $keys } كل المفاتيح
tiny-ok = { $keys } موافق
tiny-read = { $keys } قراءة
tiny-cancel = { $keys }…
leave-title = هل تترك هذا السؤال؟
leave-keep = أجب لاحقًا
leave-keep-effect = (يبقى السؤال مفتوحًا)
leave-quit = المغادرة دون إجابة
leave-quit-effect = (لا يُحفظ السؤال)
leave-decline = ترك القرار للوكيل
leave-decline-effect = (يتابع دون إجابة)
leave-stop = إيقاف الوكيل
leave-stop-effect = (ينهي عمله)
sure-decline = هل تترك القرار للوكيل؟ سيكمل دون إجابة.
sure-stop = هل توقف الوكيل؟ سينهي عمله دون إجابة.
leave-cancel = إلغاء السؤال
leave-cancel-effect = (لا يتلقى البرنامج النصي إجابة)
sure-cancel = هل تلغي السؤال؟ لا يتلقى البرنامج النصي إجابة.
deadline-closing = يُغلق بعد { $left } • اضغط أي مفتاح لإبقائه مفتوحًا
deadline-fallback = إذا لم يُجب أحد: يتابع الوكيل دون إجابة
deadline-over = انتهى الوقت، لكن السؤال مفتوح حتى يغلقه الخادم
shown-of = المعروض { $shown } من { $count }
more-rows = { $count } أخرى
folded = { $count ->
    [zero] لا أسئلة في الانتظار
    [one] سؤال واحد في الانتظار
    [two] سؤالان في الانتظار
    [few] { $count } أسئلة في الانتظار
    [many] { $count } سؤالًا في الانتظار
   *[other] { $count } سؤال في الانتظار
} • { $keys } للفتح • { $question }
help-title = المفاتيح
help-move = تحريك التركيز
help-ends = السطر الأول والأخير
help-page = صفحة واحدة
help-half-page = نصف صفحة
help-digit = اختيار ومتابعة
help-digit-several = تحديد أو إلغاء التحديد
help-digit-moves = الانتقال إلى السطر بهذا الرقم
help-mark = تعليم دون متابعة
help-toggle = تحديد أو إلغاء التحديد
help-confirm = اختيار ومتابعة
help-confirm-several = إرسال المحدد؛ وإن لم يوجد فتحديد السطر
help-confirm-text = إرسال أو متابعة
help-yes = الإجابة بنعم
help-no = الإجابة بلا
help-send = إرسال الكل
help-new-line = سطر جديد
help-next-question = السؤال التالي
help-previous-question = السؤال السابق
help-all = تحديد الكل
help-invert = عكس التحديد
help-filter = تصفية الخيارات
help-other = كتابة إجابة خاصة
help-note = إضافة ملاحظة
help-skip = تخطي هذا السؤال
help-review = مراجعة كل الإجابات
help-preview = معاينة الخيار
help-preview-scroll = تمرير المعاينة
help-read = قراءة النص كاملًا
help-fold = طي إلى سطر واحد
help-link = نسخ الرابط
help-share = رابط ورمز QR لهاتفك
help-hand-on = إحالة إلى شخص آخر
hand-on-nobody = لا يوجد شخص آخر في الإعدادات.
notice-handed-on = أُحيل
hint-share = { $keys } الهاتف
hint-copy = { $keys } نسخ
share-title = الإجابة من جهاز آخر
share-making = جارٍ إنشاء الرابط…
share-once = يعمل مرة واحدة، حتى { $time }.
share-local = لا يفتحه إلا هذا الجهاز. لاستخدام هاتف، شغّل askback serve --phone.
share-small = هذه النافذة أصغر من أن تعرض رمز QR.
notice-no-share = لا رابط: لا يُحفظ السؤال إلا مع --durable
help-undo = التراجع عن آخر إجابة
help-clear-marks = إزالة كل العلامات
help-help = عرض كل المفاتيح
help-editor = فتح المحرر
help-step = خطوة واحدة زيادة أو نقصانًا
help-step-ten = عشر خطوات زيادة أو نقصانًا
help-day = يوم واحد
help-week = أسبوع واحد
help-month = شهر واحد
help-year = سنة واحدة
help-today = اليوم
help-line-ends = بداية السطر ونهايته
help-caret = تحريك المؤشر
help-erase = مسح
help-recall = رسائلك السابقة
help-back = خطوة إلى الوراء، ثم قائمة المغادرة
help-detach = مغادرة مع بقاء السؤال مفتوحًا
help-undo-change = التراجع عن آخر تغيير
help-suspend = تعليق
help-repaint = إعادة الرسم
notice-paste = لا يمكن اللصق هنا
notice-too-soon = مبكر: أُهمل المفتاح
notice-nothing-typed = اكتب إجابة، أو اضغط { $keys } للتخطي
notice-number-only = أرقام فقط
date-not-understood = ليس تاريخًا. جرّب 2027-03-27 أو { $tomorrow }
date-does-not-exist = { $day } { $month } { $year } غير موجود
date-day-does-not-exist = { $day } { $month } غير موجود
date-ambiguous = هل المقصود { $one } أم { $other }؟ اكتبه هكذا: { $example }
date-is-period = أي يوم؟ جرّب «بعد 1 أسبوع» أو «الجمعة»
number-ambiguous = هل المقصود { $grouped } أم { $decimal }؟ اكتب أحدهما
notice-not-skippable = هذا السؤال إلزامي. { $keys } للسؤال التالي
notice-yes-or-no = اضغط y أو n، أو انتقل إلى خيار أولًا
notice-read-on = اقرأ البقية قبل الإجابة
typed-label = كُتب: { $text }
typed-label-ambiguous = { $text }: تبدأ عدة خيارات هكذا
typed-label-unknown = { $text }: لا يبدأ أي خيار هكذا • { $keys } يمحوه
typed-label-yes-or-no = { $text }: أجب بـ { $yes } أو { $no } • { $keys } يمحوه
notice-no-preview = لا معاينة لهذا الخيار
notice-editor-missing = اضبط VISUAL أو EDITOR للكتابة في محررك
notice-editor-failed = انتهى المحرر بخطأ؛ نصك لم يتغير
notice-link-copied = نُسخ الرابط
notice-undone = تم التراجع؛ السؤال مفتوح من جديد
elsewhere-undoable = لا يزال التراجع عنها ممكنًا هناك، وعندئذ يُفتح السؤال هنا من جديد.
elsewhere-undo-left = أُجيب عنه في مكان آخر. يمكن التراجع هناك خلال { $seconds } ث.
notice-too-late-to-undo = فات الأوان: الإجابة لدى الوكيل بالفعل
notice-nothing-to-undo = لا يوجد ما يمكن التراجع عنه
hint-undo-answer = { $keys }: تراجع ({ $seconds } ث)
hint-send-now = { $keys } متابعة
help-send-now = المتابعة الآن دون انتظار انتهاء مهلة التراجع
undo-left = حُفظت إجابتك. يتلقاها الوكيل عندما يتعذر التراجع عنها.
line-undo = للتراجع اكتب u ثم اضغط Enter خلال { $seconds } ث. السطر الفارغ يتابع:
detached = { $name }: بقي مفتوحًا. أجب لاحقًا بالأمر { $command }
unsent-text = لم يُرسل: { $text }
unsent-unreachable = لم يُرسل: تعذر الوصول إلى الخادم. يبقى السؤال مفتوحًا.
line-question = السؤال { $index } من { $count } من { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }، موصى به.
line-choice-recommended-described = { $number }. { $label }، موصى به. { $description }.
line-other = { $number }. { $other }: اكتب إجابتك.
line-prompt-one = اكتب رقمًا من 1 إلى { $count }، أو ? للمساعدة:
line-prompt-several = اكتب أرقامًا من 1 إلى { $count } بينها فواصل، أو ? للمساعدة:
line-prompt-text = اكتب إجابتك، أو ? للمساعدة:
line-prompt-number = اكتب عددًا، أو ? للمساعدة:
line-prompt-date = اكتب يومًا، مثل { $example }، أو ? للمساعدة:
line-prompt-start = اليوم الأول، مثل { $example }، أو ? للمساعدة:
line-prompt-end = اليوم الأخير، أو ? للمساعدة:
line-prompt-other = إجابتك الخاصة:
line-prompt-note = ملاحظتك، أو سطر فارغ بلا ملاحظة:
line-prompt-review = اكتب رقمًا لتغيير إجابة، أو سطرًا فارغًا للإرسال:
line-prompt-leave = اكتب رقمًا من 1 إلى { $count }، أو سطرًا فارغًا للعودة:
line-help = اكتب رقم الخيار.
line-help-several = اكتب أرقام خياراتك بينها فواصل، مثل 1,3.
line-help-review = السطر الفارغ يرسل كل الإجابات. رقم السؤال يغيّر إجابته.
line-help-text = اكتب إجابتك واضغط enter.
line-help-yes-no = اكتب y لنعم أو n للا أو رقم الخيار.
line-help-number = اكتب رقمًا واضغط enter.
line-help-date = اكتب تاريخًا واضغط enter، مثل 2027-03-27 أو الجمعة أو بعد أسبوعين.
line-help-skip = ‎{ $keys } لتخطي هذا السؤال
line-help-back = ‎{ $keys } للرجوع
line-help-note = ‎{ $keys } لإضافة ملاحظة
line-help-leave = ‎{ $keys } لمغادرة السؤال
line-help-help = ‎{ $keys } لهذه المساعدة
line-help-later = ‎{ $keys } لترك هذا السؤال لوقت لاحق والانتقال إلى التالي
line-help-list = ‎{ $keys } للرجوع إلى القائمة
line-chosen = اخترت: { $answer }.
line-chosen-sent = اخترت: { $answer }. أُرسلت.
line-skipped = تم التخطي.
line-sent = أُرسلت.
line-deadline = يُغلق هذا السؤال في { $time }. أي إدخال يبقيه مفتوحًا.
line-not-understood = اكتب رقمًا من 1 إلى { $count }؛ لم يُختر شيء.
line-review-not-understood = لم يُفهم ذلك. لم يُرسل شيء.
line-too-soon = جاء ذلك مبكرًا جدًا بعد السؤال فأُهمل. اكتبه مرة أخرى.
line-pasted = تم تجاهل الأسطر الملصقة. اكتب إجابتك في سطر واحد.
line-pasted-kept = تم لصق عدة أسطر. لم يُرسل شيء بعد.
line-pasted-message = تم لصق عدة أسطر. اضغط enter لإرسالها رسالة واحدة، أو اكتب شيئًا آخر ليحل محلها:
line-nothing-typed = لم يُكتب شيء. ‎/s لتخطي هذا السؤال.
line-prompt-yes-no = اكتب y لنعم أو n للا، أو رقمًا من 1 إلى { $count }، أو ? للمساعدة:
line-prompt-sure = اكتب نعم للتأكيد، أو سطرًا فارغًا للعودة:
line-so-far = إجابتك حتى الآن: { $answer }. السطر الفارغ يبقيها.
line-inbox-item = { $number }. { $name }، من { $agent }.
line-inbox-prompt = اكتب رقم سؤال، أو سطرًا فارغًا للأول، أو ? للمساعدة:
line-inbox-help = اكتب رقم السؤال الذي تريد الإجابة عنه. l لعرض القائمة مجددًا، q للإنهاء، ? لهذه المساعدة.
line-inbox-quit = اكتب q للإنهاء:
pipe-waiting = { $count ->
    [zero] لا أسئلة في الانتظار
    [one] سؤال واحد في الانتظار
    [two] سؤالان في الانتظار
    [few] { $count } أسئلة في الانتظار
    [many] { $count } سؤالًا في الانتظار
   *[other] { $count } سؤال في الانتظار
} ({ $id }، { $agent }: { $name })
pipe-no-terminal = لا توجد طرفية تفاعلية، ولم يُجب عن شيء
pipe-no-terminal-hint = شغّل الأمر في طرفية. إن وُجدت طرفية لكن الإدخال محوَّل فأضف --tty. لحفظ السؤال والإجابة عنه في مكان آخر أضف --durable.
pipe-answer = أجب بالأمر  { $command }  أو افتح
chat-hint-send = { $keys } إرسال
chat-hint-stop = { $keys } إيقاف
chat-hint-leave = { $keys } مغادرة
inbox-hint-open = { $keys } فتح
inbox-hint-move = { $keys } تنقل
inbox-hint-mark = { $keys } تعليم
inbox-hint-reject = { $keys } إيقاف الوكيل
inbox-hint-skip = { $keys } تخطٍّ
inbox-hint-snooze = { $keys } تأجيل
inbox-hint-undo = { $keys } تراجع
inbox-undo = { $line } — { $keys }: تراجع ({ $seconds } ث)
inbox-hint-quit = { $keys } إنهاء
chat-busy = { $agent } ما زال يعمل. لم تُرسل رسالتك؛ { $keys } يفتح القائمة.
chat-offered = اضغط enter لإرسال هذا كإجابة
chat-question-first = أجب عن السؤال أولًا. لم تُرسل رسالتك.
chat-sending = جارٍ الإرسال
chat-attempt = لا رد من مزود النموذج، المحاولة { $count } من { $max }
chat-helpers = { $agent } ينتظر الوكلاء الفرعيين: { $count }
chat-menu-title = القائمة
chat-menu-stay = البقاء هنا
chat-menu-stop = إيقاف { $agent }
chat-menu-stop-effect = (تبقى المحادثة)
chat-menu-leave = مغادرة
chat-menu-leave-effect = (المحادثة محفوظة)
chat-menu-earlier = محادثات سابقة
chat-menu-link = عرض رابط المتصفح
chat-no-earlier = لا توجد محادثات سابقة
chat-hint-menu = { $keys } القائمة
chat-error-overloaded = المزوّد مشغول. أرسل أي رسالة للمحاولة مجددًا.
chat-error-network = تعذّر الوصول إلى المزوّد. تحقّق من الشبكة ومن --base-url ثم أرسل أي رسالة.
chat-error-refused = تحقّق من المفتاح والنموذج وابدأ من جديد ثم تابع هذه المحادثة.
chat-error-rounds = أجرى الوكيل خطوات كثيرة دون أن ينتهي. أرسل أي رسالة ليتابع.
chat-error-other = أرسل أي رسالة للمحاولة مجددًا.
chat-link = افتح في المتصفح: { $link }
demo-hello = أرني ما يستطيع askback فعله
demo-resumed = أهلًا بعودتك: كل شيء حيث تركته.
inbox-stop-marked = هل توقف وكلاء كل الأسئلة المعلَّمة ({ $count })؟ سينهون عملهم دون إجابة.
inbox-hint-decline = { $keys } ترك القرار للوكيل
inbox-hint-answer = { $keys } إجابة
inbox-hint-yes = { $keys } نعم
inbox-hint-no = { $keys } لا
inbox-hint-go-on = { $keys } متابعة
inbox-how = جرّب في طرفية أخرى: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = اضغط { $keys } لفتح هذا السؤال
inbox-ended-here = أُجيب عن هذا السؤال. { $keys } ينتقل إلى التالي
inbox-more = { $count ->
    [zero] لا أسئلة أخرى
    [one] سؤال آخر
    [two] سؤالان آخران
    [few] { $count } أسئلة أخرى
    [many] { $count } سؤالًا آخر
   *[other] { $count } سؤال آخر
}
chat-stopped = توقف. اكتب رسالة للمتابعة.
inbox-next = التالي: { $name }
inbox-gone = لم يعد هذا السؤال مفتوحًا
inbox-draft = مسودة

### Chat and inbox

chat-you = أنت
chat-prompt = اكتب رسالة
chat-thinking = { $agent } يفكر
chat-working = { $agent } يستخدم { $tool }
chat-waiting = { $agent } ينتظر إجابتك
chat-failed = فشل { $agent }: { $reason }
chat-retry = { $reason }، المحاولة { $count } من { $max }
chat-connecting = جارٍ الاتصال
chat-connection-lost = انقطع الاتصال، تجري المحاولة من جديد
inbox-title = الوارد
inbox-count = { $count ->
    [zero] لا أسئلة في الانتظار
    [one] سؤال واحد في الانتظار
    [two] سؤالان في الانتظار
    [few] { $count } أسئلة في الانتظار
    [many] { $count } سؤالًا في الانتظار
   *[other] { $count } سؤال في الانتظار
}
inbox-empty = لا أسئلة في الانتظار. تظهر الأسئلة الجديدة هنا تلقائيًا.
inbox-marked = المعلَّم: { $count }
inbox-decline-marked = هل تترك القرار للوكيل في كل الأسئلة المعلَّمة ({ $count })؟ سيكمل وكلاؤها دون إجابة.
inbox-skip-marked = هل تتخطى كل الأسئلة المعلَّمة ({ $count })؟
inbox-skip-or-decline-marked = هل تتخطى الأسئلة المعلَّمة ({ $count })؟ حيث لا يمكن ذلك، يقرر الوكيل ويكمل دون إجابة.
inbox-reject-marked = { $count ->
    [zero] لا وكيل لإيقافه
    [one] إيقاف وكيل سؤال واحد؟
    [two] إيقاف وكيلي سؤالين؟
    [few] إيقاف وكلاء { $count } أسئلة؟
    [many] إيقاف وكلاء { $count } سؤالًا؟
   *[other] إيقاف وكلاء { $count } سؤال؟
}
inbox-arrived = { $count ->
    [zero] لا أسئلة جديدة
    [one] سؤال جديد
    [two] سؤالان جديدان
    [few] { $count } أسئلة جديدة
    [many] { $count } سؤالًا جديدًا
   *[other] { $count } سؤال جديد
}

### Web

web-send = إرسال الإجابة
web-next = التالي
web-back = رجوع
web-skip = تخطٍّ
web-edit = تغيير
web-own-answer = إجابتك الخاصة
web-add-note = إضافة ملاحظة
web-filter = تصفية الخيارات
web-choices-shown = الخيارات المعروضة: { $count }
web-select-all = تحديد الكل
web-clear-selection = مسح التحديد
web-selected-hidden = المحدد: { $count }، غير الظاهر: { $hidden }
web-use-typed = استخدام «{ $text }»
web-today = اليوم
web-tomorrow = غدًا
web-next-monday = الاثنين القادم
web-pick-date = اختيار تاريخ
web-enter-sends = Enter للإرسال وShift+Enter لسطر جديد
web-preview = معاينة
web-reject = إيقاف الوكيل
web-reject-ask = هل توقف الوكيل؟ سينهي عمله دون إجابة.
web-keep-open = أبقِه مفتوحًا
web-decline = ترك القرار للوكيل
web-error = خطأ
web-error-summary = إجابات فيها مشكلة: { $count }
web-sending = جارٍ الإرسال
web-saved-offline = حُفظت. ستُرسل عند الاتصال.
web-form-offline = لا يوجد اتصال. إجابتك محفوظة هنا؛ أرسلها من جديد.
web-answered-by = أجاب { $person } { $surface ->
    [terminal] في الطرفية
    [web] في المتصفح
    [link] عبر رابط
    [cli] من سطر الأوامر
    [http] عبر HTTP
    [mcp] في مربع حوار
    [telegram] عبر Telegram
    [slack] عبر Slack
    [ntfy] عبر ntfy
    [push] عبر إشعار
    [email] عبر البريد
    [command] عبر أمر
   *[system] من النظام
}
web-rejected-by = أوقف { $person } الوكيل
web-declined-by = ترك { $person } القرار للوكيل
web-withdrawn = سحبه الوكيل
web-expired = لا إجابة حتى { $time }. تابع الوكيل دون إجابة.
web-answer-anyway = أجب على أي حال
web-bad-question = أرسل الوكيل سؤالًا لا يمكن عرضه
web-too-late = هذا السؤال مغلق. لم تُرسل إجابتك.
web-conflict = أجاب { $person } أولًا. هذه إجابته.
for-recipient = إلى { $recipient }
hand-on = إحالة…
hand-on-to = إحالة إلى { $person }
hand-on-unreachable = ليس لدى { $person } قناة ولن تصله رسالة، لكن يمكنه الإجابة في المتصفح
handed-on-to = أحاله { $person } إلى { $to }
handed-on-to-unnamed = أُحيل إلى { $to }
web-hand-on-reason = السبب (اختياري)
web-handed-on = أُحيل إلى { $person }
web-deadline = يُغلق في { $time }
web-more-time = أحتاج إلى وقت إضافي
web-deadline-kept = لم يعد هناك موعد نهائي. يبقى السؤال مفتوحًا حتى تجيب.
web-reply-to = الرد على { $name }
web-composer-blocked = أجب أولًا عن السؤال أعلاه
web-message = رسالة
web-send-message = إرسال
web-stop = إيقاف
web-not-stopped = لم يتوقف: تعذر الوصول إلى الخادم. حاول مرة أخرى عند عودة الاتصال.
web-offline = لا اتصال. رسالتك محفوظة هنا.
web-not-found = هذا السؤال غير موجود أو انتهت صلاحية رابطه
web-no-conversation = هذه المحادثة غير موجودة أو حُذفت
web-conversations = المحادثات
web-new-conversation = محادثة جديدة
web-choose-app = اختيار تطبيق
web-delete = حذف
web-delete-ask = حذف هذه المحادثة وإجاباتها؟
web-notify = أبلغني بالأسئلة
web-notify-on = الإشعارات مفعّلة
web-notify-blocked = يحظر متصفحك إشعارات هذه الصفحة
web-notify-whom = أسئلة مَن؟
web-language = اللغة
web-theme = المظهر
web-theme-auto = مثل النظام
web-theme-light = فاتح
web-theme-dark = داكن
web-digits = الاختيار بمفاتيح الأرقام
web-link = الإجابة من جهاز آخر
web-link-hint = امسح الرمز أو افتح الرابط. يعمل مرة واحدة لهذا السؤال فقط.
web-copy-link = نسخ الرابط
web-copied = تم النسخ
web-skip-to-question = الانتقال إلى السؤال
web-answered = تمت الإجابة
web-answered-unnamed = تمت الإجابة { $surface ->
    [terminal] في الطرفية
    [web] في المتصفح
    [link] عبر رابط
    [cli] من سطر الأوامر
    [http] عبر HTTP
    [mcp] في عميل MCP
    [telegram] عبر Telegram
    [slack] عبر Slack
    [ntfy] عبر ntfy
    [push] عبر إشعار
    [email] عبر البريد
    [command] عبر أمر
   *[system] من النظام
}
web-refused = تم رفض الوصول. سجّل الدخول أو تحقّق من الرمز.
web-type-own = غير ذلك: اكتبه أعلاه
web-older = عرض الرسائل السابقة
web-your-name = اسمك
web-link-until = صالح حتى { $time }.
web-link-local = لا يفتح هذا العنوان إلا على هذا الجهاز. لهاتفك شغّل الخادم باستخدام { $command }.
web-late-lead = السؤال مغلق. ستُرسل إجابتك إلى الوكيل كرسالة.
web-late-text = إجابتي المتأخرة عن «{ $question }»: { $answer }
web-late-sent = أُرسلت إلى الوكيل كرسالة
web-agent-sent = ما أرسله الوكيل
web-agent-told = ما تلقاه الوكيل
web-undo-left = تراجع ({ $seconds } ث)
web-held = أُرسلت. ما زال التراجع ممكنًا.
web-undone = تم التراجع. السؤال مفتوح من جديد.
web-undone-elsewhere = تم التراجع عن إجابتك في نافذة أخرى. السؤال مفتوح من جديد.
web-open-again = اعرض السؤال
web-undo-late = فات أوان التراجع: الإجابة لدى الوكيل
web-seconds = { $count } ث
web-off = بلا مهلة
web-deleted = حُذفت المحادثة
web-settings = الإعدادات
web-people = الأشخاص
web-people-alias = اسم قصير، مثل anna
web-people-name = الاسم
web-people-add = إضافة
web-people-remove = إزالة { $person }
web-people-group = مجموعة من { $people }
web-people-on-call = المناوب: { $person }
web-sign-out = تسجيل الخروج
web-no-such-choice = «{ $text }» ليس من الخيارات
web-not-sent = إجابتك التي لم تُرسل
web-not-sent-yet = لم تُرسل بعد
web-other-draft = حُفظت مسودة مختلفة لهذه الإجابة في نافذة أخرى أو على جهاز آخر.
web-use-other-draft = استخدم تلك المسودة
web-keep-this-draft = احتفظ بهذه المسودة
web-next-question = السؤال التالي
web-stop-ask = إيقاف الوكيل؟ ستُلغى أسئلة وكلائه الفرعيين.
web-now-answers = تجيب هذه الرسالة الآن عن «{ $name }». أرسل مرة أخرى للتأكيد.
web-now-message = أُغلق السؤال. أرسل مرة أخرى لإرسال هذا كرسالة.
inbox-reject-marked-confirm = إيقاف الكل ({ $count })
web-details = التفاصيل
web-more-waiting = في الانتظار أيضًا: { $count }
web-previous-question = السؤال السابق
web-close = إغلاق
web-latest = الأحدث
web-waiting-below = ينتظر إجابتك في الأسفل
web-after-answer = ما فعله الوكيل بعد ذلك
web-start-lead = صف مهمة. يسألك الوكيل عندما يعود القرار إليك.

inbox-search = البحث في الأسئلة
inbox-agent = الوكيل
inbox-all-agents = كل الوكلاء
inbox-sort = الترتيب
inbox-sort-deadline = الأقرب موعدًا أولًا
inbox-sort-oldest = الأقدم أولًا
inbox-sort-newest = الأحدث أولًا
inbox-for-me = لي
inbox-clear-filter = مسح البحث والتصفية
inbox-none-match = لا سؤال يطابق ذلك.
inbox-loading = جارٍ تحميل الأسئلة…
inbox-listed = المعروض { $count } من { $all }
inbox-position = { $index } من { $count }
inbox-all = كل الأسئلة
inbox-mark = تعليم { $name }
inbox-mark-all = تعليم الكل
inbox-unmark = إزالة العلامات
inbox-skipped = تم تخطيها: { $count }
inbox-snooze = تأجيل
inbox-snooze-title = تأجيل حتى
inbox-snooze-hour = بعد ساعة
inbox-snooze-evening = هذا المساء
inbox-snooze-tomorrow = صباح الغد
inbox-snooze-monday = صباح الاثنين
inbox-snooze-own = وقت آخر
inbox-snoozed-until = مؤجَّل حتى { $time }
inbox-undo-snooze = تراجع
inbox-show-snoozed = المؤجَّلة ({ $count })
inbox-hide-snoozed = العودة إلى الوارد
inbox-last-words = ما كتبه { $agent } قبل السؤال
inbox-open-conversation = فتح المحادثة
inbox-keys = المفاتيح
inbox-key-move = السؤال التالي أو السابق
inbox-key-open = الدخول إلى السؤال
inbox-key-choose = اختيار إجابة
inbox-key-skip = التخطي أو ترك القرار للوكيل
inbox-key-mark = تعليم لإجراء على عدة أسئلة
inbox-key-undo = التراجع عن آخر إجراء
inbox-key-back = العودة إلى القائمة وإزالة العلامات
web-more-conversations = عرض المزيد
web-other-agents = وكلاء آخرون
web-no-other-agents = لم يسأل أي وكيل آخر بعد. لربط وكيل: { $command }
inbox-empty-title = لا شيء ينتظرك
inbox-empty-lead = عندما يحتاج وكيل إلى قرار، يظهر سؤاله هنا تلقائيًا.
inbox-empty-try = جرّبه في الطرفية:
inbox-declined = تُركت للوكلاء: { $count }
inbox-failed = فشل: { $count }
web-two-steps = الاختيار أولًا ثم الإرسال
web-undo-time = مهلة التراجع عن الإجابة
answered-project = المشروع
answered-all-projects = كل المشاريع
answered-person = أجاب
answered-everybody = الجميع
answered-outcome = النتيجة
answered-all-outcomes = كل النتائج
answered-no-answer = بلا إجابة
answered-copy = نسخ بصيغة Markdown
answered-none = لم تتم الإجابة عن شيء بعد.
web-no-model = لا يوجد نموذج مُعدّ: يردّ هنا نص تجريبي. لوكيل حقيقي شغّل الخادم باستخدام { $command }.
inbox-empty-install = اربط الوكلاء على هذا الجهاز:
inbox-agents-ready = مُعَدّ على هذا الجهاز: { $agents }. اطلب من وكيل أن يسألك شيئًا.
web-not-now = ليس الآن
web-phone = على هاتفك
web-phone-scan = امسح الرمز. يسجّل دخول متصفح واحد مرة واحدة.
web-too-early = كان ذلك مبكرًا ولم يفعل شيئًا. اضغط مرة أخرى.

### Channels

channel-waiting = هناك سؤال في الانتظار
channel-waiting-from = لدى { $agent } سؤال
channel-project = المشروع: { $project }
channel-open = فتح
channel-write = كتابة…
channel-next = التالي
channel-back = رجوع
channel-send = إرسال
channel-undo = تراجع
channel-today = اليوم
channel-tomorrow = غدًا
channel-in-a-week = بعد أسبوع
channel-rest-at-link = البقية عبر الرابط.
channel-answer-at-link = أجب عن هذا السؤال عبر الرابط.
channel-outcome-at = { $outcome }، { $time }
channel-sent = أُرسل: { $answer }
channel-sent-undo = أُرسل: { $answer }. يمكنك التراجع خلال { $seconds } ث.
channel-takes-effect = يسري في { $time }
channel-held-by = أجاب { $person }. تسري الإجابة خلال { $seconds } ث.
channel-changed = تغيّر السؤال. انظر إليه مرة أخرى.
channel-sent-plain = أُرسل.
channel-sent-undo-plain = أُرسل. يمكنك التراجع خلال { $seconds } ث.
channel-answer-elsewhere = أجب عن هذا السؤال في الطرفية أو في المتصفح.
channel-help = تصل الأسئلة هنا مع أزرار. للإجابة بالكلمات، رُدّ على رسالة السؤال.
channel-how-to-link = لتصلك الأسئلة هنا، أرسل الرمز الذي يعرضه هذا الأمر: askback channel link
channel-text-only = يُقبل النص المكتوب فقط إجابةً. اكتبه ردًّا على السؤال.
channel-not-allowed = لا يمكنك الإجابة عن هذا السؤال.
channel-linked = تم الربط. ستصل أسئلة { $name } إلى هنا.
channel-code-invalid = هذا الرمز غير صحيح أو استُخدم من قبل. رمز جديد: askback channel link
channel-code-in-group = راسلني في محادثة خاصة. رأى آخرون هذا الرمز، لذلك لم يعد صالحًا. رمز جديد: askback channel link
channel-reply = رُدّ على هذه الرسالة بإجابتك.
channel-use-fields = في هذه الرسالة عدة أسئلة. املأ الحقول واضغط على إرسال.
channel-reply-at-review = هنا تُراجَع الإجابات. اضغط على إرسال، أو على رجوع لتغيير إجابة.
channel-text-added = أُضيف نصك إلى الخيارات المحددة. انظر إلى السؤال مرة أخرى واضغط على إرسال.
channel-send-again = بلا إجابة: { $names }. للإرسال رغم ذلك، اضغط على إرسال مرة أخرى.
channel-leave-open = بلا إجابة: { $names }. أجب عنه أيضًا، أو اتركه مفتوحًا باستخدام { $example }
channel-reply-range = رُدّ على هذه الرسالة باليوم الأول واليوم الأخير، مثل { $example }
channel-reply-last-day = اليوم الأول هو { $start }. رُدّ على هذه الرسالة باليوم الأخير.
channel-reply-reason = رُدّ على هذه الرسالة بالسبب.
channel-superseded = أُجيب برسالة
channel-not-sent = لم يُرسَل. افتح السؤال أو حاول مرة أخرى.
channel-handed-on-by = أحال { $person } هذا السؤال إليك
channel-handed-on-by-unnamed = أُحيل إليك
channel-still-open = لا يزال مفتوحًا: { $question }
channel-new-link = الرابط الجديد: { $link }
channel-still-open-until = لا يزال مفتوحًا: { $question }. ينتهي في { $time }.
channel-not-answered-by = لم يجب { $person } بعد
channel-also-sent-to = لا إجابة بعد. أُرسل أيضًا إلى { $person }
