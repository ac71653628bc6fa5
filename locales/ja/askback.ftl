### Shared

recommended = （おすすめ）
other = その他
asks = { $agent } からの質問
question-of = 質問 { $index } / { $count }
question-count = 質問 { $count } 件
select-several = 当てはまるものをすべて選択
selected-count = { $count } 件選択中
optional = 任意
note = メモ
from = 開始
to = 終了
counter = { $used }/{ $max }
number-whole = 整数
number-whole-range = { $min } から { $max } までの整数
number-whole-min = { $min } 以上の整数
number-whole-max = { $max } 以下の整数
number-any = 数値
number-range = { $min } から { $max } までの数値
number-min = { $min } 以上の数値
number-max = { $max } 以下の数値
number-step = { $step } 刻み
date-any = 日付（例: { $example }）
date-between = { $min } から { $max } まで
date-min = { $min } 以降
date-max = { $max } 以前
review = 確認
review-lead = 送信前に回答を確認してください
send-answers = 回答を送信
answer-skipped = スキップ済み
answer-open = 未回答
answer-noted = { $answer }（メモ: { $note }）
answer-range = { $start } から { $end } まで
resolved-skipped = { $name }: スキップしました
resolved-declined = { $name }: エージェントに任せました
resolved-undeliverable = { $name }: 表示されず、誰も回答できませんでした
someone = だれか
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: エージェントを停止しました
web-failed = うまくいきませんでした。もう一度お試しください。
age-now = たった今
problem-empty = { $name }: 回答を入力してください
assumption-marked = 回答があるまでのエージェントの仮定：{ $assumption }
agent-not-waiting = エージェントは今待っていません。次に尋ねたときに回答を受け取ります。

### Program

handed-on-to-other = ほかの人に引き継がれました
answer-confirm = この回答を送信しますか? y/n:
other-hint = 自由に入力…
other-specify = 具体的に入力してください:
unanswered-count = 未回答 { $count } 件
day-count = { $count } 日間
date-long = { $year }年{ $month }{ $day }日 { $weekday }
month-year = { $year }年{ $month }
answer-own = { $answer }（自由回答）
resolved-open = { $name }: 未回答
resolved-superseded = { $name }: メッセージで回答
resolved-expired = { $name }: { $time } までに回答なし、エージェントは回答なしで続行
resolved-cancelled = { $name }: 取り消しました
resolved-timed-out = { $name }: { $time } までに回答なし
resolved-withdrawn = { $name }: エージェントが取り下げました
resolved-elsewhere = { $line } — { $person } が{ $surface ->
    [terminal] ターミナル
    [web] ブラウザー
    [link] リンク
    [cli] コマンドライン
    [http] HTTP
    [mcp] ダイアログ
    [telegram] Telegram
    [slack] Slack
    [ntfy] ntfy
    [push] 通知
    [email] メール
    [command] コマンド
   *[system] システム
}で回答
resolved-elsewhere-unnamed = { $line } — { $surface ->
    [terminal] ターミナル
    [web] ブラウザー
    [link] リンク
    [cli] コマンドライン
    [http] HTTP
    [mcp] MCP クライアント
    [telegram] Telegram
    [slack] Slack
    [ntfy] ntfy
    [push] 通知
    [email] メール
    [command] コマンド
   *[system] システム
}で回答済み
question-unnamed = この回答
problem-nothing-answered = どの質問にも回答がありません。少なくとも 1 つ回答するか、エージェントに任せてください
problem-not-an-object = 回答は質問 ID ごとに 1 項目を持つ JSON オブジェクトにしてください
problem-unknown-question = その質問はありません。使えるもの: { $known }
problem-answered-twice = { $name }: 2 回回答されています。1 回だけ回答してください
problem-cannot-skip = { $name }: スキップできません。回答するか、エージェントに任せてください
problem-skipped-and-answered = { $name }: 回答とスキップの両方が指定されています。どちらか一方にしてください
problem-unknown-choice = { $name }: 選択肢から選んでください: { $labels }
problem-ambiguous-choice = { $name }: はっきりしません。番号とラベルを入力してください: { $lines }
problem-one-choice-only = { $name }: 選べるのは 1 つだけです
problem-exclusive = { $name }: 「{ $label }」は他の選択肢と一緒に選べません
problem-wrong-type = { $name }: { $wants ->
    [choices] 選択肢を指定してください（`values`、自由回答は `own`）
    [number] 数値を指定してください（`number`）
    [date] 日付を指定してください（`date`、例: 2027-03-27）
    [date-range] 期間を指定してください（`start` と `end`）
   *[text] テキストを指定してください（`text`）
}
problem-too-short = { $name }: { $min } 文字以上で入力してください
problem-too-long = { $name }: { $max } 文字以内で入力してください
problem-note-too-long = { $name } のメモ: { $max } 文字以内で入力してください
problem-pattern-mismatch = { $name }: 指定された形式で入力してください
problem-too-small = { $name }: { $min } 以上にしてください
problem-too-large = { $name }: { $max } 以下にしてください
problem-out-of-range = { $name }: { $min } から { $max } までにしてください
problem-not-whole = { $name }: 整数で入力してください
problem-not-on-step = { $name }: { $step } 刻みで入力してください
problem-not-a-number = { $name }: 数値を入力してください（例: 3、{ $example }）
problem-not-a-date = { $name }: 日付を入力してください（例: 2027-03-27）
problem-too-early = { $name }: { $min } 以降にしてください
problem-too-late = { $name }: { $max } 以前にしてください
problem-end-before-start = { $name }: 終了日は開始日以降にしてください
problem-of-field = { $field }: { $problem }
chat-title = { $agent } とのチャット
chat-left = 会話は保存されています。続けるには { $command }
chat-connected = 再接続しました
web-decline-effect = 何も選ばなかったことがエージェントに伝わり、エージェントは続行します。
web-signed-out = サインインするには、askback が端末に表示したリンクを開くか、サーバーのトークンを入力してください
web-token = トークン
web-sign-in = サインイン
web-token-wrong = このサーバーのトークンではありません。トークン全体をコピーして、もう一度お試しください。
web-code-used = このリンクはすでに使われたか、古すぎます。新しいリンクは askback phone で作れます。
web-no-page = このページは存在しません
web-unavailable = サーバーは現在データベースに接続できません。
web-nothing-lost = 失われるものはありません。すべての質問と送信済みの回答は保存されています。
web-retrying = このページは自動的に再試行します。
web-try-again = 再試行
web-copy-unsent = このページを離れる前にコピーしてください。
web-today-is = ここでの「今日」は { $date } です。
web-not-answering = 回答しない場合
web-skip-effect = この質問をスキップしたことがエージェントに伝わります。
web-stop-effect = エージェントは回答なしで停止するよう指示されます。
web-thanks-answered = { $named ->
    [yes] ありがとうございます。{ $agent } が続行します。
   *[no] ありがとうございます。エージェントが続行します。
}
web-thanks-declined = { $named ->
    [yes] ありがとうございます。{ $agent } が判断して続行します。
   *[no] ありがとうございます。エージェントが判断して続行します。
}
web-thanks-stopped = { $named ->
    [yes] { $agent } に停止を指示しました。
   *[no] エージェントに停止を指示しました。
}
web-close-page = このページを閉じてかまいません。
web-link-expired = このリンクの有効期限が切れました: { $time }
web-link-changed = このリンクの作成後に質問が変更されました。
web-link-ask-again = 送ってくれた人に新しいリンクを頼んでください。
web-link-new = 新しいリンクを送る
web-link-new-sent = 新しいリンクを送信しています。このリンクが届いた場所に届きます。
web-link-new-recently = 1 時間以内に新しいリンクが送信されています。このリンクが届いた場所を確認してください。
form-first-day = 初日
form-last-day = 最終日
form-skip = この質問をスキップ
form-answer = 回答
form-questions = 質問があります
form-left-open = 次の質問は未回答です。このまま送信しますか？
form-send-anyway = このまま送信
web-no-script = このページには JavaScript が必要です。JavaScript なしで回答するには、/q/ に続けて質問の ID を開いてください。
web-link-not-allowed = このリンクではその操作はできません。戻って回答するか、リンクを送った人に確認してください。

### Terminal

inbox-new-appear = 新しい質問はここに自動で表示されます。
problem-empty-here = この質問に回答してください
hint-navigate = { $keys } 移動
hint-select = { $keys } 選択
hint-toggle = { $keys } 切替
hint-all = { $keys } すべて
hint-send = { $keys } 送信
hint-next = { $keys } 次へ
hint-back = { $keys } 戻る
hint-skip = { $keys } スキップ
hint-note = { $keys } メモ
hint-preview = { $keys } プレビュー
hint-leave = { $keys } 離れる…
hint-line = { $keys } 改行
hint-new-line = { $keys } 改行
hint-editor = { $keys } エディター
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } 日/週
hint-month = { $keys } 月
hint-year = { $keys } 年
hint-today = { $keys } 今日
hint-change = { $keys } 変更
hint-choose = { $keys } 選択
hint-back-to-question = { $keys } 質問に戻る
hint-back-to-list = { $keys } 一覧に戻る
hint-type-to-filter = 入力で絞り込み
hint-type-answer = 回答を入力
hint-clear = { $keys } 消去
hint-close = { $keys } 閉じる
hint-scroll = { $keys } スクロール
hint-keys = { $keys } キー一覧
tiny-ok = { $keys }OK
tiny-read = { $keys } 読む
tiny-cancel = { $keys }…
leave-title = この質問を離れますか？
leave-keep = 後で答える
leave-keep-effect = （質問は開いたままです）
leave-quit = 答えずに離れる
leave-quit-effect = （質問は残りません）
leave-decline = エージェントに任せる
leave-decline-effect = （答えなしで続けます）
leave-stop = エージェントを停止
leave-stop-effect = （作業を終えます）
sure-decline = エージェントに任せますか？答えなしで続けます。
sure-stop = エージェントを停止しますか？答えなしで作業を終えます。
leave-cancel = 質問を取り消す
leave-cancel-effect = （スクリプトは回答を受け取りません）
sure-cancel = 質問を取り消しますか？スクリプトは回答を受け取りません。
deadline-closing = あと { $left } で締め切り • キーを押すと開いたままになります
deadline-fallback = 回答がない場合: エージェントは回答なしで続行
deadline-over = 時間切れですが、サーバーが閉じるまで回答できます
shown-of = { $count } 件中 { $shown } 件を表示
more-rows = ほか { $count } 件
folded = 質問 { $count } 件 • { $keys } で開く • { $question }
help-title = キー
help-move = フォーカスを移動
help-ends = 最初と最後の行
help-page = 1 ページ
help-half-page = 半ページ
help-digit = 選んで次へ
help-digit-several = 選択を切り替え
help-digit-moves = この番号の行へ移動
help-mark = 進まずに印を付ける
help-toggle = 選択を切り替え
help-confirm = 選んで次へ
help-confirm-several = 選択したものを送信（なければその行を選択）
help-confirm-text = 送信または次へ
help-yes = はいと答える
help-no = いいえと答える
help-send = すべて送信
help-new-line = 改行
help-next-question = 次の質問
help-previous-question = 前の質問
help-all = すべて選択
help-invert = 選択を反転
help-filter = 選択肢を絞り込む
help-other = 自由に回答を書く
help-note = メモを追加
help-skip = この質問をスキップ
help-review = すべての回答を確認
help-preview = 選択肢をプレビュー
help-preview-scroll = プレビューをスクロール
help-read = 全文を読む
help-fold = 1 行に折りたたむ
help-link = リンクをコピー
help-share = スマートフォン用のリンクと QR コード
help-hand-on = ほかの人に引き継ぐ
hand-on-nobody = 設定にはほかに誰もいません。
notice-handed-on = 引き継ぎました
hint-share = { $keys } スマホ
hint-copy = { $keys } コピー
share-title = 別の端末で回答
share-making = リンクを作成中…
share-once = 1 回だけ使えます。期限は { $time } です。
share-local = このマシンからしか開けません。スマートフォンで使うには askback serve --phone を実行してください。
share-small = ウィンドウが小さすぎて QR コードを表示できません。
notice-no-share = リンクはありません。--durable を付けたときだけ保存されます
help-undo = 直前の回答を取り消す
help-clear-marks = すべての印を外す
help-help = キー一覧を表示
help-editor = エディターを開く
help-step = 1 刻み増減
help-step-ten = 10 刻み増減
help-day = 1 日
help-week = 1 週間
help-month = 1 か月
help-year = 1 年
help-today = 今日
help-line-ends = 行の先頭と末尾
help-caret = カーソルを移動
help-erase = 消去
help-recall = 以前のメッセージ
help-back = 1 つ戻る、最後は離脱メニュー
help-detach = 質問を残して離れる
help-undo-change = 直前の変更を取り消す
help-suspend = 一時中断
help-repaint = 再描画
notice-paste = ここには貼り付けられません
notice-too-soon = 早すぎるため無視
notice-nothing-typed = 回答を入力するか、{ $keys } でスキップしてください
notice-number-only = 数字のみ
date-not-understood = 日付ではありません。2027-03-27 や「{ $tomorrow }」のように入力してください
date-does-not-exist = { $year }年{ $month }{ $day }日は存在しません
date-day-does-not-exist = { $month }{ $day }日は存在しません
date-ambiguous = { $one } と { $other } のどちらですか？{ $example } のように入力してください
date-is-period = どの日ですか？「1週間後」や「金曜日」のように入力してください
number-ambiguous = { $grouped } と { $decimal } のどちらですか？どちらかの形で入力してください
notice-not-skippable = この質問は必須です。{ $keys } で次へ進みます
notice-yes-or-no = y か n を押すか、先に選択肢へ移動してください
notice-read-on = 続きを読んでから答えてください
typed-label = 入力: { $text }
typed-label-ambiguous = { $text }: これで始まる選択肢が複数あります
typed-label-unknown = { $text }: これで始まる選択肢はありません • { $keys } で消去
typed-label-yes-or-no = { $text }: { $yes } か { $no } で答えてください • { $keys } で消去
notice-no-preview = この選択肢にプレビューはありません
notice-editor-missing = エディターで書くには VISUAL か EDITOR を設定してください
notice-editor-failed = エディターがエラーで終了しました。入力はそのままです
notice-link-copied = リンクをコピーしました
notice-undone = 取り消しました。質問は再び回答待ちです
elsewhere-undoable = 回答した側ではまだ取り消せます。取り消されると、質問がここで再び開きます。
elsewhere-undo-left = 別の場所で回答されました。そこで { $seconds } 秒以内なら取り消せます。
notice-too-late-to-undo = 取り消せません。エージェントはすでに回答を受け取っています
notice-nothing-to-undo = 取り消すものはありません
hint-undo-answer = { $keys }: 取り消し（{ $seconds } 秒）
hint-send-now = { $keys } 続ける
help-send-now = 取り消し期間の終わりを待たずに続ける
undo-left = 回答は保存されています。取り消せなくなった時点でエージェントに渡されます。
line-undo = 取り消すには { $seconds } 秒以内に u を入力して Enter を押してください。空行で続けます:
detached = { $name }: 未回答のまま残しました。後で { $command } で回答できます
unsent-text = 未送信: { $text }
unsent-unreachable = 送信されていません。サーバーに接続できません。質問は開いたままです。
line-question = { $agent } からの質問 { $index } / { $count }
line-choice = { $number }. { $label }。
line-choice-described = { $number }. { $label }。{ $description }。
line-choice-recommended = { $number }. { $label }、おすすめ。
line-choice-recommended-described = { $number }. { $label }、おすすめ。{ $description }。
line-other = { $number }. { $other }: 自由に入力。
line-prompt-one = 1 から { $count } を入力（? でヘルプ）:
line-prompt-several = 1 から { $count } の番号をコンマ区切りで入力（? でヘルプ）:
line-prompt-text = 回答を入力（? でヘルプ）:
line-prompt-number = 数値を入力（? でヘルプ）:
line-prompt-date = 日付を入力、例: { $example }（? でヘルプ）:
line-prompt-start = 最初の日、例: { $example }（? でヘルプ）:
line-prompt-end = 最後の日（? でヘルプ）:
line-prompt-other = 自由回答:
line-prompt-note = メモ（不要なら空行）:
line-prompt-review = 変更する回答の番号、送信するなら空行:
line-prompt-leave = 1 から { $count } を入力、戻るなら空行:
line-help = 選択肢の番号を入力してください。
line-help-several = 番号を 1,3 のようにコンマ区切りで入力してください。
line-help-review = 空行ですべての回答を送信します。質問の番号でその回答を変更します。
line-help-text = 回答を入力して enter を押してください。
line-help-yes-no = y ははい、n はいいえ、または選択肢の番号を入力してください。
line-help-number = 数値を入力して enter を押してください。
line-help-date = 日付を 2027-03-27、金曜日、2週間後 のように入力して enter を押してください。
line-help-skip = { $keys } はこの質問をスキップ
line-help-back = { $keys } は戻る
line-help-note = { $keys } はメモ
line-help-leave = { $keys } は質問から離れる
line-help-help = { $keys } はこのヘルプ
line-help-later = { $keys } はこの質問を後回しにして次へ
line-help-list = { $keys } は一覧に戻る
line-chosen = 選択: { $answer }。
line-chosen-sent = 選択: { $answer }。送信しました。
line-skipped = スキップしました。
line-sent = 送信しました。
line-deadline = この質問は { $time } に締め切られます。何か入力すると締め切られません。
line-not-understood = 1 から { $count } の番号を入力してください。何も選択されていません。
line-review-not-understood = 認識できませんでした。何も送信していません。
line-too-soon = 質問の直後の入力だったため無視されました。もう一度入力してください。
line-pasted = 貼り付けた行は無視されました。回答を 1 行で入力してください。
line-pasted-kept = 複数の行が貼り付けられました。まだ送信していません。
line-pasted-message = 複数の行が貼り付けられました。Enter で 1 つのメッセージとして送信、他の入力で置き換え:
line-nothing-typed = 何も入力されていません。/s でこの質問をスキップします。
line-prompt-yes-no = y（はい）か n（いいえ）、1 から { $count } を入力（? でヘルプ）:
line-prompt-sure = 確認するには「はい」か yes を入力、戻るなら空行:
line-so-far = これまでの回答: { $answer }。空行でそのまま使います。
line-inbox-item = { $number }. { $name }（{ $agent }）。
line-inbox-prompt = 質問の番号を入力（空行で最初の質問、? でヘルプ）:
line-inbox-help = 回答する質問の番号を入力してください。l は一覧をもう一度表示、q は終了、? はこのヘルプです。
line-inbox-quit = q を入力すると終了します:
pipe-waiting = 質問が { $count } 件待っています（{ $id }、{ $agent }: { $name }）
pipe-no-terminal = 対話できる端末がないため、回答されていません
pipe-no-terminal-hint = 端末で実行してください。端末があっても入力がパイプの場合は --tty を付けます。質問を保存して別の場所で回答するには --durable を付けます。
pipe-answer = 回答するには  { $command }  または次を開く:
chat-hint-send = { $keys } 送信
chat-hint-stop = { $keys } 停止
chat-hint-leave = { $keys } 離れる
inbox-hint-open = { $keys } 開く
inbox-hint-move = { $keys } 移動
inbox-hint-mark = { $keys } 印
inbox-hint-reject = { $keys } エージェントを停止
inbox-hint-skip = { $keys } スキップ
inbox-hint-snooze = { $keys } 後で
inbox-hint-undo = { $keys } 取り消し
inbox-undo = { $line } — { $keys }: 取り消し（{ $seconds } 秒）
inbox-hint-quit = { $keys } 終了
chat-busy = { $agent } はまだ作業中です。メッセージは送信されていません。{ $keys } でメニューを開きます。
chat-offered = enter でこれを回答として送信します
chat-question-first = 先に質問に回答してください。メッセージは送信されていません。
chat-sending = 送信中
chat-attempt = モデルのプロバイダーから応答がありません。再試行 { $count } / { $max }
chat-helpers = { $agent } はサブエージェントを待っています：{ $count }
chat-menu-title = メニュー
chat-menu-stay = ここにとどまる
chat-menu-stop = { $agent } を止める
chat-menu-stop-effect = （会話は残ります）
chat-menu-leave = 離れる
chat-menu-leave-effect = （会話は保存されます）
chat-menu-earlier = 以前の会話
chat-menu-link = ブラウザー用のリンクを表示
chat-no-earlier = 以前の会話はありません
chat-hint-menu = { $keys } メニュー
chat-error-overloaded = プロバイダーが混み合っています。何かメッセージを送ると再試行します。
chat-error-network = プロバイダーに接続できません。ネットワークと --base-url を確認し、何かメッセージを送ってください。
chat-error-refused = キーとモデルを確認し、起動し直してこの会話を続けてください。
chat-error-rounds = ステップが多すぎて終わりませんでした。何かメッセージを送ると続けます。
chat-error-other = 何かメッセージを送ると再試行します。
chat-link = ブラウザーで開く：{ $link }
demo-hello = askback でできることを見せて
demo-resumed = お帰りなさい。すべて元のままです。
inbox-stop-marked = 印を付けた質問（{ $count }）のエージェントをすべて停止しますか？答えなしで作業を終えます。
inbox-hint-decline = { $keys } エージェントに任せる
inbox-hint-answer = { $keys } 回答
inbox-hint-yes = { $keys } はい
inbox-hint-no = { $keys } いいえ
inbox-hint-go-on = { $keys } 続ける
inbox-how = 別の端末で試す：askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = { $keys } でこの質問を開きます
inbox-ended-here = この質問は回答済みです。{ $keys } で次へ進みます
inbox-more = ほかに質問 { $count } 件
chat-stopped = 停止しました。メッセージを書くと続けられます。
inbox-next = 次: { $name }
inbox-gone = この質問はもう受け付けていません
inbox-draft = 下書き

### Chat and inbox

chat-you = あなた
chat-prompt = メッセージを書く
chat-thinking = { $agent } が考えています
chat-working = { $agent } が { $tool } を使っています
chat-waiting = { $agent } が回答を待っています
chat-failed = { $agent } は失敗しました: { $reason }
chat-retry = { $reason }、再試行 { $count } / { $max }
chat-connecting = 接続中
chat-connection-lost = 接続が切れました。再試行しています
inbox-title = 受信箱
inbox-count = { $count ->
    [0] 待っている質問はありません
   *[other] 質問が { $count } 件待っています
}
inbox-empty = 待っている質問はありません。新しい質問はここに自動で表示されます。
inbox-marked = { $count } 件に印
inbox-decline-marked = 印を付けた質問（{ $count }）をすべてエージェントに任せますか？答えなしで続けます。
inbox-skip-marked = 印を付けた質問（{ $count }）をすべてスキップしますか？
inbox-skip-or-decline-marked = 印を付けた質問（{ $count }）をスキップしますか？スキップできない質問はエージェントに任せ、答えなしで続けます。
inbox-reject-marked = { $count } 件の質問のエージェントを停止しますか？
inbox-arrived = 新しい質問 { $count } 件

### Web

web-send = 回答を送信
web-next = 次へ
web-back = 戻る
web-skip = スキップ
web-edit = 変更
web-own-answer = 自由回答
web-add-note = メモを追加
web-filter = 選択肢を絞り込む
web-choices-shown = 選択肢 { $count } 件を表示
web-select-all = すべて選択
web-clear-selection = 選択を解除
web-selected-hidden = { $count } 件選択中（{ $hidden } 件は非表示）
web-use-typed = 「{ $text }」を使う
web-today = 今日
web-tomorrow = 明日
web-next-monday = 次の月曜日
web-pick-date = 日付を選ぶ
web-enter-sends = Enter で送信、Shift+Enter で改行
web-preview = プレビュー
web-reject = エージェントを停止
web-reject-ask = エージェントを停止しますか？答えなしで作業を終えます。
web-keep-open = 残しておく
web-decline = エージェントに任せる
web-error = エラー
web-error-summary = { $count } 件の回答に問題があります
web-sending = 送信中
web-saved-offline = 保存しました。オンラインになると送信します。
web-form-offline = 接続がありません。回答は残っています。もう一度送信してください。
web-answered-by = { $person } が{ $surface ->
    [terminal] ターミナル
    [web] ブラウザー
    [link] リンク
    [cli] コマンドライン
    [http] HTTP
    [mcp] ダイアログ
    [telegram] Telegram
    [slack] Slack
    [ntfy] ntfy
    [push] 通知
    [email] メール
    [command] コマンド
   *[system] システム
}で回答
web-rejected-by = { $person } がエージェントを停止
web-declined-by = { $person } がエージェントに任せました
web-withdrawn = エージェントが取り下げました
web-expired = { $time } までに回答がありませんでした。エージェントは回答なしで続行しました。
web-answer-anyway = それでも回答する
web-bad-question = エージェントの質問を表示できません
web-too-late = この質問は締め切られています。回答は送信されていません。
web-conflict = { $person } が先に回答しました。これがその回答です。
for-recipient = { $recipient }さん宛て
hand-on = 引き継ぐ…
hand-on-to = { $person }さんに引き継ぐ
hand-on-unreachable = { $person }さんにはチャンネルがないため通知は届きませんが、ブラウザーで回答できます
handed-on-to = { $person }さんが{ $to }さんに引き継ぎました
handed-on-to-unnamed = { $to }さんに引き継がれました
web-hand-on-reason = 理由（任意）
web-handed-on = { $person }さんに引き継がれました
web-deadline = { $time } に締め切り
web-more-time = 時間を延ばす
web-deadline-kept = 期限はなくなりました。回答するまで質問は開いたままです。
web-reply-to = { $name } への返信
web-composer-blocked = 先に上の質問に回答してください
web-message = メッセージ
web-send-message = 送信
web-stop = 停止
web-not-stopped = 停止できませんでした。サーバーに接続できません。接続が戻ったら、もう一度お試しください。
web-offline = オフラインです。メッセージはここに保存されます。
web-not-found = この質問は存在しないか、リンクの期限が切れています
web-no-conversation = この会話は存在しないか、削除されています
web-conversations = 会話
web-new-conversation = 新しい会話
web-choose-app = アプリを選ぶ
web-delete = 削除
web-delete-ask = この会話と回答を削除しますか？
web-notify = 質問を通知する
web-notify-on = 通知はオンです
web-notify-blocked = ブラウザーがこのページの通知をブロックしています
web-notify-whom = 誰への質問ですか？
web-language = 言語
web-theme = テーマ
web-theme-auto = システムに合わせる
web-theme-light = ライト
web-theme-dark = ダーク
web-digits = 数字キーで選択
web-link = 別の端末で回答
web-link-hint = コードを読み取るかリンクを開いてください。この質問に 1 回だけ使えます。
web-copy-link = リンクをコピー
web-copied = コピーしました
web-skip-to-question = 質問へ移動
web-answered = 回答済み
web-answered-unnamed = { $surface ->
    [terminal] ターミナル
    [web] ブラウザー
    [link] リンク
    [cli] コマンドライン
    [http] HTTP
    [mcp] MCP クライアント
    [telegram] Telegram
    [slack] Slack
    [ntfy] ntfy
    [push] 通知
    [email] メール
    [command] コマンド
   *[system] システム
}で回答済み
web-refused = アクセスが拒否されました。サインインするか、トークンを確認してください。
web-type-own = その他：上に入力してください
web-older = 以前のメッセージを表示
web-your-name = あなたの名前
web-link-until = リンクは { $time } まで有効です。
web-link-local = このアドレスはこのパソコンでのみ開けます。スマートフォンで使うには、{ $command } でサーバーを起動してください。
web-late-lead = この質問は締め切られています。回答はメッセージとしてエージェントに送られます。
web-late-text = 「{ $question }」への遅れた回答: { $answer }
web-late-sent = メッセージとしてエージェントに送信しました
web-agent-sent = エージェントが送った内容
web-agent-told = エージェントが受け取った内容
web-undo-left = 取り消す（{ $seconds } 秒）
web-held = 送信しました。まだ取り消せます。
web-undone = 取り消しました。質問は再び回答待ちです。
web-undone-elsewhere = 別のウィンドウで回答が取り消されました。質問は再び回答待ちです。
web-open-again = 質問を表示
web-undo-late = 取り消せません。エージェントはすでに回答を受け取っています
web-seconds = { $count } 秒
web-off = なし
web-deleted = 会話を削除しました
web-settings = 設定
web-people = ユーザー
web-people-alias = 短い名前（例: anna）
web-people-name = 名前
web-people-add = 追加
web-people-remove = { $person } を削除
web-people-group = グループ: { $people }
web-people-on-call = 当番: { $person }
web-sign-out = サインアウト
web-no-such-choice = 「{ $text }」は選択肢にありません
web-not-sent = 送信されなかった回答
web-not-sent-yet = 未送信
web-other-draft = 別のウィンドウまたは端末に、この回答の異なる下書きが保存されています。
web-use-other-draft = その下書きを使う
web-keep-this-draft = ここの下書きを残す
web-next-question = 次の質問
web-stop-ask = エージェントを停止しますか？サブエージェントの質問は取り消されます。
web-now-answers = このメッセージは「{ $name }」への回答になります。確定するにはもう一度送信してください。
web-now-message = 質問は締め切られました。もう一度送信するとメッセージとして送られます。
inbox-reject-marked-confirm = すべて停止（{ $count }）
web-details = 詳細
web-more-waiting = ほかに { $count } 件待っています
web-previous-question = 前の質問
web-close = 閉じる
web-latest = 最新へ
web-waiting-below = 下で回答を待っています
web-after-answer = このあとエージェントがしたこと
web-start-lead = やりたいことを書いてください。判断が必要なときはエージェントが質問します。

inbox-search = 質問を検索
inbox-agent = エージェント
inbox-all-agents = すべてのエージェント
inbox-sort = 並び順
inbox-sort-deadline = 期限の近い順
inbox-sort-oldest = 古い順
inbox-sort-newest = 新しい順
inbox-for-me = 自分宛て
inbox-clear-filter = 検索と絞り込みを解除
inbox-none-match = 一致する質問はありません。
inbox-loading = 質問を読み込んでいます…
inbox-listed = { $all } 件中 { $count } 件を表示
inbox-position = { $count } 件中 { $index } 件目
inbox-all = すべての質問
inbox-mark = { $name } に印を付ける
inbox-mark-all = すべてに印を付ける
inbox-unmark = 印を外す
inbox-skipped = スキップ: { $count } 件
inbox-snooze = 後で
inbox-snooze-title = 後で表示する時刻
inbox-snooze-hour = 1 時間後
inbox-snooze-evening = 今日の夕方
inbox-snooze-tomorrow = 明日の朝
inbox-snooze-monday = 月曜日の朝
inbox-snooze-own = 別の時刻
inbox-snoozed-until = { $time } まで非表示
inbox-undo-snooze = 元に戻す
inbox-show-snoozed = 後で（{ $count }）
inbox-hide-snoozed = 受信箱に戻る
inbox-last-words = 質問の前に { $agent } が書いたこと
inbox-open-conversation = 会話を開く
inbox-keys = キー
inbox-key-move = 次または前の質問
inbox-key-open = 質問に移動
inbox-key-choose = 回答を選ぶ
inbox-key-skip = スキップ、またはエージェントに任せる
inbox-key-mark = まとめて処理するために印を付ける
inbox-key-undo = 直前の操作を元に戻す
inbox-key-back = 一覧に戻る、印を外す
web-more-conversations = さらに表示
web-other-agents = ほかのエージェント
web-no-other-agents = ほかのエージェントからの質問はまだありません。接続するには：{ $command }
inbox-empty-title = すべて対応済みです
inbox-empty-lead = エージェントが判断を必要とすると、質問がここに自動で表示されます。
inbox-empty-try = ターミナルで試すには：
inbox-declined = エージェントに任せた質問：{ $count }
inbox-failed = 失敗：{ $count }
web-two-steps = 選んでから送信する
web-undo-time = 回答を取り消せる時間
answered-project = プロジェクト
answered-all-projects = すべてのプロジェクト
answered-person = 回答者
answered-everybody = 全員
answered-outcome = 結果
answered-all-outcomes = すべての結果
answered-no-answer = 回答なし
answered-copy = Markdown としてコピー
answered-none = まだ回答はありません。
web-no-model = モデルが設定されていません。ここではデモの台本が返信します。実際のエージェントには { $command } でサーバーを起動してください。
inbox-empty-install = このパソコンのエージェントを接続：
inbox-agents-ready = このパソコンで設定済み：{ $agents }。エージェントに、何か質問するように伝えてください。
web-not-now = あとで
web-phone = スマートフォンで
web-phone-scan = コードを読み取ってください。ブラウザー 1 つが一度だけサインインします。
web-too-early = 早すぎたため無視されました。もう一度押してください。

### Channels

channel-waiting = 質問が待っています
channel-waiting-from = { $agent } から質問があります
channel-project = プロジェクト: { $project }
channel-open = 開く
channel-write = 入力…
channel-next = 次へ
channel-back = 戻る
channel-send = 送信
channel-undo = 元に戻す
channel-today = 今日
channel-tomorrow = 明日
channel-in-a-week = 1 週間後
channel-rest-at-link = 続きはリンク先にあります。
channel-answer-at-link = この質問にはリンク先で回答してください。
channel-outcome-at = { $outcome }、{ $time }
channel-sent = 送信しました: { $answer }
channel-sent-undo = 送信しました: { $answer }。{ $seconds } 秒間は元に戻せます。
channel-takes-effect = { $time } に確定します
channel-held-by = { $person } が回答しました。{ $seconds } 秒後に確定します。
channel-changed = 質問が変わりました。もう一度確認してください。
channel-sent-plain = 送信しました。
channel-sent-undo-plain = 送信しました。{ $seconds } 秒間は元に戻せます。
channel-answer-elsewhere = この質問にはターミナルまたはブラウザーで回答してください。
channel-help = 質問はボタン付きでここに届きます。文章で回答するには、質問のメッセージに返信してください。
channel-how-to-link = ここで質問を受け取るには、次のコマンドが表示するコードを送信してください: askback channel link
channel-text-only = 回答として受け付けるのは入力されたテキストだけです。質問に返信して書いてください。
channel-not-allowed = この質問には回答できません。
channel-linked = リンクしました。{ $name } 宛ての質問がここに届きます。
channel-code-invalid = このコードは正しくないか、使用済みです。新しいコード: askback channel link
channel-code-in-group = 個人チャットで送信してください。このコードはほかの人に見られたため、使えなくなりました。新しいコード: askback channel link
channel-reply = このメッセージに返信して回答してください。
channel-use-fields = このメッセージには複数の質問があります。欄に記入して「送信」を押してください。
channel-reply-at-review = ここでは回答を確認します。「送信」を押すか、「戻る」で回答を変更してください。
channel-text-added = 入力した文章を、選択済みの項目に追加しました。質問をもう一度確認して「送信」を押してください。
channel-send-again = 未回答: { $names }。このまま送信するには、もう一度「送信」を押してください。
channel-leave-open = 未回答: { $names }。これにも回答するか、{ $example } で未回答のままにしてください
channel-reply-range = このメッセージに最初の日と最後の日を返信してください。例: { $example }
channel-reply-last-day = 最初の日は { $start } です。このメッセージに最後の日を返信してください。
channel-reply-reason = このメッセージに理由を返信してください。
channel-superseded = メッセージで回答済み
channel-not-sent = 送信できませんでした。質問を開くか、もう一度お試しください。
channel-handed-on-by = { $person }さんからこの質問を引き継ぎました
channel-handed-on-by-unnamed = あなたに引き継がれました
channel-still-open = 未回答です: { $question }
channel-new-link = 新しいリンク: { $link }
channel-still-open-until = 未回答です: { $question }（期限: { $time }）
channel-not-answered-by = { $person }さんはまだ回答していません
channel-also-sent-to = まだ回答がありません。{ $person }さんにも送信しました
