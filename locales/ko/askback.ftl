### Shared

recommended = (추천)
other = 기타
asks = { $agent }의 질문
question-of = 질문 { $index }/{ $count }
question-count = 질문 { $count }개
select-several = 해당하는 항목을 모두 선택
selected-count = { $count }개 선택됨
optional = 선택 사항
note = 메모
from = 시작
to = 끝
counter = { $used }/{ $max }
number-whole = 정수
number-whole-range = { $min }부터 { $max }까지의 정수
number-whole-min = { $min } 이상의 정수
number-whole-max = { $max } 이하의 정수
number-any = 숫자
number-range = { $min }부터 { $max }까지의 숫자
number-min = { $min } 이상의 숫자
number-max = { $max } 이하의 숫자
number-step = { $step } 단위
date-any = 날짜(예: { $example })
date-between = { $min }부터 { $max }까지
date-min = { $min } 이후
date-max = { $max } 이전
review = 검토
review-lead = 보내기 전에 답변을 확인하세요
send-answers = 답변 보내기
answer-skipped = 건너뜀
answer-open = 답변 없음
answer-noted = { $answer } (메모: { $note })
answer-range = { $start } ~ { $end }
resolved-skipped = { $name }: 건너뜀
resolved-declined = { $name }: 에이전트에 맡김
resolved-undeliverable = { $name }: 표시되지 않아 아무도 답할 수 없었음
someone = 누군가
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: 에이전트 중지됨
web-failed = 잘되지 않았습니다. 다시 시도하세요.
age-now = 방금
problem-empty = { $name }: 답변을 입력하세요
assumption-marked = 답변할 때까지 에이전트의 가정: { $assumption }
agent-not-waiting = 에이전트가 지금은 기다리고 있지 않습니다. 다시 물을 때 답변을 받습니다.

### Program

handed-on-to-other = 다른 사람에게 넘겨졌습니다
answer-confirm = 이 답변을 보낼까요? y/n:
other-hint = 직접 입력…
other-specify = 구체적으로 입력하세요:
unanswered-count = 미응답 { $count }개
day-count = { $count }일
date-long = { $year }년 { $month } { $day }일 { $weekday }
month-year = { $year }년 { $month }
answer-own = { $answer } (직접 입력)
resolved-open = { $name }: 답변 없음
resolved-superseded = { $name }: 메시지로 답변함
resolved-expired = { $name }: { $time }까지 답변 없음, 에이전트가 답변 없이 계속
resolved-cancelled = { $name }: 취소됨
resolved-timed-out = { $name }: { $time }까지 답변 없음
resolved-withdrawn = { $name }: 에이전트가 철회함
resolved-elsewhere = { $line } — { $person } 님이 { $surface ->
    [terminal] 터미널에서
    [web] 브라우저에서
    [link] 링크를 통해
    [cli] 명령줄에서
    [http] HTTP로
    [mcp] 대화 상자에서
    [telegram] Telegram에서
    [slack] Slack에서
    [ntfy] ntfy를 통해
    [push] 알림에서
    [email] 이메일로
    [command] 명령을 통해
   *[system] 시스템에서
} 답변
resolved-elsewhere-unnamed = { $line } — { $surface ->
    [terminal] 터미널에서
    [web] 브라우저에서
    [link] 링크를 통해
    [cli] 명령줄에서
    [http] HTTP로
    [mcp] MCP 클라이언트에서
    [telegram] Telegram에서
    [slack] Slack에서
    [ntfy] ntfy를 통해
    [push] 알림에서
    [email] 이메일로
    [command] 명령을 통해
   *[system] 시스템에서
} 답변됨
question-unnamed = 이 답변
problem-nothing-answered = 답변한 질문이 없습니다. 하나 이상 답하거나 에이전트에 맡기세요
problem-not-an-object = 답변은 질문 ID마다 항목이 하나씩 있는 JSON 객체여야 합니다
problem-unknown-question = 그런 질문이 없습니다. 사용할 수 있는 값: { $known }
problem-answered-twice = { $name }: 두 번 답했습니다. 한 번만 답하세요
problem-cannot-skip = { $name }: 건너뛸 수 없습니다. 답하거나 에이전트에 맡기세요
problem-skipped-and-answered = { $name }: 답변과 건너뛰기가 함께 있습니다. 하나만 선택하세요
problem-unknown-choice = { $name }: 다음 중에서 선택하세요: { $labels }
problem-ambiguous-choice = { $name }: 분명하지 않습니다. 번호와 항목을 함께 입력하세요: { $lines }
problem-one-choice-only = { $name }: 하나만 선택할 수 있습니다
problem-exclusive = { $name }: ‘{ $label }’은(는) 다른 항목과 함께 선택할 수 없습니다
problem-wrong-type = { $name }: { $wants ->
    [choices] 항목을 선택하세요(`values`, 직접 입력은 `own`)
    [number] 숫자를 보내세요(`number`)
    [date] 날짜를 보내세요(`date`, 예: 2027-03-27)
    [date-range] 기간을 보내세요(`start`와 `end`)
   *[text] 텍스트를 보내세요(`text`)
}
problem-too-short = { $name }: { $min }자 이상 입력하세요
problem-too-long = { $name }: { $max }자 이하로 입력하세요
problem-note-too-long = { $name }의 메모: { $max }자 이하로 입력하세요
problem-pattern-mismatch = { $name }: 요청한 형식으로 입력하세요
problem-too-small = { $name }: { $min } 이상이어야 합니다
problem-too-large = { $name }: { $max } 이하여야 합니다
problem-out-of-range = { $name }: { $min }부터 { $max }까지여야 합니다
problem-not-whole = { $name }: 정수를 입력하세요
problem-not-on-step = { $name }: { $step } 단위로 입력하세요
problem-not-a-number = { $name }: 숫자를 입력하세요(예: 3, { $example })
problem-not-a-date = { $name }: 날짜를 입력하세요(예: 2027-03-27)
problem-too-early = { $name }: { $min } 이후여야 합니다
problem-too-late = { $name }: { $max } 이전이어야 합니다
problem-end-before-start = { $name }: 끝이 시작보다 앞설 수 없습니다
problem-of-field = { $field }: { $problem }
chat-title = { $agent }와의 대화
chat-left = 대화는 보관됩니다. 계속하려면 { $command }
chat-connected = 다시 연결됨
web-decline-effect = 아무것도 선택하지 않았다고 에이전트에 전달되고, 에이전트는 계속합니다.
web-signed-out = 로그인하려면 askback이 터미널에 표시한 링크를 열거나 서버의 토큰을 입력하세요
web-token = 토큰
web-sign-in = 로그인
web-token-wrong = 이 서버의 토큰이 아닙니다. 토큰 전체를 복사해 다시 시도하세요.
web-code-used = 이 링크는 이미 사용되었거나 너무 오래되었습니다. 새 링크는 askback phone 명령으로 만드세요.
web-no-page = 이 페이지는 없습니다
web-unavailable = 지금 서버가 데이터베이스에 연결할 수 없습니다.
web-nothing-lost = 사라진 것은 없습니다. 모든 질문과 보낸 답변이 보관되어 있습니다.
web-retrying = 이 페이지는 자동으로 다시 시도합니다.
web-try-again = 다시 시도
web-copy-unsent = 이 페이지를 떠나기 전에 복사하세요.
web-today-is = 여기서 “오늘”은 { $date }입니다.
web-not-answering = 답하지 않으려면
web-skip-effect = 이 질문을 건너뛰었다고 에이전트에 전달됩니다.
web-stop-effect = 에이전트에 답 없이 중지하라고 전달됩니다.
web-thanks-answered = { $named ->
    [yes] 감사합니다. { $agent } 에이전트가 계속합니다.
   *[no] 감사합니다. 에이전트가 계속합니다.
}
web-thanks-declined = { $named ->
    [yes] 감사합니다. { $agent } 에이전트가 결정하고 계속합니다.
   *[no] 감사합니다. 에이전트가 결정하고 계속합니다.
}
web-thanks-stopped = { $named ->
    [yes] { $agent } 에이전트에 중지하라고 전달했습니다.
   *[no] 에이전트에 중지하라고 전달했습니다.
}
web-close-page = 이 페이지를 닫아도 됩니다.
web-link-expired = 이 링크는 만료되었습니다: { $time }
web-link-changed = 이 링크를 만든 뒤 질문이 바뀌었습니다.
web-link-ask-again = 링크를 보낸 사람에게 새 링크를 요청하세요.
web-link-new = 새 링크 보내기
web-link-new-sent = 새 링크를 보내고 있습니다. 이 링크를 받은 곳으로 도착합니다.
web-link-new-recently = 한 시간 안에 이미 새 링크를 보냈습니다. 이 링크를 받은 곳을 확인하세요.
form-first-day = 첫날
form-last-day = 마지막 날
form-skip = 이 질문 건너뛰기
form-answer = 답변
form-questions = 질문이 있습니다
form-left-open = 다음 질문에 답하지 않았습니다. 그래도 보낼까요?
form-send-anyway = 그래도 보내기
web-no-script = 이 페이지에는 JavaScript가 필요합니다. JavaScript 없이 답하려면 /q/ 뒤에 질문 ID를 붙인 주소를 여세요.
web-link-not-allowed = 이 링크로는 할 수 없는 작업입니다. 뒤로 가서 답하거나 링크를 보낸 사람에게 문의하세요.

### Terminal

inbox-new-appear = 새 질문은 여기에 자동으로 나타납니다.
problem-empty-here = 이 질문에 답하세요
hint-navigate = { $keys } 이동
hint-select = { $keys } 선택
hint-toggle = { $keys } 전환
hint-all = { $keys } 모두
hint-send = { $keys } 보내기
hint-next = { $keys } 다음
hint-back = { $keys } 뒤로
hint-skip = { $keys } 건너뛰기
hint-note = { $keys } 메모
hint-preview = { $keys } 미리 보기
hint-leave = { $keys } 나가기…
hint-line = { $keys } 줄바꿈
hint-new-line = { $keys } 줄바꿈
hint-editor = { $keys } 편집기
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } 일/주
hint-month = { $keys } 월
hint-year = { $keys } 년
hint-today = { $keys } 오늘
hint-change = { $keys } 변경
hint-choose = { $keys } 선택
hint-back-to-question = { $keys } 질문으로 돌아가기
hint-back-to-list = { $keys } 목록으로 돌아가기
hint-type-to-filter = 입력하여 필터링
hint-type-answer = 답변 입력
hint-clear = { $keys } 지우기
hint-close = { $keys } 닫기
hint-scroll = { $keys } 스크롤
hint-keys = { $keys } 모든 키
tiny-ok = { $keys }확인
tiny-read = { $keys } 읽기
tiny-cancel = { $keys }…
leave-title = 이 질문에서 나갈까요?
leave-keep = 나중에 답하기
leave-keep-effect = (질문은 열려 있음)
leave-quit = 답하지 않고 나가기
leave-quit-effect = (질문은 보관되지 않습니다)
leave-decline = 에이전트에 맡기기
leave-decline-effect = (답 없이 계속함)
leave-stop = 에이전트 중지
leave-stop-effect = (작업을 끝냅니다)
sure-decline = 에이전트에 맡길까요? 답 없이 계속합니다.
sure-stop = 에이전트를 중지할까요? 답 없이 작업을 끝냅니다.
leave-cancel = 질문 취소
leave-cancel-effect = (스크립트는 답을 받지 못합니다)
sure-cancel = 질문을 취소할까요? 스크립트는 답을 받지 못합니다.
deadline-closing = { $left } 후 마감 • 아무 키나 누르면 열어 둡니다
deadline-fallback = 아무도 답하지 않으면: 에이전트가 답변 없이 계속
deadline-over = 시간이 지났지만 서버가 닫을 때까지 답할 수 있습니다
shown-of = { $count }개 중 { $shown }개 표시
more-rows = { $count }개 더
folded = 질문 { $count }개 대기 중 • { $keys } 열기 • { $question }
help-title = 키
help-move = 초점 이동
help-ends = 첫 행과 마지막 행
help-page = 한 페이지
help-half-page = 반 페이지
help-digit = 선택하고 계속
help-digit-several = 선택 또는 해제
help-digit-moves = 이 번호의 행으로 이동
help-mark = 계속하지 않고 표시
help-toggle = 선택 또는 해제
help-confirm = 선택하고 계속
help-confirm-several = 선택한 항목 보내기(없으면 이 줄 선택)
help-confirm-text = 보내기 또는 계속
help-yes = 예라고 답하기
help-no = 아니요라고 답하기
help-send = 모두 보내기
help-new-line = 줄바꿈
help-next-question = 다음 질문
help-previous-question = 이전 질문
help-all = 모두 선택
help-invert = 선택 반전
help-filter = 항목 필터링
help-other = 직접 답변 쓰기
help-note = 메모 추가
help-skip = 이 질문 건너뛰기
help-review = 모든 답변 검토
help-preview = 항목 미리 보기
help-preview-scroll = 미리 보기 스크롤
help-read = 전체 읽기
help-fold = 한 줄로 접기
help-link = 링크 복사
help-share = 휴대전화용 링크와 QR 코드
help-hand-on = 다른 사람에게 넘기기
hand-on-nobody = 설정에 다른 사람이 없습니다.
notice-handed-on = 넘겼습니다
hint-share = { $keys } 휴대전화
hint-copy = { $keys } 복사
share-title = 다른 기기에서 답하기
share-making = 링크를 만드는 중…
share-once = 한 번만 쓸 수 있으며 { $time }까지 유효합니다.
share-local = 이 컴퓨터에서만 열 수 있습니다. 휴대전화에서 쓰려면 askback serve --phone을 실행하세요.
share-small = 창이 너무 작아 QR 코드를 표시할 수 없습니다.
notice-no-share = 링크가 없습니다. --durable을 쓸 때만 저장됩니다
help-undo = 마지막 답변 취소
help-clear-marks = 모든 표시 해제
help-help = 모든 키 보기
help-editor = 편집기 열기
help-step = 한 단계 증감
help-step-ten = 열 단계 증감
help-day = 하루
help-week = 일주일
help-month = 한 달
help-year = 일 년
help-today = 오늘
help-line-ends = 줄의 처음과 끝
help-caret = 커서 이동
help-erase = 지우기
help-recall = 이전에 보낸 메시지
help-back = 한 단계 뒤로, 마지막에는 나가기 메뉴
help-detach = 나가기, 질문은 열려 있음
help-undo-change = 마지막 변경 취소
help-suspend = 일시 중단
help-repaint = 다시 그리기
notice-paste = 여기에는 붙여넣을 수 없습니다
notice-too-soon = 너무 일러 무시됨
notice-nothing-typed = 답을 입력하거나 { $keys } 키로 건너뛰세요
notice-number-only = 숫자만 가능
date-not-understood = 날짜가 아닙니다. 2027-03-27 또는 { $tomorrow }처럼 입력하세요
date-does-not-exist = { $year }년 { $month } { $day }일은 없는 날짜입니다
date-day-does-not-exist = { $month } { $day }일은 없는 날짜입니다
date-ambiguous = { $one }입니까, { $other }입니까? { $example }처럼 입력하세요
date-is-period = 어느 날입니까? ‘1주 후’ 또는 ‘금요일’처럼 입력하세요
number-ambiguous = { $grouped }입니까, { $decimal }입니까? 둘 중 하나로 입력하세요
notice-not-skippable = 필수 질문입니다. { $keys } 키로 다음으로 이동합니다
notice-yes-or-no = y 또는 n을 누르거나 먼저 항목으로 이동하세요
notice-read-on = 나머지를 읽은 뒤 답하세요
typed-label = 입력: { $text }
typed-label-ambiguous = { $text }: 이렇게 시작하는 항목이 여러 개입니다
typed-label-unknown = { $text }: 이렇게 시작하는 항목이 없습니다 • { $keys } 지우기
typed-label-yes-or-no = { $text }: { $yes } 또는 { $no }(으)로 답하세요 • { $keys } 지우기
notice-no-preview = 이 항목에는 미리 보기가 없습니다
notice-editor-missing = 편집기에서 쓰려면 VISUAL 또는 EDITOR를 설정하세요
notice-editor-failed = 편집기가 오류로 끝났습니다. 텍스트는 그대로입니다
notice-link-copied = 링크를 복사했습니다
notice-undone = 취소했습니다. 질문이 다시 열렸습니다
elsewhere-undoable = 답한 곳에서 아직 취소할 수 있습니다. 취소하면 질문이 여기에서 다시 열립니다.
elsewhere-undo-left = 다른 곳에서 답했습니다. 그곳에서 { $seconds }초 동안 취소할 수 있습니다.
notice-too-late-to-undo = 늦었습니다. 에이전트가 이미 답변을 받았습니다
notice-nothing-to-undo = 실행 취소할 것이 없습니다
hint-undo-answer = { $keys }: 취소({ $seconds }초)
hint-send-now = { $keys } 계속
help-send-now = 취소 시간이 끝나기를 기다리지 않고 계속
undo-left = 답변을 저장했습니다. 더 이상 취소할 수 없게 되면 에이전트가 받습니다.
line-undo = 취소하려면 { $seconds }초 안에 u를 입력하고 Enter를 누르세요. 빈 줄은 계속합니다:
detached = { $name }: 열어 두었습니다. 나중에 { $command }(으)로 답하세요
unsent-text = 보내지 않음: { $text }
unsent-unreachable = 전송되지 않았습니다. 서버에 연결할 수 없습니다. 질문은 열린 상태로 남습니다.
line-question = { $agent }의 질문 { $index }/{ $count }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, 추천.
line-choice-recommended-described = { $number }. { $label }, 추천. { $description }.
line-other = { $number }. { $other }: 직접 입력.
line-prompt-one = 1부터 { $count }까지 입력, ?는 도움말:
line-prompt-several = 1부터 { $count }까지 번호를 쉼표로 구분해 입력, ?는 도움말:
line-prompt-text = 답변 입력, ?는 도움말:
line-prompt-number = 숫자 입력, ?는 도움말:
line-prompt-date = 날짜 입력(예: { $example }), ?는 도움말:
line-prompt-start = 첫날(예: { $example }), ?는 도움말:
line-prompt-end = 마지막 날, ?는 도움말:
line-prompt-other = 직접 입력:
line-prompt-note = 메모(없으면 빈 줄):
line-prompt-review = 변경할 답변의 번호, 보내려면 빈 줄:
line-prompt-leave = 1부터 { $count }까지 입력, 돌아가려면 빈 줄:
line-help = 항목의 번호를 입력하세요.
line-help-several = 번호를 1,3처럼 쉼표로 구분해 입력하세요.
line-help-review = 빈 줄을 입력하면 모든 답변을 보냅니다. 질문 번호를 입력하면 그 답변을 바꿉니다.
line-help-text = 답변을 입력하고 enter를 누르세요.
line-help-yes-no = y는 예, n은 아니요이며 항목의 번호도 입력할 수 있습니다.
line-help-number = 숫자를 입력하고 enter를 누르세요.
line-help-date = 날짜를 2027-03-27, 금요일, 2주 후처럼 입력하고 enter를 누르세요.
line-help-skip = { $keys } 이 질문 건너뛰기
line-help-back = { $keys } 뒤로
line-help-note = { $keys } 메모 추가
line-help-leave = { $keys } 질문에서 나가기
line-help-help = { $keys } 도움말
line-help-later = { $keys } 이 질문을 미루고 다음으로
line-help-list = { $keys } 목록으로 돌아가기
line-chosen = 선택: { $answer }.
line-chosen-sent = 선택: { $answer }. 보냈습니다.
line-skipped = 건너뛰었습니다.
line-sent = 보냈습니다.
line-deadline = 이 질문은 { $time }에 마감됩니다. 아무 입력이나 하면 열려 있습니다.
line-not-understood = 1부터 { $count }까지의 번호를 입력하세요. 아무것도 선택되지 않았습니다.
line-review-not-understood = 알 수 없는 입력입니다. 아무것도 보내지 않았습니다.
line-too-soon = 질문 직후의 입력이라 무시했습니다. 다시 입력하세요.
line-pasted = 붙여넣은 줄은 무시했습니다. 답을 한 줄로 입력하세요.
line-pasted-kept = 여러 줄을 붙여넣었습니다. 아직 아무것도 보내지 않았습니다.
line-pasted-message = 여러 줄을 붙여넣었습니다. Enter를 누르면 한 메시지로 보내고, 다른 입력은 대체합니다:
line-nothing-typed = 입력이 없습니다. /s 는 이 질문을 건너뜁니다.
line-prompt-yes-no = y(예) 또는 n(아니요), 1부터 { $count }까지 입력, ?는 도움말:
line-prompt-sure = 확인하려면 예 또는 yes 입력, 돌아가려면 빈 줄:
line-so-far = 지금까지의 답: { $answer }. 빈 줄을 입력하면 그대로 유지됩니다.
line-inbox-item = { $number }. { $name }, { $agent }의 질문.
line-inbox-prompt = 질문 번호를 입력(빈 줄은 첫 질문, ?는 도움말):
line-inbox-help = 답할 질문의 번호를 입력하세요. l 목록 다시 보기, q 나가기, ? 도움말.
line-inbox-quit = 나가려면 q를 입력하세요:
pipe-waiting = 질문 { $count }개 대기 중({ $id }, { $agent }: { $name })
pipe-no-terminal = 대화형 터미널이 없어 아무것도 답하지 않았습니다
pipe-no-terminal-hint = 터미널에서 실행하세요. 터미널이 있지만 입력이 파이프라면 --tty 를 추가하세요. 질문을 저장하고 다른 곳에서 답하려면 --durable 을 추가하세요.
pipe-answer = 답변 명령:  { $command }  또는 열기:
chat-hint-send = { $keys } 보내기
chat-hint-stop = { $keys } 중지
chat-hint-leave = { $keys } 나가기
inbox-hint-open = { $keys } 열기
inbox-hint-move = { $keys } 이동
inbox-hint-mark = { $keys } 표시
inbox-hint-reject = { $keys } 에이전트 중지
inbox-hint-skip = { $keys } 건너뛰기
inbox-hint-snooze = { $keys } 나중에
inbox-hint-undo = { $keys } 되돌리기
inbox-undo = { $line } — { $keys }: 취소({ $seconds }초)
inbox-hint-quit = { $keys } 종료
chat-busy = { $agent } 아직 작업 중입니다. 메시지는 보내지 않았습니다. { $keys } 키로 메뉴를 엽니다.
chat-offered = enter를 누르면 답변으로 보냅니다
chat-question-first = 먼저 질문에 답하세요. 메시지는 보내지 않았습니다.
chat-sending = 보내는 중
chat-attempt = 모델 제공자가 응답하지 않습니다. 재시도 { $count }/{ $max }
chat-helpers = { $agent } 하위 에이전트를 기다리는 중: { $count }
chat-menu-title = 메뉴
chat-menu-stay = 여기 머물기
chat-menu-stop = { $agent } 멈추기
chat-menu-stop-effect = (대화는 남습니다)
chat-menu-leave = 나가기
chat-menu-leave-effect = (대화는 보관됩니다)
chat-menu-earlier = 이전 대화
chat-menu-link = 브라우저용 링크 보기
chat-no-earlier = 이전 대화가 없습니다
chat-hint-menu = { $keys } 메뉴
chat-error-overloaded = 제공자가 붐빕니다. 아무 메시지나 보내면 다시 시도합니다.
chat-error-network = 제공자에 연결할 수 없습니다. 네트워크와 --base-url을 확인하고 아무 메시지나 보내세요.
chat-error-refused = 키와 모델을 확인하고 다시 시작한 뒤 이 대화를 이어가세요.
chat-error-rounds = 단계가 너무 많아 끝내지 못했습니다. 아무 메시지나 보내면 계속합니다.
chat-error-other = 아무 메시지나 보내면 다시 시도합니다.
chat-link = 브라우저에서 열기: { $link }
demo-hello = askback이 무엇을 할 수 있는지 보여줘
demo-resumed = 다시 오셨네요. 모든 것이 그대로입니다.
inbox-stop-marked = 표시한 질문({ $count })의 에이전트를 모두 중지할까요? 답 없이 작업을 끝냅니다.
inbox-hint-decline = { $keys } 에이전트에 맡기기
inbox-hint-answer = { $keys } 답하기
inbox-hint-yes = { $keys } 예
inbox-hint-no = { $keys } 아니요
inbox-hint-go-on = { $keys } 계속
inbox-how = 다른 터미널에서 해 보기: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = { $keys } 키를 눌러 이 질문을 여세요
inbox-ended-here = 이 질문은 이미 답변되었습니다. { $keys } 키로 다음 질문으로 이동합니다
inbox-more = 질문 { $count }개 더
chat-stopped = 중지했습니다. 메시지를 쓰면 계속합니다.
inbox-next = 다음: { $name }
inbox-gone = 이 질문은 더 이상 열려 있지 않습니다
inbox-draft = 임시 저장

### Chat and inbox

chat-you = 나
chat-prompt = 메시지 쓰기
chat-thinking = { $agent } 생각 중
chat-working = { $agent }이(가) { $tool } 사용 중
chat-waiting = { $agent }이(가) 답변을 기다립니다
chat-failed = { $agent } 실패: { $reason }
chat-retry = { $reason }, 재시도 { $count }/{ $max }
chat-connecting = 연결 중
chat-connection-lost = 연결이 끊겨 다시 시도하는 중
inbox-title = 받은 질문
inbox-count = { $count ->
    [0] 기다리는 질문이 없습니다
   *[other] 질문 { $count }개 대기 중
}
inbox-empty = 기다리는 질문이 없습니다. 새 질문은 여기에 자동으로 나타납니다.
inbox-marked = { $count }개 표시됨
inbox-decline-marked = 표시한 질문({ $count })을 모두 에이전트에 맡길까요? 답 없이 계속합니다.
inbox-skip-marked = 표시한 질문({ $count })을 모두 건너뛸까요?
inbox-skip-or-decline-marked = 표시한 질문({ $count })을 건너뛸까요? 건너뛸 수 없는 질문은 에이전트에 맡기고 답 없이 계속합니다.
inbox-reject-marked = 질문 { $count }개의 에이전트를 중지할까요?
inbox-arrived = 새 질문 { $count }개

### Web

web-send = 답변 보내기
web-next = 다음
web-back = 뒤로
web-skip = 건너뛰기
web-edit = 변경
web-own-answer = 직접 입력
web-add-note = 메모 추가
web-filter = 항목 필터링
web-choices-shown = 항목 { $count }개 표시
web-select-all = 모두 선택
web-clear-selection = 선택 해제
web-selected-hidden = { $count }개 선택됨, { $hidden }개는 표시되지 않음
web-use-typed = ‘{ $text }’ 사용
web-today = 오늘
web-tomorrow = 내일
web-next-monday = 다음 월요일
web-pick-date = 날짜 선택
web-enter-sends = Enter로 보내기, Shift+Enter로 줄바꿈
web-preview = 미리 보기
web-reject = 에이전트 중지
web-reject-ask = 에이전트를 중지할까요? 답 없이 작업을 끝냅니다.
web-keep-open = 열어 두기
web-decline = 에이전트에 맡기기
web-error = 오류
web-error-summary = 답변 { $count }개에 문제가 있습니다
web-sending = 보내는 중
web-saved-offline = 저장했습니다. 온라인이 되면 보냅니다.
web-form-offline = 연결되지 않았습니다. 답변은 남아 있으니 다시 보내세요.
web-answered-by = { $surface ->
    [terminal] 터미널에서
    [web] 브라우저에서
    [link] 링크를 통해
    [cli] 명령줄에서
    [http] HTTP로
    [mcp] 대화 상자에서
    [telegram] Telegram에서
    [slack] Slack에서
    [ntfy] ntfy를 통해
    [push] 알림에서
    [email] 이메일로
    [command] 명령을 통해
   *[system] 시스템에서
} 답변한 사람: { $person }
web-rejected-by = 에이전트를 중지한 사람: { $person }
web-declined-by = 에이전트에 맡긴 사람: { $person }
web-withdrawn = 에이전트가 철회함
web-expired = { $time }까지 답변이 없었습니다. 에이전트가 답변 없이 계속했습니다.
web-answer-anyway = 그래도 답하기
web-bad-question = 에이전트가 보낸 질문을 표시할 수 없습니다
web-too-late = 이 질문은 닫혔습니다. 답변을 보내지 않았습니다.
web-conflict = 먼저 답한 사람: { $person }. 다음은 그 답변입니다.
for-recipient = { $recipient } 님에게
hand-on = 넘기기…
hand-on-to = { $person } 님에게 넘기기
hand-on-unreachable = { $person } 님은 채널이 없어 메시지를 받지 못하지만 브라우저에서 답변할 수 있습니다
handed-on-to = { $person } 님이 { $to } 님에게 넘겼습니다
handed-on-to-unnamed = { $to } 님에게 넘겨졌습니다
web-hand-on-reason = 이유(선택 사항)
web-handed-on = { $person } 님에게 넘겨졌습니다
web-deadline = { $time }에 마감
web-more-time = 시간 더 주기
web-deadline-kept = 이제 기한이 없습니다. 답변할 때까지 질문이 열려 있습니다.
web-reply-to = { $name }에 답하기
web-composer-blocked = 먼저 위의 질문에 답하세요
web-message = 메시지
web-send-message = 보내기
web-stop = 중지
web-not-stopped = 중지하지 못했습니다. 서버에 연결할 수 없습니다. 연결이 복구되면 다시 시도하세요.
web-offline = 오프라인입니다. 메시지는 여기에 저장됩니다.
web-not-found = 이 질문이 없거나 링크가 만료되었습니다
web-no-conversation = 이 대화가 없거나 삭제되었습니다
web-conversations = 대화
web-new-conversation = 새 대화
web-choose-app = 앱 선택
web-delete = 삭제
web-delete-ask = 이 대화와 답변을 삭제할까요?
web-notify = 질문 알림 받기
web-notify-on = 알림이 켜져 있습니다
web-notify-blocked = 브라우저가 이 페이지의 알림을 차단합니다
web-notify-whom = 누구에게 온 질문인가요?
web-language = 언어
web-theme = 테마
web-theme-auto = 시스템 설정
web-theme-light = 밝게
web-theme-dark = 어둡게
web-digits = 숫자 키로 선택
web-link = 다른 기기에서 답하기
web-link-hint = 코드를 스캔하거나 링크를 여세요. 이 질문에 한 번만 쓸 수 있습니다.
web-copy-link = 링크 복사
web-copied = 복사됨
web-skip-to-question = 질문으로 이동
web-answered = 답변됨
web-answered-unnamed = { $surface ->
    [terminal] 터미널에서
    [web] 브라우저에서
    [link] 링크를 통해
    [cli] 명령줄에서
    [http] HTTP로
    [mcp] MCP 클라이언트에서
    [telegram] Telegram에서
    [slack] Slack에서
    [ntfy] ntfy를 통해
    [push] 알림에서
    [email] 이메일로
    [command] 명령을 통해
   *[system] 시스템에서
} 답변됨
web-refused = 접근이 거부되었습니다. 로그인하거나 토큰을 확인하세요.
web-type-own = 기타: 위에 입력하세요
web-older = 이전 메시지 보기
web-your-name = 이름
web-link-until = { $time }까지 유효합니다.
web-link-local = 이 주소는 이 컴퓨터에서만 열립니다. 휴대전화에서 쓰려면 { $command }로 서버를 시작하세요.
web-late-lead = 질문이 닫혔습니다. 답변은 에이전트에게 메시지로 전달됩니다.
web-late-text = “{ $question }”에 대한 늦은 답변: { $answer }
web-late-sent = 에이전트에게 메시지로 보냈습니다
web-agent-sent = 에이전트가 보낸 내용
web-agent-told = 에이전트가 받은 내용
web-undo-left = 되돌리기({ $seconds }초)
web-held = 보냈습니다. 아직 되돌릴 수 있습니다.
web-undone = 되돌렸습니다. 질문이 다시 열렸습니다.
web-undone-elsewhere = 다른 창에서 답변을 되돌렸습니다. 질문이 다시 열렸습니다.
web-open-again = 질문 보기
web-undo-late = 되돌릴 수 없습니다. 에이전트가 이미 답변을 받았습니다
web-seconds = { $count }초
web-off = 없음
web-deleted = 대화를 삭제했습니다
web-settings = 설정
web-people = 사람
web-people-alias = 짧은 이름(예: anna)
web-people-name = 이름
web-people-add = 추가
web-people-remove = { $person } 제거
web-people-group = 그룹: { $people }
web-people-on-call = 당번: { $person }
web-sign-out = 로그아웃
web-no-such-choice = “{ $text }”은(는) 선택지에 없습니다
web-not-sent = 보내지 않은 답변
web-not-sent-yet = 아직 보내지 않음
web-other-draft = 다른 창이나 기기에 이 답변의 다른 초안이 저장되었습니다.
web-use-other-draft = 그 초안 사용
web-keep-this-draft = 여기 초안 유지
web-next-question = 다음 질문
web-stop-ask = 에이전트를 중지할까요? 하위 에이전트의 질문이 취소됩니다.
web-now-answers = 이 메시지는 이제 “{ $name }”에 대한 답변입니다. 확인하려면 다시 보내세요.
web-now-message = 질문이 닫혔습니다. 다시 보내면 메시지로 전송됩니다.
inbox-reject-marked-confirm = 모두 중지({ $count })
web-details = 자세히
web-more-waiting = { $count }개 더 대기 중
web-previous-question = 이전 질문
web-close = 닫기
web-latest = 최신으로
web-waiting-below = 아래에서 답변을 기다리는 중
web-after-answer = 이후 에이전트가 한 일
web-start-lead = 할 일을 설명하세요. 결정이 필요하면 에이전트가 질문합니다.

inbox-search = 질문 검색
inbox-agent = 에이전트
inbox-all-agents = 모든 에이전트
inbox-sort = 순서
inbox-sort-deadline = 마감이 가까운 순
inbox-sort-oldest = 오래된 순
inbox-sort-newest = 최신순
inbox-for-me = 나에게 온 질문
inbox-clear-filter = 검색과 필터 지우기
inbox-none-match = 일치하는 질문이 없습니다.
inbox-loading = 질문을 불러오는 중…
inbox-listed = { $all }개 중 { $count }개 표시
inbox-position = { $count }개 중 { $index }번째
inbox-all = 모든 질문
inbox-mark = { $name } 표시
inbox-mark-all = 모두 표시
inbox-unmark = 표시 지우기
inbox-skipped = 건너뜀: { $count }
inbox-snooze = 나중에
inbox-snooze-title = 다시 알릴 시간
inbox-snooze-hour = 한 시간 후
inbox-snooze-evening = 오늘 저녁
inbox-snooze-tomorrow = 내일 아침
inbox-snooze-monday = 월요일 아침
inbox-snooze-own = 다른 시간
inbox-snoozed-until = { $time }까지 숨김
inbox-undo-snooze = 실행 취소
inbox-show-snoozed = 나중에({ $count })
inbox-hide-snoozed = 받은 질문으로 돌아가기
inbox-last-words = 질문하기 전에 { $agent }의 말
inbox-open-conversation = 대화 열기
inbox-keys = 키
inbox-key-move = 다음 또는 이전 질문
inbox-key-open = 질문으로 이동
inbox-key-choose = 답변 선택
inbox-key-skip = 건너뛰거나 에이전트에 맡기기
inbox-key-mark = 여러 질문을 처리하도록 표시
inbox-key-undo = 마지막 작업 되돌리기
inbox-key-back = 목록으로 돌아가기, 표시 지우기
web-more-conversations = 더 보기
web-other-agents = 다른 에이전트
web-no-other-agents = 아직 다른 에이전트의 질문이 없습니다. 연결하기: { $command }
inbox-empty-title = 모두 처리했습니다
inbox-empty-lead = 에이전트에게 결정이 필요하면 질문이 여기에 자동으로 나타납니다.
inbox-empty-try = 터미널에서 시험해 보세요:
inbox-declined = 에이전트에게 맡김: { $count }
inbox-failed = 실패: { $count }
web-two-steps = 먼저 고르고 보내기
web-undo-time = 답변을 되돌릴 시간
answered-project = 프로젝트
answered-all-projects = 모든 프로젝트
answered-person = 답변한 사람
answered-everybody = 모두
answered-outcome = 결과
answered-all-outcomes = 모든 결과
answered-no-answer = 답변 없음
answered-copy = Markdown으로 복사
answered-none = 아직 답변이 없습니다.
web-no-model = 설정된 모델이 없습니다. 여기서는 데모 스크립트가 답합니다. 실제 에이전트는 { $command }로 서버를 시작하세요.
inbox-empty-install = 이 컴퓨터의 에이전트 연결:
inbox-agents-ready = 이 컴퓨터에 설정됨: { $agents }. 에이전트에게 무언가 물어보라고 말해 보세요.
web-not-now = 나중에
web-phone = 휴대전화에서
web-phone-scan = 코드를 스캔하세요. 브라우저 하나가 한 번 로그인합니다.
web-too-early = 너무 일러서 무시되었습니다. 다시 누르세요.

### Channels

channel-waiting = 질문이 기다리고 있습니다
channel-waiting-from = { $agent }의 질문이 있습니다
channel-project = 프로젝트: { $project }
channel-open = 열기
channel-write = 쓰기…
channel-next = 다음
channel-back = 뒤로
channel-send = 보내기
channel-undo = 실행 취소
channel-today = 오늘
channel-tomorrow = 내일
channel-in-a-week = 일주일 후
channel-rest-at-link = 나머지는 링크에 있습니다.
channel-answer-at-link = 이 질문은 링크에서 답변하세요.
channel-outcome-at = { $outcome }, { $time }
channel-sent = 보냄: { $answer }
channel-sent-undo = 보냄: { $answer }. { $seconds }초 동안 취소할 수 있습니다.
channel-takes-effect = { $time }에 적용됩니다
channel-held-by = 답변한 사람: { $person }. { $seconds }초 후에 적용됩니다.
channel-changed = 질문이 바뀌었습니다. 다시 확인하세요.
channel-sent-plain = 보냄.
channel-sent-undo-plain = 보냄. { $seconds }초 동안 취소할 수 있습니다.
channel-answer-elsewhere = 이 질문은 터미널이나 브라우저에서 답변하세요.
channel-help = 질문은 버튼과 함께 여기에 도착합니다. 글로 답변하려면 질문 메시지에 답장하세요.
channel-how-to-link = 여기에서 질문을 받으려면 이 명령이 출력하는 코드를 보내세요: askback channel link
channel-text-only = 입력한 텍스트만 답변으로 받습니다. 질문에 답장으로 쓰세요.
channel-not-allowed = 이 질문에 답변할 수 없습니다.
channel-linked = 연결되었습니다. { $name } 님에 대한 질문이 여기로 옵니다.
channel-code-invalid = 코드가 잘못되었거나 이미 사용되었습니다. 새 코드: askback channel link
channel-code-in-group = 개인 대화로 보내 주세요. 다른 사람이 이 코드를 보았으므로 더 이상 쓸 수 없습니다. 새 코드: askback channel link
channel-reply = 이 메시지에 답장으로 답변을 보내세요.
channel-use-fields = 이 메시지에는 질문이 여러 개 있습니다. 입력란을 채우고 보내기를 누르세요.
channel-reply-at-review = 여기서 답변을 확인합니다. 보내기를 누르거나, 뒤로를 눌러 답변을 바꾸세요.
channel-text-added = 입력한 글을 선택한 항목에 추가했습니다. 질문을 다시 확인하고 보내기를 누르세요.
channel-send-again = 답변하지 않음: { $names }. 그대로 보내려면 보내기를 다시 누르세요.
channel-leave-open = 답변하지 않음: { $names }. 이것도 답변하거나 { $example } 로 비워 두세요
channel-reply-range = 이 메시지에 첫날과 마지막 날을 답장하세요. 예: { $example }
channel-reply-last-day = 첫날은 { $start }입니다. 이 메시지에 마지막 날을 답장하세요.
channel-reply-reason = 이 메시지에 이유를 답장하세요.
channel-superseded = 메시지로 답변됨
channel-not-sent = 보내지 못했습니다. 질문을 열거나 다시 시도하세요.
channel-handed-on-by = { $person } 님이 이 질문을 넘겼습니다
channel-handed-on-by-unnamed = 나에게 넘겨졌습니다
channel-still-open = 아직 답변 대기 중: { $question }
channel-new-link = 새 링크: { $link }
channel-still-open-until = 아직 답변 대기 중: { $question }. 만료: { $time }
channel-not-answered-by = { $person } 님이 아직 답변하지 않았습니다
channel-also-sent-to = 아직 답변이 없습니다. { $person } 님에게도 보냈습니다
