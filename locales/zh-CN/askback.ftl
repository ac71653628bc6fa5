### Shared

recommended = （推荐）
other = 其他
asks = { $agent } 提问
question-of = 第 { $index } 题，共 { $count } 题
question-count = { $count } 个问题
select-several = 选择所有适用项
selected-count = 已选 { $count } 项
optional = 可选
note = 备注
from = 从
to = 到
counter = { $used }/{ $max }
number-whole = 一个整数
number-whole-range = { $min } 到 { $max } 之间的整数
number-whole-min = 不小于 { $min } 的整数
number-whole-max = 不大于 { $max } 的整数
number-any = 一个数字
number-range = { $min } 到 { $max } 之间的数字
number-min = 不小于 { $min } 的数字
number-max = 不大于 { $max } 的数字
number-step = 步长为 { $step }
date-any = 一个日期，例如 { $example }
date-between = 从 { $min } 到 { $max }
date-min = { $min } 或之后
date-max = { $max } 或之前
review = 检查
review-lead = 发送前请检查您的回答
send-answers = 发送回答
answer-skipped = 已跳过
answer-open = 未回答
answer-noted = { $answer }（备注：{ $note }）
answer-range = { $start } 至 { $end }
resolved-skipped = { $name }：已跳过
resolved-declined = { $name }：已让智能体决定
resolved-undeliverable = { $name }：从未显示，无人能够回答
someone = 某人
resolved-answered = { $name }：{ $answer }
resolved-stopped = { $name }：智能体已停止
web-failed = 没有成功，请重试。
age-now = 刚刚
problem-empty = { $name }：请给出回答
assumption-marked = 在您回答之前，代理假定：{ $assumption }
agent-not-waiting = 代理现在没有在等待。它再次询问时会收到答案。

### Program

handed-on-to-other = 已转交给其他人
answer-confirm = 发送这些回答吗？y/n：
other-hint = 输入您的回答…
other-specify = 请说明：
unanswered-count = { $count } 个未回答
day-count = { $count } 天
date-long = { $year }年{ $month }{ $day }日 { $weekday }
month-year = { $year }年{ $month }
answer-own = { $answer }（自填）
resolved-open = { $name }：未回答
resolved-superseded = { $name }：已用消息回答
resolved-expired = { $name }：截至 { $time } 无人回答，智能体在没有回答的情况下继续
resolved-cancelled = { $name }：已取消
resolved-timed-out = { $name }：截至 { $time } 无人回答
resolved-withdrawn = { $name }：已被智能体撤回
resolved-elsewhere = { $line } — { $person } { $surface ->
    [terminal] 在终端
    [web] 在浏览器中
    [link] 通过链接
    [cli] 在命令行
    [http] 通过 HTTP
    [mcp] 在对话框中
    [telegram] 在 Telegram 中
    [slack] 在 Slack 中
    [ntfy] 通过 ntfy
    [push] 在通知中
    [email] 通过电子邮件
    [command] 通过命令
   *[system] 由系统
}回答
resolved-elsewhere-unnamed = { $line } — 已{ $surface ->
    [terminal] 在终端
    [web] 在浏览器中
    [link] 通过链接
    [cli] 从命令行
    [http] 通过 HTTP
    [mcp] 在 MCP 客户端
    [telegram] 在 Telegram 中
    [slack] 在 Slack 中
    [ntfy] 通过 ntfy
    [push] 在通知中
    [email] 通过电子邮件
    [command] 通过命令
   *[system] 由系统
}回答
question-unnamed = 该回答
problem-nothing-answered = 尚未回答任何问题：请至少回答一个，或让智能体决定
problem-not-an-object = 回答必须是 JSON 对象，每个问题 ID 对应一项
problem-unknown-question = 没有这个问题：请使用 { $known }
problem-answered-twice = { $name }：回答了两次，请只回答一次
problem-cannot-skip = { $name }：不能跳过，请回答，或让智能体决定
problem-skipped-and-answered = { $name }：既回答又跳过，请二选一
problem-unknown-choice = { $name }：请从这些选项中选择：{ $labels }
problem-ambiguous-choice = { $name }：不够明确。请输入编号和选项文字：{ $lines }
problem-one-choice-only = { $name }：只能选一项
problem-exclusive = { $name }：“{ $label }”不能与其他选项同选
problem-wrong-type = { $name }：应为{ $wants ->
    [choices] 选项：请用 `values`，自填内容用 `own`
    [number] 数字：请用 `number`
    [date] 日期：请用 `date`，例如 2027-03-27
    [date-range] 日期范围：请用 `start` 和 `end`
   *[text] 文本：请用 `text`
}
problem-too-short = { $name }：至少 { $min } 个字符
problem-too-long = { $name }：最多 { $max } 个字符
problem-note-too-long = { $name } 的备注：最多 { $max } 个字符
problem-pattern-mismatch = { $name }：格式不符合要求
problem-too-small = { $name }：不能小于 { $min }
problem-too-large = { $name }：不能大于 { $max }
problem-out-of-range = { $name }：须在 { $min } 到 { $max } 之间
problem-not-whole = { $name }：请填写整数
problem-not-on-step = { $name }：步长须为 { $step }
problem-not-a-number = { $name }：请填写数字，例如 3 或 { $example }
problem-not-a-date = { $name }：请填写日期，例如 2027-03-27
problem-too-early = { $name }：须为 { $min } 或之后
problem-too-late = { $name }：须为 { $max } 或之前
problem-end-before-start = { $name }：结束不能早于开始
problem-of-field = { $field }：{ $problem }
chat-title = 与 { $agent } 对话
chat-left = 对话已保存。用 { $command } 继续
chat-connected = 已重新连接
web-decline-effect = 智能体会得知您没有选择，并继续工作。
web-signed-out = 要登录，请打开 askback 在终端中显示的链接，或输入服务器的令牌
web-token = 令牌
web-sign-in = 登录
web-token-wrong = 这不是此服务器的令牌。请复制完整的令牌后重试。
web-code-used = 此链接已被使用或已过期。要获取新链接，请运行：askback phone
web-no-page = 此页面不存在
web-unavailable = 服务器目前无法访问其数据库。
web-nothing-lost = 没有丢失任何内容：所有问题和已发送的回答都已保存。
web-retrying = 此页面会自动重试。
web-try-again = 重试
web-copy-unsent = 离开此页面前请先复制。
web-today-is = 此处的“今天”是 { $date }。
web-not-answering = 不想回答？
web-skip-effect = 智能体会得知您跳过了此问题。
web-stop-effect = 智能体会被要求停止，得不到答案。
web-thanks-answered = { $named ->
    [yes] 谢谢，{ $agent } 将继续工作。
   *[no] 谢谢，智能体将继续工作。
}
web-thanks-declined = { $named ->
    [yes] 谢谢，{ $agent } 将自行决定并继续工作。
   *[no] 谢谢，智能体将自行决定并继续工作。
}
web-thanks-stopped = { $named ->
    [yes] 已要求 { $agent } 停止。
   *[no] 已要求智能体停止。
}
web-close-page = 您可以关闭此页面。
web-link-expired = 此链接已过期：{ $time }。
web-link-changed = 此链接创建后问题已更改。
web-link-ask-again = 请向发送者索取新链接。
web-link-new = 发送新链接给我
web-link-new-sent = 新链接正在发送，会到达您收到此链接的地方。
web-link-new-recently = 不到一小时前已发送过新链接。请查看您收到此链接的地方。
form-first-day = 第一天
form-last-day = 最后一天
form-skip = 跳过此问题
form-answer = 答案
form-questions = 有问题请您回答
form-left-open = 以下问题未回答。仍要发送吗？
form-send-anyway = 仍要发送
web-no-script = 此页面需要 JavaScript。要在没有它时回答问题，请打开 /q/ 加问题 ID。
web-link-not-allowed = 此链接不允许该操作。请返回作答，或询问发送链接的人。

### Terminal

inbox-new-appear = 新问题会自动出现在这里。
problem-empty-here = 请回答此问题
hint-navigate = { $keys } 移动
hint-select = { $keys } 选择
hint-toggle = { $keys } 切换
hint-all = { $keys } 全选
hint-send = { $keys } 发送
hint-next = { $keys } 下一题
hint-back = { $keys } 返回
hint-skip = { $keys } 跳过
hint-note = { $keys } 备注
hint-preview = { $keys } 预览
hint-leave = { $keys } 离开…
hint-line = { $keys } 换行
hint-new-line = { $keys } 换行
hint-editor = { $keys } 编辑器
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } 日/周
hint-month = { $keys } 月
hint-year = { $keys } 年
hint-today = { $keys } 今天
hint-change = { $keys } 修改
hint-choose = { $keys } 选择
hint-back-to-question = { $keys } 回到问题
hint-back-to-list = { $keys } 回到列表
hint-type-to-filter = 输入以筛选
hint-type-answer = 输入你的回答
hint-clear = { $keys } 清除
hint-close = { $keys } 关闭
hint-scroll = { $keys } 滚动
hint-keys = { $keys } 全部按键
tiny-ok = { $keys }确定
tiny-read = { $keys } 阅读
tiny-cancel = { $keys }…
leave-title = 离开这个问题？
leave-keep = 稍后回答
leave-keep-effect = （问题保持开放）
leave-quit = 不作答并离开
leave-quit-effect = （问题不会保留）
leave-decline = 让智能体决定
leave-decline-effect = （它将在没有答案的情况下继续）
leave-stop = 停止智能体
leave-stop-effect = （它会结束工作）
sure-decline = 让智能体决定吗？它会在没有答案的情况下继续。
sure-stop = 停止智能体吗？它会在没有答案的情况下结束工作。
leave-cancel = 取消这个问题
leave-cancel-effect = （脚本得不到答案）
sure-cancel = 取消这个问题吗？脚本得不到答案。
deadline-closing = { $left } 后关闭 • 按任意键保持开放
deadline-fallback = 若无人回答：智能体在没有回答的情况下继续
deadline-over = 时间已到，但在服务器关闭之前仍可回答
shown-of = 显示 { $shown } / { $count }
more-rows = 还有 { $count } 项
folded = { $count } 个问题等待回答 • { $keys } 打开 • { $question }
help-title = 按键
help-move = 移动焦点
help-ends = 首行和末行
help-page = 一页
help-half-page = 半页
help-digit = 选择并继续
help-digit-several = 勾选或取消
help-digit-moves = 移到此编号的行
help-mark = 标记但不继续
help-toggle = 勾选或取消
help-confirm = 选择并继续
help-confirm-several = 发送已勾选项；若没有，则勾选此行
help-confirm-text = 发送或继续
help-yes = 回答是
help-no = 回答否
help-send = 全部发送
help-new-line = 换行
help-next-question = 下一个问题
help-previous-question = 上一个问题
help-all = 全部勾选
help-invert = 反选
help-filter = 筛选选项
help-other = 自己填写回答
help-note = 添加备注
help-skip = 跳过此问题
help-review = 检查全部回答
help-preview = 预览选项
help-preview-scroll = 滚动预览
help-read = 阅读全文
help-fold = 折叠成一行
help-link = 复制链接
help-share = 用于手机的链接和二维码
help-hand-on = 转交给其他人
hand-on-nobody = 配置中没有其他人。
notice-handed-on = 已转交
hint-share = { $keys } 手机
hint-copy = { $keys } 复制
share-title = 在其他设备上回答
share-making = 正在生成链接…
share-once = 只能使用一次，有效期至 { $time }。
share-local = 只有本机可以打开。要在手机上使用，请运行 askback serve --phone。
share-small = 窗口太小，无法显示二维码。
notice-no-share = 没有链接：只有使用 --durable 才会保存
help-undo = 撤销上一个回答
help-clear-marks = 清除所有标记
help-help = 显示全部按键
help-editor = 打开编辑器
help-step = 增减一步
help-step-ten = 增减十步
help-day = 一天
help-week = 一周
help-month = 一个月
help-year = 一年
help-today = 今天
help-line-ends = 行首和行尾
help-caret = 移动光标
help-erase = 删除
help-recall = 之前发送的消息
help-back = 后退一步，最后是离开菜单
help-detach = 离开，问题保留
help-undo-change = 撤销上一次更改
help-suspend = 挂起
help-repaint = 重绘
notice-paste = 此处不能粘贴
notice-too-soon = 太快：按键已忽略
notice-nothing-typed = 请输入答案，或按 { $keys } 跳过
notice-number-only = 只能输入数字
date-not-understood = 不是日期。请输入 2027-03-27 或“{ $tomorrow }”
date-does-not-exist = { $year }年{ $month }{ $day }日不存在
date-day-does-not-exist = { $month }{ $day }日不存在
date-ambiguous = 是 { $one } 还是 { $other }？请按 { $example } 的格式输入
date-is-period = 哪一天？请输入“1周后”或“星期五”
number-ambiguous = 是 { $grouped } 还是 { $decimal }？请按其中一种写法输入
notice-not-skippable = 此问题必须回答；{ $keys } 转到下一个
notice-yes-or-no = 请按 y 或 n，或先移到一个选项
notice-read-on = 请先读完再回答
typed-label = 已输入：{ $text }
typed-label-ambiguous = { $text }：有多个选项以此开头
typed-label-unknown = { $text }：没有选项以此开头 • { $keys } 清除
typed-label-yes-or-no = { $text }：请回答 { $yes } 或 { $no } • { $keys } 清除
notice-no-preview = 此选项没有预览
notice-editor-missing = 要用编辑器书写，请设置 VISUAL 或 EDITOR
notice-editor-failed = 编辑器异常退出，您的文字没有改变
notice-link-copied = 链接已复制
notice-undone = 已撤销，问题重新开放
elsewhere-undoable = 对方仍可撤销。撤销后，问题会在这里重新打开。
elsewhere-undo-left = 已在别处回答。对方可在 { $seconds } 秒内撤销。
notice-too-late-to-undo = 无法撤销：智能体已收到回答
notice-nothing-to-undo = 没有可撤销的内容
hint-undo-answer = { $keys }：撤销（{ $seconds } 秒）
hint-send-now = { $keys } 继续
help-send-now = 立即继续，不等待撤销时间结束
undo-left = 回答已保存。不能再撤销时，智能体会收到它。
line-undo = 要撤销，请在 { $seconds } 秒内输入 u 并按回车。空行继续：
detached = { $name }：已保留。稍后用 { $command } 回答
unsent-text = 未发送：{ $text }
unsent-unreachable = 未发送：无法连接服务器。问题仍未关闭。
line-question = { $agent } 的第 { $index } 题，共 { $count } 题
line-choice = { $number }. { $label }。
line-choice-described = { $number }. { $label }。{ $description }。
line-choice-recommended = { $number }. { $label }，推荐。
line-choice-recommended-described = { $number }. { $label }，推荐。{ $description }。
line-other = { $number }. { $other }：自己填写。
line-prompt-one = 输入 1 到 { $count }，? 查看帮助：
line-prompt-several = 输入 1 到 { $count } 的编号，用逗号分隔，? 查看帮助：
line-prompt-text = 输入回答，? 查看帮助：
line-prompt-number = 输入数字，? 查看帮助：
line-prompt-date = 输入日期，例如 { $example }，? 查看帮助：
line-prompt-start = 第一天，例如 { $example }，? 查看帮助：
line-prompt-end = 最后一天，? 查看帮助：
line-prompt-other = 您的回答：
line-prompt-note = 您的备注，空行表示没有：
line-prompt-review = 输入编号修改回答，空行发送：
line-prompt-leave = 输入 1 到 { $count }，空行返回：
line-help = 输入选项的编号。
line-help-several = 输入编号，用逗号分隔，例如 1,3。
line-help-review = 空行发送所有回答。输入问题编号可修改该回答。
line-help-text = 输入回答后按 enter。
line-help-yes-no = 输入 y 表示是，n 表示否，或输入选项的编号。
line-help-number = 输入数字后按 enter。
line-help-date = 输入日期后按 enter，例如 2027-03-27、周五或 2周后。
line-help-skip = { $keys } 跳过此问题
line-help-back = { $keys } 返回
line-help-note = { $keys } 添加备注
line-help-leave = { $keys } 离开问题
line-help-help = { $keys } 显示此帮助
line-help-later = { $keys } 稍后回答此问题并转到下一个
line-help-list = { $keys } 返回列表
line-chosen = 已选：{ $answer }。
line-chosen-sent = 已选：{ $answer }。已发送。
line-skipped = 已跳过。
line-sent = 已发送。
line-deadline = 此问题将于 { $time } 关闭。任何输入都会使其保持开放。
line-not-understood = 请输入 1 到 { $count } 的编号；尚未选择。
line-review-not-understood = 无法识别。没有发送任何内容。
line-too-soon = 输入得太快，已被忽略。请重新输入。
line-pasted = 粘贴的多行已忽略。请在一行内输入答案。
line-pasted-kept = 粘贴了多行。尚未发送。
line-pasted-message = 粘贴了多行。按回车键作为一条消息发送，或输入其他内容替换：
line-nothing-typed = 没有输入任何内容。/s 跳过此问题。
line-prompt-yes-no = 输入 y（是）或 n（否）、1 到 { $count }，? 查看帮助：
line-prompt-sure = 输入“是”或 yes 确认，空行返回：
line-so-far = 目前的答案：{ $answer }。输入空行即可保留。
line-inbox-item = { $number }. { $name }，来自 { $agent }。
line-inbox-prompt = 输入问题的编号，空行表示第一个，? 查看帮助：
line-inbox-help = 输入要回答的问题的编号。l 再次列出，q 离开，? 显示此帮助。
line-inbox-quit = 输入 q 离开：
pipe-waiting = { $count } 个问题等待回答（{ $id }，{ $agent }：{ $name }）
pipe-no-terminal = 没有交互式终端，未作任何回答
pipe-no-terminal-hint = 请在终端中运行。如果有终端但输入来自管道，请添加 --tty。要保存问题并在别处回答，请添加 --durable。
pipe-answer = 用  { $command }  回答，或打开
chat-hint-send = { $keys } 发送
chat-hint-stop = { $keys } 停止
chat-hint-leave = { $keys } 离开
inbox-hint-open = { $keys } 打开
inbox-hint-move = { $keys } 移动
inbox-hint-mark = { $keys } 标记
inbox-hint-reject = { $keys } 停止智能体
inbox-hint-skip = { $keys } 跳过
inbox-hint-snooze = { $keys } 稍后提醒
inbox-hint-undo = { $keys } 撤销
inbox-undo = { $line } — { $keys }：撤销（{ $seconds } 秒）
inbox-hint-quit = { $keys } 退出
chat-busy = { $agent } 仍在工作。消息尚未发送；{ $keys } 打开菜单。
chat-offered = 按 enter 将其作为回答发送
chat-question-first = 请先回答问题。您的消息没有发送。
chat-sending = 正在发送
chat-attempt = 模型服务商没有响应，重试 { $count }/{ $max }
chat-helpers = { $agent } 正在等待子智能体：{ $count }
chat-menu-title = 菜单
chat-menu-stay = 留在这里
chat-menu-stop = 停止 { $agent }
chat-menu-stop-effect = （对话会保留）
chat-menu-leave = 离开
chat-menu-leave-effect = （会话会保留）
chat-menu-earlier = 以前的会话
chat-menu-link = 显示浏览器链接
chat-no-earlier = 没有以前的会话
chat-hint-menu = { $keys } 菜单
chat-error-overloaded = 服务商繁忙。发送任意消息即可重试。
chat-error-network = 无法连接服务商。请检查网络和 --base-url，然后发送任意消息重试。
chat-error-refused = 请检查密钥和模型，重新启动后继续此会话。
chat-error-rounds = 智能体步骤过多，仍未完成。发送任意消息让它继续。
chat-error-other = 发送任意消息即可重试。
chat-link = 在浏览器中打开：{ $link }
demo-hello = 让我看看 askback 能做什么
demo-resumed = 欢迎回来：一切都在原处。
inbox-stop-marked = 停止所有已标记问题（{ $count }）的智能体吗？它们会在没有答案的情况下结束工作。
inbox-hint-decline = { $keys } 由智能体决定
inbox-hint-answer = { $keys } 回答
inbox-hint-yes = { $keys } 是
inbox-hint-no = { $keys } 否
inbox-hint-go-on = { $keys } 继续
inbox-how = 在另一个终端试试：askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = 按 { $keys } 打开此问题
inbox-ended-here = 这个问题已经有人回答。按 { $keys } 转到下一个
inbox-more = 还有 { $count } 个问题
chat-stopped = 已停止。写一条消息即可继续。
inbox-next = 下一个：{ $name }
inbox-gone = 此问题已不再开放
inbox-draft = 草稿

### Chat and inbox

chat-you = 您
chat-prompt = 写一条消息
chat-thinking = { $agent } 正在思考
chat-working = { $agent } 正在使用 { $tool }
chat-waiting = { $agent } 在等您的回答
chat-failed = { $agent } 失败：{ $reason }
chat-retry = { $reason }，重试 { $count }/{ $max }
chat-connecting = 正在连接
chat-connection-lost = 连接中断，正在重试
inbox-title = 收件箱
inbox-count = { $count ->
    [0] 没有等待您的问题
   *[other] { $count } 个问题等待回答
}
inbox-empty = 没有等待您的问题。新问题会自动出现在这里。
inbox-marked = 已标记 { $count } 个
inbox-decline-marked = 所有已标记的问题（{ $count }）都让智能体决定吗？它们会在没有答案的情况下继续。
inbox-skip-marked = 跳过所有已标记的问题（{ $count }）吗？
inbox-skip-or-decline-marked = 跳过已标记的问题（{ $count }）吗？不能跳过的问题由智能体决定，它们会在没有答案的情况下继续。
inbox-reject-marked = 停止 { $count } 个问题的智能体吗？
inbox-arrived = { $count } 个新问题

### Web

web-send = 发送回答
web-next = 下一题
web-back = 返回
web-skip = 跳过
web-edit = 修改
web-own-answer = 您的回答
web-add-note = 添加备注
web-filter = 筛选选项
web-choices-shown = 显示 { $count } 个选项
web-select-all = 全选
web-clear-selection = 清除选择
web-selected-hidden = 已选 { $count } 项，其中 { $hidden } 项未显示
web-use-typed = 使用“{ $text }”
web-today = 今天
web-tomorrow = 明天
web-next-monday = 下周一
web-pick-date = 选择日期
web-enter-sends = Enter 发送，Shift+Enter 换行
web-preview = 预览
web-reject = 停止智能体
web-reject-ask = 停止智能体吗？它会在没有答案的情况下结束工作。
web-keep-open = 保留
web-decline = 让智能体决定
web-error = 错误
web-error-summary = { $count } 个回答有问题
web-sending = 正在发送
web-saved-offline = 已保存。联网后会发送。
web-form-offline = 无法连接。您的回答已保留，请重新发送。
web-answered-by = { $person } { $surface ->
    [terminal] 在终端
    [web] 在浏览器中
    [link] 通过链接
    [cli] 在命令行
    [http] 通过 HTTP
    [mcp] 在对话框中
    [telegram] 在 Telegram 中
    [slack] 在 Slack 中
    [ntfy] 通过 ntfy
    [push] 在通知中
    [email] 通过电子邮件
    [command] 通过命令
   *[system] 由系统
}回答
web-rejected-by = { $person } 停止了智能体
web-declined-by = { $person } 让智能体决定
web-withdrawn = 已被智能体撤回
web-expired = 截至 { $time } 无人回答。智能体已在没有回答的情况下继续。
web-answer-anyway = 仍要回答
web-bad-question = 智能体发来的问题无法显示
web-too-late = 此问题已关闭。您的回答未发送。
web-conflict = { $person } 先回答了。这是其回答。
for-recipient = 给 { $recipient }
hand-on = 转交…
hand-on-to = 转交给 { $person }
hand-on-unreachable = { $person } 没有渠道，收不到消息，但可以在浏览器中回答
handed-on-to = { $person } 已转交给 { $to }
handed-on-to-unnamed = 已转交给 { $to }
web-hand-on-reason = 原因（可选）
web-handed-on = 已转交给 { $person }
web-deadline = { $time } 关闭
web-more-time = 给我更多时间
web-deadline-kept = 已无截止时间。问题会一直开放,直到您回答。
web-reply-to = 回复 { $name }
web-composer-blocked = 请先回答上面的问题
web-message = 消息
web-send-message = 发送
web-stop = 停止
web-not-stopped = 未能停止：无法连接服务器。恢复连接后请重试。
web-offline = 您已离线。消息保存在此。
web-not-found = 此问题不存在，或链接已过期
web-no-conversation = 此对话不存在或已被删除
web-conversations = 对话
web-new-conversation = 新对话
web-choose-app = 选择应用
web-delete = 删除
web-delete-ask = 删除此对话及其回答？
web-notify = 有问题时通知我
web-notify-on = 通知已开启
web-notify-blocked = 浏览器阻止了此页面的通知
web-notify-whom = 谁的问题？
web-language = 语言
web-theme = 主题
web-theme-auto = 跟随系统
web-theme-light = 浅色
web-theme-dark = 深色
web-digits = 用数字键选择
web-link = 在其他设备上回答
web-link-hint = 扫描二维码或打开链接。仅限此问题使用一次。
web-copy-link = 复制链接
web-copied = 已复制
web-skip-to-question = 前往问题
web-answered = 已回答
web-answered-unnamed = 已{ $surface ->
    [terminal] 在终端
    [web] 在浏览器中
    [link] 通过链接
    [cli] 从命令行
    [http] 通过 HTTP
    [mcp] 在 MCP 客户端
    [telegram] 在 Telegram 中
    [slack] 在 Slack 中
    [ntfy] 通过 ntfy
    [push] 在通知中
    [email] 通过电子邮件
    [command] 通过命令
   *[system] 由系统
}回答
web-refused = 访问被拒绝。请登录或检查令牌。
web-type-own = 其他：在上方输入
web-older = 显示更早的消息
web-your-name = 你的名字
web-link-until = 链接有效至 { $time }。
web-link-local = 只有本机能打开此地址。要在手机上使用，请用 { $command } 启动服务器。
web-late-lead = 此问题已关闭。您的回答将作为消息发给智能体。
web-late-text = 我对“{ $question }”的迟到回答：{ $answer }
web-late-sent = 已作为消息发给智能体
web-agent-sent = 智能体发送的内容
web-agent-told = 智能体收到的内容
web-undo-left = 撤销（{ $seconds } 秒）
web-held = 已发送。仍可撤销。
web-undone = 已撤销。问题重新开放。
web-undone-elsewhere = 您的回答已在另一个窗口中撤销。问题重新开放。
web-open-again = 显示问题
web-undo-late = 来不及撤销：智能体已收到回答
web-seconds = { $count } 秒
web-off = 关闭
web-deleted = 对话已删除
web-settings = 设置
web-people = 人员
web-people-alias = 简短名称，例如 anna
web-people-name = 姓名
web-people-add = 添加
web-people-remove = 移除 { $person }
web-people-group = 小组：{ $people }
web-people-on-call = 值班：{ $person }
web-sign-out = 退出登录
web-no-such-choice = “{ $text }”不在选项中
web-not-sent = 您未发送的回答
web-not-sent-yet = 尚未发送
web-other-draft = 另一个窗口或设备保存了此回答的不同草稿。
web-use-other-draft = 使用那份草稿
web-keep-this-draft = 保留此处的草稿
web-next-question = 下一个问题
web-stop-ask = 停止智能体吗？其子智能体的问题将被取消。
web-now-answers = 这条消息现在会回答“{ $name }”。再次发送以确认。
web-now-message = 问题已关闭。再次发送即可作为消息发出。
inbox-reject-marked-confirm = 全部停止（{ $count }）
web-details = 详细信息
web-more-waiting = 还有 { $count } 个在等待
web-previous-question = 上一个问题
web-close = 关闭
web-latest = 最新
web-waiting-below = 正在下方等待您的回答
web-after-answer = 智能体接下来做了什么
web-start-lead = 描述一项任务。需要您决定时，智能体会问您。

inbox-search = 搜索问题
inbox-agent = 智能体
inbox-all-agents = 所有智能体
inbox-sort = 顺序
inbox-sort-deadline = 截止时间近的在前
inbox-sort-oldest = 最早的在前
inbox-sort-newest = 最新的在前
inbox-for-me = 给我的
inbox-clear-filter = 清除搜索和筛选
inbox-none-match = 没有匹配的问题。
inbox-loading = 正在加载问题…
inbox-listed = 显示 { $count } 个，共 { $all } 个
inbox-position = 第 { $index } 个，共 { $count } 个
inbox-all = 所有问题
inbox-mark = 标记 { $name }
inbox-mark-all = 全部标记
inbox-unmark = 清除标记
inbox-skipped = 已跳过：{ $count }
inbox-snooze = 稍后提醒
inbox-snooze-title = 稍后提醒，直到
inbox-snooze-hour = 一小时后
inbox-snooze-evening = 今晚
inbox-snooze-tomorrow = 明天上午
inbox-snooze-monday = 周一上午
inbox-snooze-own = 其他时间
inbox-snoozed-until = 稍后提醒，直到 { $time }
inbox-undo-snooze = 撤销
inbox-show-snoozed = 稍后提醒（{ $count }）
inbox-hide-snoozed = 返回收件箱
inbox-last-words = { $agent } 提问前写道
inbox-open-conversation = 打开对话
inbox-keys = 按键
inbox-key-move = 下一个或上一个问题
inbox-key-open = 进入问题
inbox-key-choose = 选择一个回答
inbox-key-skip = 跳过，或让智能体决定
inbox-key-mark = 标记多个以便一起处理
inbox-key-undo = 撤销上一步操作
inbox-key-back = 返回列表，清除标记
web-more-conversations = 显示更多
web-other-agents = 其他代理
web-no-other-agents = 还没有其他代理提过问题。连接一个：{ $command }
inbox-empty-title = 全部处理完毕
inbox-empty-lead = 当代理需要您做决定时，问题会自动显示在这里。
inbox-empty-try = 在终端中试一试：
inbox-declined = 交由代理决定：{ $count }
inbox-failed = 失败：{ $count }
web-two-steps = 先选择，再发送
web-undo-time = 撤销答案的时间
answered-project = 项目
answered-all-projects = 所有项目
answered-person = 回答者
answered-everybody = 所有人
answered-outcome = 结果
answered-all-outcomes = 所有结果
answered-no-answer = 未回答
answered-copy = 复制为 Markdown
answered-none = 还没有回答过任何问题。
web-no-model = 没有配置模型：这里由演示脚本回复。要使用真正的智能体，请用 { $command } 启动服务器。
inbox-empty-install = 连接本机上的智能体：
inbox-agents-ready = 本机已设置：{ $agents }。让其中一个代理向你提一个问题。
web-not-now = 以后再说
web-phone = 在手机上
web-phone-scan = 扫描二维码。它让一个浏览器登录一次。
web-too-early = 太早了，未起作用。请再按一次。

### Channels

channel-waiting = 有一个问题在等待
channel-waiting-from = { $agent } 有一个问题
channel-project = 项目：{ $project }
channel-open = 打开
channel-write = 填写…
channel-next = 下一步
channel-back = 返回
channel-send = 发送
channel-undo = 撤销
channel-today = 今天
channel-tomorrow = 明天
channel-in-a-week = 一周后
channel-rest-at-link = 其余内容在链接中。
channel-answer-at-link = 请在链接中回答此问题。
channel-outcome-at = { $outcome }，{ $time }
channel-sent = 已发送：{ $answer }
channel-sent-undo = 已发送：{ $answer }。{ $seconds } 秒内可以撤销。
channel-takes-effect = { $time } 生效
channel-held-by = { $person } 已回答。答案将在 { $seconds } 秒后生效。
channel-changed = 问题已更改。请再看一遍。
channel-sent-plain = 已发送。
channel-sent-undo-plain = 已发送。{ $seconds } 秒内可以撤销。
channel-answer-elsewhere = 请在终端或浏览器中回答此问题。
channel-help = 问题会带着按钮发送到这里。要用文字作答，请回复该问题的消息。
channel-how-to-link = 要在此接收问题，请发送此命令显示的代码：askback channel link
channel-text-only = 只有输入的文字才算回答。请以回复问题的方式书写。
channel-not-allowed = 你不能回答此问题。
channel-linked = 已关联。发给 { $name } 的问题会到这里。
channel-code-invalid = 此代码错误或已使用过。获取新代码：askback channel link
channel-code-in-group = 请在私聊中发给我。其他人已看到此代码，因此它已失效。获取新代码：askback channel link
channel-reply = 请回复此消息来作答。
channel-use-fields = 此消息有多个问题。请填写各字段，然后按“发送”。
channel-reply-at-review = 这里是检查回答的页面。请按“发送”，或按“返回”修改回答。
channel-text-added = 您的文字已添加到勾选的选项中。请再看一遍问题，然后按“发送”。
channel-send-again = 未回答：{ $names }。如仍要发送，请再按一次“发送”。
channel-leave-open = 未回答：{ $names }。请一并回答，或用 { $example } 将其留空
channel-reply-range = 请回复此消息，写明第一天和最后一天，例如 { $example }
channel-reply-last-day = 第一天是 { $start }。请回复此消息，写明最后一天。
channel-reply-reason = 请回复此消息，写明原因。
channel-superseded = 已用消息回答
channel-not-sent = 未发送。请打开问题，或重试。
channel-handed-on-by = { $person } 将此问题转交给你
channel-handed-on-by-unnamed = 已转交给你
channel-still-open = 仍待回答：{ $question }
channel-new-link = 新链接：{ $link }
channel-still-open-until = 仍待回答：{ $question }。到期时间：{ $time }。
channel-not-answered-by = { $person } 尚未回答
channel-also-sent-to = 尚未回答，也已发送给 { $person }
