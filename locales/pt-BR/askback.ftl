### Shared

recommended = (Recomendado)
other = Outra
asks = { $agent } pergunta
question-of = Pergunta { $index } de { $count }
question-count = { $count ->
    [one] { $count } pergunta
   *[other] { $count } perguntas
}
select-several = Selecione tudo o que se aplica
selected-count = { $count ->
    [one] { $count } selecionada
   *[other] { $count } selecionadas
}
optional = opcional
note = Nota
from = De
to = Até
counter = { $used }/{ $max }
number-whole = Um número inteiro
number-whole-range = Um número inteiro de { $min } a { $max }
number-whole-min = Um número inteiro, no mínimo { $min }
number-whole-max = Um número inteiro, no máximo { $max }
number-any = Um número
number-range = Um número de { $min } a { $max }
number-min = Um número, no mínimo { $min }
number-max = Um número, no máximo { $max }
number-step = em passos de { $step }
date-any = Um dia, por exemplo { $example }
date-between = De { $min } a { $max }
date-min = A partir de { $min }
date-max = Até { $max }
review = Revisão
review-lead = Confira suas respostas antes de enviar
send-answers = Enviar respostas
answer-skipped = pulada
answer-open = sem resposta
answer-noted = { $answer } (nota: { $note })
answer-range = { $start } a { $end }
resolved-skipped = { $name }: pulada
resolved-declined = { $name }: decisão deixada ao agente
resolved-undeliverable = { $name }: nunca exibida, ninguém podia responder
someone = alguém
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: agente parado
web-failed = Não deu certo. Tente de novo.
age-now = agora mesmo
problem-empty = { $name }: dê uma resposta
assumption-marked = Até você responder, o agente supõe: { $assumption }
agent-not-waiting = O agente não está esperando agora. Ele recebe a resposta quando perguntar de novo.

### Program

handed-on-to-other = Repassada para outra pessoa
answer-confirm = Enviar estas respostas? y/n:
other-hint = Escreva sua resposta…
other-specify = Especifique:
unanswered-count = { $count } sem resposta
day-count = { $count ->
    [one] { $count } dia
   *[other] { $count } dias
}
date-long = { $weekday }, { $day } de { $month } de { $year }
month-year = { $month } de { $year }
answer-own = { $answer } (resposta própria)
resolved-open = { $name }: sem resposta
resolved-superseded = { $name }: respondida com uma mensagem
resolved-expired = { $name }: sem resposta até { $time }, o agente seguiu sem ela
resolved-cancelled = { $name }: cancelada
resolved-timed-out = { $name }: sem resposta até { $time }
resolved-withdrawn = { $name }: retirada pelo agente
resolved-elsewhere = { $line } — respondida por { $person } { $surface ->
    [terminal] no terminal
    [web] no navegador
    [link] por um link
    [cli] pela linha de comando
    [http] por HTTP
    [mcp] em uma caixa de diálogo
    [telegram] no Telegram
    [slack] no Slack
    [ntfy] pelo ntfy
    [push] em uma notificação
    [email] por e-mail
    [command] por um comando
   *[system] pelo sistema
}
resolved-elsewhere-unnamed = { $line } — respondida { $surface ->
    [terminal] no terminal
    [web] no navegador
    [link] por um link
    [cli] pela linha de comando
    [http] por HTTP
    [mcp] por um cliente MCP
    [telegram] no Telegram
    [slack] no Slack
    [ntfy] pelo ntfy
    [push] em uma notificação
    [email] por e-mail
    [command] por um comando
   *[system] pelo sistema
}
question-unnamed = A resposta
problem-nothing-answered = Nenhuma pergunta foi respondida: responda pelo menos uma ou deixe o agente decidir
problem-not-an-object = As respostas devem ser um objeto JSON com uma entrada para cada id de pergunta
problem-unknown-question = Essa pergunta não existe: use { $known }
problem-answered-twice = { $name }: respondida duas vezes; responda uma só vez
problem-cannot-skip = { $name }: não pode ser pulada; responda ou deixe o agente decidir
problem-skipped-and-answered = { $name }: respondida e pulada ao mesmo tempo; escolha uma das duas
problem-unknown-choice = { $name }: escolha entre as opções: { $labels }
problem-ambiguous-choice = { $name }: não está claro. Digite o número e o texto: { $lines }
problem-one-choice-only = { $name }: só uma opção é possível
problem-exclusive = { $name }: “{ $label }” não pode ser combinada com outras opções
problem-wrong-type = { $name }: é preciso { $wants ->
    [choices] uma escolha: use `values`, e `own` para texto próprio
    [number] um número: use `number`
    [date] um dia: use `date`, por exemplo 2027-03-27
    [date-range] um período: use `start` e `end`
   *[text] texto: use `text`
}
problem-too-short = { $name }: no mínimo { $min } caracteres
problem-too-long = { $name }: no máximo { $max } caracteres
problem-note-too-long = Nota de { $name }: no máximo { $max } caracteres
problem-pattern-mismatch = { $name }: não está no formato pedido
problem-too-small = { $name }: no mínimo { $min }
problem-too-large = { $name }: no máximo { $max }
problem-out-of-range = { $name }: de { $min } a { $max }
problem-not-whole = { $name }: digite um número inteiro
problem-not-on-step = { $name }: em passos de { $step }
problem-not-a-number = { $name }: digite um número, por exemplo 3 ou { $example }
problem-not-a-date = { $name }: digite uma data, por exemplo 2027-03-27
problem-too-early = { $name }: a partir de { $min }
problem-too-late = { $name }: até { $max }
problem-end-before-start = { $name }: o fim não pode vir antes do início
problem-of-field = { $field }: { $problem }
chat-title = Conversa com { $agent }
chat-left = A conversa fica guardada. Continue com { $command }
chat-connected = Conectado de novo
web-decline-effect = O agente é informado de que você não escolheu nada e continua.
web-signed-out = Para entrar, abra o link que o askback mostrou no terminal ou digite o token do servidor.
web-token = Token
web-sign-in = Entrar
web-token-wrong = Este não é o token deste servidor. Copie o token inteiro e tente de novo.
web-code-used = Este link já foi usado ou é antigo demais. Para obter outro, execute: askback phone
web-no-page = Esta página não existe
web-unavailable = O servidor não consegue acessar o banco de dados no momento.
web-nothing-lost = Nada se perde: todas as perguntas e todas as respostas enviadas ficam guardadas.
web-retrying = Esta página tenta de novo sozinha.
web-try-again = Tentar de novo
web-copy-unsent = Copie-a antes de sair desta página.
web-today-is = “Hoje” aqui é { $date }.
web-not-answering = Não quer responder?
web-skip-effect = O agente é informado de que você pulou esta pergunta.
web-stop-effect = O agente recebe a ordem de parar, sem resposta.
web-thanks-answered = { $named ->
    [yes] Obrigado, { $agent } continua.
   *[no] Obrigado, o agente continua.
}
web-thanks-declined = { $named ->
    [yes] Obrigado, { $agent } decide e continua.
   *[no] Obrigado, o agente decide e continua.
}
web-thanks-stopped = { $named ->
    [yes] { $agent } recebeu a ordem de parar.
   *[no] O agente recebeu a ordem de parar.
}
web-close-page = Você pode fechar esta página.
web-link-expired = Este link expirou: { $time }.
web-link-changed = A pergunta mudou desde que este link foi criado.
web-link-ask-again = Peça um novo a quem o enviou.
web-link-new = Enviar-me um novo link
web-link-new-sent = Um novo link está a caminho. Ele chegará onde você recebeu este.
web-link-new-recently = Você recebeu um novo link há menos de uma hora. Procure onde recebeu este.
form-first-day = Primeiro dia
form-last-day = Último dia
form-skip = Pular esta pergunta
form-answer = Resposta
form-questions = Perguntas para você
form-left-open = Estas perguntas estão sem resposta. Enviar assim mesmo?
form-send-anyway = Enviar assim mesmo
web-no-script = Esta página precisa de JavaScript. Para responder sem ele, abra /q/ seguido do identificador da pergunta.
web-link-not-allowed = Este link não permite isso. Volte e responda, ou fale com quem enviou o link.

### Terminal

inbox-new-appear = Novas perguntas aparecem aqui automaticamente.
problem-empty-here = Responda a esta pergunta
hint-navigate = { $keys } mover
hint-select = { $keys } escolher
hint-toggle = { $keys } marcar
hint-all = { $keys } todas
hint-send = { $keys } enviar
hint-next = { $keys } próxima
hint-back = { $keys } voltar
hint-skip = { $keys } pular
hint-note = { $keys } nota
hint-preview = { $keys } prévia
hint-leave = { $keys } sair…
hint-line = { $keys } linha
hint-new-line = { $keys } nova linha
hint-editor = { $keys } editor
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } dia/semana
hint-month = { $keys } mês
hint-year = { $keys } ano
hint-today = { $keys } hoje
hint-change = { $keys } alterar
hint-choose = { $keys } escolher
hint-back-to-question = { $keys } voltar à pergunta
hint-back-to-list = { $keys } voltar à lista
hint-type-to-filter = digite para filtrar
hint-type-answer = digite sua resposta
hint-clear = { $keys } limpar
hint-close = { $keys } fechar
hint-scroll = { $keys } rolar
hint-keys = { $keys } todas as teclas
tiny-ok = { $keys }ok
tiny-read = { $keys } ler
tiny-cancel = { $keys }…
leave-title = Sair desta pergunta?
leave-keep = Responder depois
leave-keep-effect = (a pergunta continua aberta)
leave-quit = Sair sem responder
leave-quit-effect = (a pergunta não é guardada)
leave-decline = Deixar o agente decidir
leave-decline-effect = (ele continua sem resposta)
leave-stop = Parar o agente
leave-stop-effect = (ele encerra o trabalho)
sure-decline = Deixar o agente decidir? Ele continua sem resposta.
sure-stop = Parar o agente? Ele encerra o trabalho sem resposta.
leave-cancel = Cancelar a pergunta
leave-cancel-effect = (o script não recebe resposta)
sure-cancel = Cancelar a pergunta? O script não recebe resposta.
deadline-closing = fecha em { $left } • pressione uma tecla para mantê-la aberta
deadline-fallback = Se ninguém responder: o agente segue sem resposta
deadline-over = O tempo acabou, mas a pergunta fica aberta até o servidor a fechar
shown-of = { $shown } de { $count } visíveis
more-rows = mais { $count }
folded = { $count ->
    [one] { $count } pergunta esperando
   *[other] { $count } perguntas esperando
} • { $keys } abrir • { $question }
help-title = Teclas
help-move = mover o foco
help-ends = primeira e última linha
help-page = uma página
help-half-page = meia página
help-digit = escolher e seguir
help-digit-several = marcar ou desmarcar
help-digit-moves = ir para a linha com este número
help-mark = marcar sem seguir
help-toggle = marcar ou desmarcar
help-confirm = escolher e seguir
help-confirm-several = enviar o que está marcado; se nada, marcar a linha
help-confirm-text = enviar ou seguir
help-yes = responder sim
help-no = responder não
help-send = enviar tudo
help-new-line = nova linha
help-next-question = próxima pergunta
help-previous-question = pergunta anterior
help-all = marcar todas
help-invert = inverter as marcas
help-filter = filtrar as opções
help-other = escrever uma resposta própria
help-note = adicionar uma nota
help-skip = pular esta pergunta
help-review = revisar todas as respostas
help-preview = prévia da opção
help-preview-scroll = rolar a prévia
help-read = ler por inteiro
help-fold = recolher em uma linha
help-link = copiar o link
help-share = link e código QR para o celular
help-hand-on = repassar para outra pessoa
hand-on-nobody = A configuração não traz mais ninguém.
notice-handed-on = repassada
hint-share = { $keys } celular
hint-copy = { $keys } copiar
share-title = Responder em outro aparelho
share-making = Criando o link…
share-once = Funciona uma vez, até { $time }.
share-local = Só esta máquina pode abri-lo. Para um celular, inicie askback serve --phone.
share-small = Esta janela é pequena demais para o código QR.
notice-no-share = Sem link: a pergunta só é salva com --durable
help-undo = desfazer a última resposta
help-clear-marks = remover todas as marcas
help-help = mostrar todas as teclas
help-editor = abrir seu editor
help-step = um passo a mais ou a menos
help-step-ten = dez passos a mais ou a menos
help-day = um dia
help-week = uma semana
help-month = um mês
help-year = um ano
help-today = hoje
help-line-ends = início e fim da linha
help-caret = mover o cursor
help-erase = apagar
help-recall = suas mensagens anteriores
help-back = um passo atrás, depois o menu de saída
help-detach = sair, a pergunta continua aberta
help-undo-change = desfazer a última alteração
help-suspend = suspender
help-repaint = redesenhar
notice-paste = Não é possível colar aqui
notice-too-soon = Cedo demais: ignorada
notice-nothing-typed = Digite uma resposta ou pressione { $keys } para pular
notice-number-only = Somente números
date-not-understood = Não é uma data. Tente 2027-03-27 ou { $tomorrow }
date-does-not-exist = { $day } de { $month } de { $year } não existe
date-day-does-not-exist = { $day } de { $month } não existe
date-ambiguous = { $one } ou { $other }? Digite a data como { $example }
date-is-period = Que dia? Tente “em 1 semana” ou “sexta-feira”
number-ambiguous = { $grouped } ou { $decimal }? Digite uma das duas formas
notice-not-skippable = Esta pergunta é obrigatória. { $keys } vai para a próxima
notice-yes-or-no = Pressione s ou n, ou vá antes até uma opção
notice-read-on = Leia o resto antes de responder
typed-label = Digitado: { $text }
typed-label-ambiguous = { $text }: várias opções começam assim
typed-label-unknown = { $text }: nenhuma opção começa assim • { $keys } apaga
typed-label-yes-or-no = { $text }: responda { $yes } ou { $no } • { $keys } apaga
notice-no-preview = Esta opção não tem prévia
notice-editor-missing = Defina VISUAL ou EDITOR para escrever no seu editor
notice-editor-failed = O editor terminou com erro; seu texto não mudou
notice-link-copied = Link copiado
notice-undone = Desfeito. A pergunta está aberta de novo
elsewhere-undoable = Lá ela ainda pode ser desfeita. Nesse caso, a pergunta abre aqui de novo.
elsewhere-undo-left = Respondida em outro lugar. Lá ela pode ser desfeita por { $seconds } s.
notice-too-late-to-undo = Tarde demais: o agente já tem a resposta
notice-nothing-to-undo = Não há nada para desfazer
hint-undo-answer = { $keys }: desfazer ({ $seconds } s)
hint-send-now = { $keys } continuar
help-send-now = continuar já, sem esperar o fim do prazo para desfazer
undo-left = Sua resposta foi guardada. O agente a recebe quando ela não puder mais ser desfeita.
line-undo = Para desfazer, digite u e Enter em até { $seconds } s. Uma linha vazia continua:
detached = { $name }: continua aberta. Responda depois com { $command }
unsent-text = Não enviado: { $text }
unsent-unreachable = Não enviado: o servidor não está acessível. A pergunta continua aberta.
line-question = Pergunta { $index } de { $count }, de { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, recomendado.
line-choice-recommended-described = { $number }. { $label }, recomendado. { $description }.
line-other = { $number }. { $other }: escreva sua resposta.
line-prompt-one = Digite de 1 a { $count }, ou ? para ajuda:
line-prompt-several = Digite números de 1 a { $count } separados por vírgulas, ou ? para ajuda:
line-prompt-text = Digite sua resposta, ou ? para ajuda:
line-prompt-number = Digite um número, ou ? para ajuda:
line-prompt-date = Digite um dia, por exemplo { $example }, ou ? para ajuda:
line-prompt-start = Primeiro dia, por exemplo { $example }, ou ? para ajuda:
line-prompt-end = Último dia, ou ? para ajuda:
line-prompt-other = Sua própria resposta:
line-prompt-note = Sua nota, ou uma linha vazia para nenhuma:
line-prompt-review = Digite um número para alterar uma resposta, ou uma linha vazia para enviar:
line-prompt-leave = Digite de 1 a { $count }, ou uma linha vazia para voltar:
line-help = Digite o número de uma opção.
line-help-several = Digite os números separados por vírgulas, por exemplo 1,3.
line-help-review = Uma linha vazia envia todas as respostas. O número de uma pergunta altera a resposta dela.
line-help-text = Digite sua resposta e tecle enter.
line-help-yes-no = Digite s para sim, n para não, ou o número de uma opção.
line-help-number = Digite um número e tecle enter.
line-help-date = Digite uma data e tecle enter, por exemplo 2027-03-27, sexta ou em 2 semanas.
line-help-skip = { $keys } pula esta pergunta
line-help-back = { $keys } volta
line-help-note = { $keys } adiciona uma nota
line-help-leave = { $keys } sai da pergunta
line-help-help = { $keys } mostra esta ajuda
line-help-later = { $keys } deixa esta pergunta para depois e vai para a próxima
line-help-list = { $keys } volta para a lista
line-chosen = Escolhido: { $answer }.
line-chosen-sent = Escolhido: { $answer }. Enviado.
line-skipped = Pulada.
line-sent = Enviado.
line-deadline = Esta pergunta fecha às { $time }. Qualquer entrada a mantém aberta.
line-not-understood = Digite um número de 1 a { $count }; nada foi escolhido.
line-review-not-understood = Não entendi. Nada foi enviado.
line-too-soon = Isso veio cedo demais depois da pergunta e foi ignorado. Digite de novo.
line-pasted = As linhas coladas foram ignoradas. Digite a resposta em uma linha.
line-pasted-kept = Várias linhas foram coladas. Nada foi enviado ainda.
line-pasted-message = Várias linhas foram coladas. Pressione enter para enviá-las como uma mensagem, ou digite outra coisa para substituí-las:
line-nothing-typed = Nada foi digitado. /s pula esta pergunta.
line-prompt-yes-no = Digite s ou n, de 1 a { $count }, ou ? para ajuda:
line-prompt-sure = Digite sim para confirmar, ou uma linha vazia para voltar:
line-so-far = Sua resposta até agora: { $answer }. Uma linha vazia a mantém.
line-inbox-item = { $number }. { $name }, de { $agent }.
line-inbox-prompt = Digite o número de uma pergunta, uma linha vazia para a primeira, ou ? para ajuda:
line-inbox-help = Digite o número da pergunta que você quer responder. l mostra a lista de novo, q sai, ? mostra esta ajuda.
line-inbox-quit = Digite q para sair:
pipe-waiting = { $count ->
    [one] { $count } pergunta esperando
   *[other] { $count } perguntas esperando
} ({ $id }, { $agent }: { $name })
pipe-no-terminal = sem terminal interativo, nada foi respondido
pipe-no-terminal-hint = Execute em um terminal. Se houver um, mas a entrada estiver redirecionada, adicione --tty. Para guardar a pergunta e responder em outro lugar, adicione --durable.
pipe-answer = responda com  { $command }  ou abra
chat-hint-send = { $keys } enviar
chat-hint-stop = { $keys } parar
chat-hint-leave = { $keys } sair
inbox-hint-open = { $keys } abrir
inbox-hint-move = { $keys } mover
inbox-hint-mark = { $keys } marcar
inbox-hint-reject = { $keys } parar agente
inbox-hint-skip = { $keys } pular
inbox-hint-snooze = { $keys } adiar
inbox-hint-undo = { $keys } desfazer
inbox-undo = { $line } — { $keys }: desfazer ({ $seconds } s)
inbox-hint-quit = { $keys } sair
chat-busy = { $agent } ainda está trabalhando. Sua mensagem não foi enviada; { $keys } abre o menu.
chat-offered = Tecle enter para enviar isto como resposta
chat-question-first = Responda primeiro à pergunta. Sua mensagem não foi enviada.
chat-sending = Enviando
chat-attempt = Sem resposta do provedor do modelo, tentativa { $count } de { $max }
chat-helpers = { $agent } espera os subagentes: { $count }
chat-menu-title = Menu
chat-menu-stay = Ficar aqui
chat-menu-stop = Parar { $agent }
chat-menu-stop-effect = (a conversa continua)
chat-menu-leave = Sair
chat-menu-leave-effect = (a conversa fica guardada)
chat-menu-earlier = Conversas anteriores
chat-menu-link = Mostrar o link para o navegador
chat-no-earlier = Não há conversas anteriores
chat-hint-menu = { $keys } menu
chat-error-overloaded = O provedor está sobrecarregado. Envie qualquer mensagem para tentar de novo.
chat-error-network = O provedor não pode ser alcançado. Verifique a rede e --base-url e envie qualquer mensagem para tentar de novo.
chat-error-refused = Verifique a chave e o modelo, inicie de novo e continue esta conversa.
chat-error-rounds = O agente deu passos demais sem terminar. Envie qualquer mensagem para ele continuar.
chat-error-other = Envie qualquer mensagem para tentar de novo.
chat-link = Abrir no navegador: { $link }
demo-hello = Mostre o que o askback sabe fazer
demo-resumed = Bem-vindo de volta: tudo está onde você deixou.
inbox-stop-marked = Parar os agentes de todas as marcadas ({ $count })? Eles encerram o trabalho sem resposta.
inbox-hint-decline = { $keys } o agente decide
inbox-hint-answer = { $keys } responder
inbox-hint-yes = { $keys } sim
inbox-hint-no = { $keys } não
inbox-hint-go-on = { $keys } continuar
inbox-how = Experimente em outro terminal: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = Pressione { $keys } para abrir esta pergunta
inbox-ended-here = Esta pergunta já foi respondida. { $keys } vai para a próxima
inbox-more = { $count ->
    [one] mais { $count } pergunta
   *[other] mais { $count } perguntas
}
chat-stopped = Parado. Escreva uma mensagem para continuar.
inbox-next = Próxima: { $name }
inbox-gone = Esta pergunta não está mais aberta
inbox-draft = rascunho

### Chat and inbox

chat-you = você
chat-prompt = Escreva uma mensagem
chat-thinking = { $agent } está pensando
chat-working = { $agent } está usando { $tool }
chat-waiting = { $agent } espera sua resposta
chat-failed = { $agent } falhou: { $reason }
chat-retry = { $reason }, tentativa { $count } de { $max }
chat-connecting = Conectando
chat-connection-lost = Conexão perdida, tentando de novo
inbox-title = Entrada
inbox-count = { $count ->
    [0] Nenhuma pergunta esperando
    [one] { $count } pergunta esperando
   *[other] { $count } perguntas esperando
}
inbox-empty = Nenhuma pergunta esperando. Novas perguntas aparecem aqui automaticamente.
inbox-marked = { $count ->
    [one] { $count } marcada
   *[other] { $count } marcadas
}
inbox-decline-marked = Deixar o agente decidir em todas as marcadas ({ $count })? Os agentes continuam sem resposta.
inbox-skip-marked = Pular todas as marcadas ({ $count })?
inbox-skip-or-decline-marked = Pular as marcadas ({ $count })? Onde não for possível, o agente decide e continua sem resposta.
inbox-reject-marked = { $count ->
    [one] Parar o agente de { $count } pergunta?
   *[other] Parar os agentes de { $count } perguntas?
}
inbox-arrived = { $count ->
    [one] { $count } pergunta nova
   *[other] { $count } perguntas novas
}

### Web

web-send = Enviar resposta
web-next = Próxima
web-back = Voltar
web-skip = Pular
web-edit = Alterar
web-own-answer = Sua própria resposta
web-add-note = Adicionar uma nota
web-filter = Filtrar opções
web-choices-shown = { $count ->
    [one] { $count } opção visível
   *[other] { $count } opções visíveis
}
web-select-all = Selecionar tudo
web-clear-selection = Limpar a seleção
web-selected-hidden = Selecionadas: { $count }, não visíveis: { $hidden }
web-use-typed = Usar “{ $text }”
web-today = Hoje
web-tomorrow = Amanhã
web-next-monday = Próxima segunda
web-pick-date = Escolher data
web-enter-sends = Enter para enviar, Shift+Enter para outra linha
web-preview = Prévia
web-reject = Parar o agente
web-reject-ask = Parar o agente? Ele encerra o trabalho sem resposta.
web-keep-open = Deixar aberta
web-decline = Deixar o agente decidir
web-error = Erro
web-error-summary = { $count ->
    [one] Há um problema com uma resposta
   *[other] Há problemas com { $count } respostas
}
web-sending = Enviando
web-saved-offline = Salvo. Será enviado quando houver conexão.
web-form-offline = Sem conexão. Sua resposta foi mantida; envie de novo.
web-answered-by = Respondida por { $person } { $surface ->
    [terminal] no terminal
    [web] no navegador
    [link] por um link
    [cli] na linha de comando
    [http] por HTTP
    [mcp] em uma caixa de diálogo
    [telegram] no Telegram
    [slack] no Slack
    [ntfy] pelo ntfy
    [push] em uma notificação
    [email] por e-mail
    [command] por um comando
   *[system] pelo sistema
}
web-rejected-by = Agente parado por { $person }
web-declined-by = Decisão deixada ao agente por { $person }
web-withdrawn = Retirada pelo agente
web-expired = Sem resposta até { $time }. O agente seguiu sem ela.
web-answer-anyway = Responder mesmo assim
web-bad-question = O agente enviou uma pergunta que não pode ser exibida
web-too-late = Esta pergunta está fechada. Sua resposta não foi enviada.
web-conflict = Já respondida por { $person }. Esta é a resposta.
for-recipient = para { $recipient }
hand-on = Repassar…
hand-on-to = Repassar para { $person }
hand-on-unreachable = { $person } não tem nenhum canal e não recebe mensagem, mas pode responder no navegador
handed-on-to = Repassada para { $to } por { $person }
handed-on-to-unnamed = Repassada para { $to }
web-hand-on-reason = Motivo (opcional)
web-handed-on = Repassada para { $person }
web-deadline = Fecha às { $time }
web-more-time = Preciso de mais tempo
web-deadline-kept = Sem prazo agora. A pergunta continua aberta até você responder.
web-reply-to = Responder a { $name }
web-composer-blocked = Responda primeiro à pergunta acima
web-message = Mensagem
web-send-message = Enviar
web-stop = Parar
web-not-stopped = Não foi interrompido: o servidor não está acessível. Tente de novo quando a conexão voltar.
web-offline = Você está sem conexão. Sua mensagem fica salva aqui.
web-not-found = Esta pergunta não existe ou o link expirou
web-no-conversation = Esta conversa não existe ou foi excluída
web-conversations = Conversas
web-new-conversation = Nova conversa
web-choose-app = Escolher um app
web-delete = Excluir
web-delete-ask = Excluir esta conversa e suas respostas?
web-notify = Avisar sobre perguntas
web-notify-on = As notificações estão ativas
web-notify-blocked = Seu navegador bloqueia as notificações desta página
web-notify-whom = Perguntas para quem?
web-language = Idioma
web-theme = Tema
web-theme-auto = Como o sistema
web-theme-light = Claro
web-theme-dark = Escuro
web-digits = Escolher com as teclas numéricas
web-link = Responder em outro dispositivo
web-link-hint = Leia o código ou abra o link. Vale uma vez, só para esta pergunta.
web-copy-link = Copiar link
web-copied = Copiado
web-skip-to-question = Ir para a pergunta
web-answered = Respondida
web-answered-unnamed = Respondida { $surface ->
    [terminal] no terminal
    [web] no navegador
    [link] por um link
    [cli] pela linha de comando
    [http] por HTTP
    [mcp] por um cliente MCP
    [telegram] no Telegram
    [slack] no Slack
    [ntfy] pelo ntfy
    [push] em uma notificação
    [email] por e-mail
    [command] por um comando
   *[system] pelo sistema
}
web-refused = Acesso negado. Entre ou verifique o token.
web-type-own = Outra: digite acima
web-older = Mostrar mensagens anteriores
web-your-name = Seu nome
web-link-until = Válido até { $time }.
web-link-local = Só este computador abre este endereço. Para o celular, inicie o servidor com { $command }.
web-late-lead = A pergunta está fechada. Sua resposta será enviada ao agente como mensagem.
web-late-text = Minha resposta atrasada a “{ $question }”: { $answer }
web-late-sent = Enviada ao agente como mensagem
web-agent-sent = O que o agente enviou
web-agent-told = O que o agente recebeu
web-undo-left = Desfazer ({ $seconds } s)
web-held = Enviado. Você ainda pode desfazer.
web-undone = Desfeito. A pergunta está aberta de novo.
web-undone-elsewhere = Sua resposta foi desfeita em outra janela. A pergunta está aberta de novo.
web-open-again = Mostrar a pergunta
web-undo-late = Tarde demais para desfazer: o agente já tem a resposta
web-seconds = { $count } s
web-off = Nenhum
web-deleted = Conversa excluída
web-settings = Configurações
web-people = Pessoas
web-people-alias = Nome curto, como anna
web-people-name = Nome
web-people-add = Adicionar
web-people-remove = Remover { $person }
web-people-group = grupo de { $people }
web-people-on-call = de plantão: { $person }
web-sign-out = Sair
web-no-such-choice = “{ $text }” não é uma das opções
web-not-sent = Sua resposta não enviada
web-not-sent-yet = Ainda não enviada
web-other-draft = Outra janela ou outro dispositivo salvou um rascunho diferente desta resposta.
web-use-other-draft = Usar esse rascunho
web-keep-this-draft = Manter este rascunho
web-next-question = Próxima pergunta
web-stop-ask = Parar o agente? As perguntas de seus subagentes serão canceladas.
web-now-answers = Esta mensagem agora responde a “{ $name }”. Envie de novo para confirmar.
web-now-message = A pergunta está fechada. Envie de novo para mandar isto como mensagem.
inbox-reject-marked-confirm = Parar todos ({ $count })
web-details = Detalhes
web-more-waiting = Mais { $count } em espera
web-previous-question = Pergunta anterior
web-close = Fechar
web-latest = Mais recentes
web-waiting-below = Aguardando sua resposta abaixo
web-after-answer = O que o agente fez depois
web-start-lead = Descreva uma tarefa. O agente pergunta quando a decisão é sua.

inbox-search = Buscar perguntas
inbox-agent = Agente
inbox-all-agents = Todos os agentes
inbox-sort = Ordem
inbox-sort-deadline = Prazo mais próximo primeiro
inbox-sort-oldest = Mais antigas primeiro
inbox-sort-newest = Mais recentes primeiro
inbox-for-me = Para mim
inbox-clear-filter = Limpar busca e filtro
inbox-none-match = Nenhuma pergunta corresponde.
inbox-loading = Carregando perguntas…
inbox-listed = { $count } de { $all } exibidas
inbox-position = { $index } de { $count }
inbox-all = Todas as perguntas
inbox-mark = Marcar { $name }
inbox-mark-all = Marcar todas
inbox-unmark = Limpar marcas
inbox-skipped = Puladas: { $count }
inbox-snooze = Adiar
inbox-snooze-title = Adiar até
inbox-snooze-hour = Em uma hora
inbox-snooze-evening = Hoje à noite
inbox-snooze-tomorrow = Amanhã de manhã
inbox-snooze-monday = Segunda de manhã
inbox-snooze-own = Outro momento
inbox-snoozed-until = Adiada até { $time }
inbox-undo-snooze = Desfazer
inbox-show-snoozed = Adiadas ({ $count })
inbox-hide-snoozed = Voltar à entrada
inbox-last-words = { $agent } escreveu antes de perguntar
inbox-open-conversation = Abrir a conversa
inbox-keys = Teclas
inbox-key-move = Próxima pergunta ou anterior
inbox-key-open = Ir para a pergunta
inbox-key-choose = Escolher uma resposta
inbox-key-skip = Pular, ou deixar o agente decidir
inbox-key-mark = Marcar para agir em várias
inbox-key-undo = Desfazer a última ação
inbox-key-back = Voltar à lista, limpar marcas
web-more-conversations = Mostrar mais
web-other-agents = Outros agentes
web-no-other-agents = Nenhum outro agente perguntou ainda. Conecte um: { $command }
inbox-empty-title = Tudo em dia
inbox-empty-lead = Quando um agente precisar de uma decisão, a pergunta aparece aqui sozinha.
inbox-empty-try = Experimente em um terminal:
inbox-declined = Deixadas para os agentes: { $count }
inbox-failed = Falharam: { $count }
web-two-steps = Escolher primeiro, depois enviar
web-undo-time = Tempo para desfazer uma resposta
answered-project = Projeto
answered-all-projects = Todos os projetos
answered-person = Respondida por
answered-everybody = Todos
answered-outcome = Resultado
answered-all-outcomes = Todos os resultados
answered-no-answer = Sem resposta
answered-copy = Copiar como Markdown
answered-none = Nada foi respondido ainda.
web-no-model = Nenhum modelo está configurado: aqui responde um roteiro de demonstração. Para um agente de verdade, inicie o servidor com { $command }.
inbox-empty-install = Conecte os agentes deste computador:
inbox-agents-ready = Configurados neste computador: { $agents }. Diga a um agente para perguntar algo a você.
web-not-now = Agora não
web-phone = No celular
web-phone-scan = Escaneie o código. Ele conecta um navegador, uma vez.
web-too-early = Foi cedo demais e não fez nada. Pressione de novo.

### Channels

channel-waiting = Uma pergunta está esperando
channel-waiting-from = { $agent } tem uma pergunta
channel-project = Projeto: { $project }
channel-open = Abrir
channel-write = Escrever…
channel-next = Avançar
channel-back = Voltar
channel-send = Enviar
channel-undo = Desfazer
channel-today = Hoje
channel-tomorrow = Amanhã
channel-in-a-week = Em uma semana
channel-rest-at-link = O restante está no link.
channel-answer-at-link = Responda a esta pergunta no link.
channel-outcome-at = { $outcome }, { $time }
channel-sent = Enviado: { $answer }
channel-sent-undo = Enviado: { $answer }. Você pode desfazer por { $seconds } s.
channel-takes-effect = Passa a valer às { $time }
channel-held-by = Respondida por { $person }. A resposta passa a valer em { $seconds } s.
channel-changed = A pergunta mudou. Olhe de novo.
channel-sent-plain = Enviado.
channel-sent-undo-plain = Enviado. Você pode desfazer por { $seconds } s.
channel-answer-elsewhere = Responda a esta pergunta no terminal ou no navegador.
channel-help = As perguntas chegam aqui com botões. Para responder com palavras, responda à mensagem da pergunta.
channel-how-to-link = Para receber perguntas aqui, envie o código que este comando mostra: askback channel link
channel-text-only = Só um texto digitado conta como resposta. Escreva-o em resposta à pergunta.
channel-not-allowed = Você não pode responder a esta pergunta.
channel-linked = Vinculado. As perguntas para { $name } chegarão aqui.
channel-code-invalid = Este código está errado ou já foi usado. Um novo: askback channel link
channel-code-in-group = Escreva para mim em uma conversa privada. Outras pessoas viram este código, por isso ele não vale mais. Um novo: askback channel link
channel-reply = Responda a esta mensagem com a sua resposta.
channel-use-fields = Esta mensagem tem várias perguntas. Preencha os campos e toque em Enviar.
channel-reply-at-review = Aqui você confere as respostas. Toque em Enviar, ou em Voltar para mudar uma resposta.
channel-text-added = O seu texto foi adicionado às opções marcadas. Olhe a pergunta de novo e toque em Enviar.
channel-send-again = Sem resposta: { $names }. Para enviar mesmo assim, toque em Enviar de novo.
channel-leave-open = Sem resposta: { $names }. Responda também, ou deixe em aberto com { $example }
channel-reply-range = Responda a esta mensagem com o primeiro e o último dia, por exemplo { $example }
channel-reply-last-day = O primeiro dia é { $start }. Responda a esta mensagem com o último dia.
channel-reply-reason = Responda a esta mensagem com o motivo.
channel-superseded = Respondida com uma mensagem
channel-not-sent = Não enviado. Abra a pergunta ou tente de novo.
channel-handed-on-by = { $person } repassou esta pergunta para você
channel-handed-on-by-unnamed = Repassada para você
channel-still-open = Ainda em aberto: { $question }
channel-new-link = O novo link: { $link }
channel-still-open-until = Ainda em aberto: { $question }. Expira às { $time }.
channel-not-answered-by = { $person } ainda não respondeu
channel-also-sent-to = Ainda sem resposta. Enviada também para { $person }
