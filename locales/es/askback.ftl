### Shared

recommended = (Recomendado)
other = Otra
asks = { $agent } pregunta
question-of = Pregunta { $index } de { $count }
question-count = { $count ->
    [one] { $count } pregunta
   *[other] { $count } preguntas
}
select-several = Selecciona todo lo que corresponda
selected-count = { $count ->
    [one] { $count } seleccionada
   *[other] { $count } seleccionadas
}
optional = opcional
note = Nota
from = Desde
to = Hasta
counter = { $used }/{ $max }
number-whole = Un número entero
number-whole-range = Un número entero de { $min } a { $max }
number-whole-min = Un número entero, { $min } como mínimo
number-whole-max = Un número entero, { $max } como máximo
number-any = Un número
number-range = Un número de { $min } a { $max }
number-min = Un número, { $min } como mínimo
number-max = Un número, { $max } como máximo
number-step = en pasos de { $step }
date-any = Un día, por ejemplo { $example }
date-between = Desde { $min } hasta { $max }
date-min = A partir de { $min }
date-max = Hasta { $max }
review = Resumen
review-lead = Revisa tus respuestas antes de enviarlas
send-answers = Enviar respuestas
answer-skipped = omitida
answer-open = sin responder
answer-noted = { $answer } (nota: { $note })
answer-range = { $start } a { $end }
resolved-skipped = { $name }: omitida
resolved-declined = { $name }: decisión dejada al agente
resolved-undeliverable = { $name }: nunca se mostró, nadie podía responder
someone = alguien
resolved-answered = { $name }: { $answer }
resolved-stopped = { $name }: agente detenido
web-failed = No ha funcionado. Inténtalo de nuevo.
age-now = ahora mismo
problem-empty = { $name }: da una respuesta
assumption-marked = Hasta que respondas, el agente supone: { $assumption }
agent-not-waiting = El agente no está esperando ahora. Recibirá la respuesta cuando vuelva a preguntar.

### Program

handed-on-to-other = Pasada a otra persona
answer-confirm = ¿Enviar estas respuestas? y/n:
other-hint = Escribe tu propia respuesta…
other-specify = Especifica:
unanswered-count = { $count } sin responder
day-count = { $count ->
    [one] { $count } día
   *[other] { $count } días
}
date-long = { $weekday }, { $day } de { $month } de { $year }
month-year = { $month } de { $year }
answer-own = { $answer } (respuesta propia)
resolved-open = { $name }: sin responder
resolved-superseded = { $name }: respondida con un mensaje
resolved-expired = { $name }: sin respuesta a las { $time }, el agente siguió sin ella
resolved-cancelled = { $name }: cancelada
resolved-timed-out = { $name }: sin respuesta a las { $time }
resolved-withdrawn = { $name }: retirada por el agente
resolved-elsewhere = { $line } — respondida por { $person } { $surface ->
    [terminal] en la terminal
    [web] en el navegador
    [link] mediante un enlace
    [cli] desde la línea de comandos
    [http] por HTTP
    [mcp] en un diálogo
    [telegram] en Telegram
    [slack] en Slack
    [ntfy] mediante ntfy
    [push] en una notificación
    [email] por correo
    [command] mediante un comando
   *[system] desde el sistema
}
resolved-elsewhere-unnamed = { $line } — respondida { $surface ->
    [terminal] en la terminal
    [web] en el navegador
    [link] mediante un enlace
    [cli] desde la línea de comandos
    [http] por HTTP
    [mcp] desde un cliente MCP
    [telegram] en Telegram
    [slack] en Slack
    [ntfy] mediante ntfy
    [push] en una notificación
    [email] por correo
    [command] mediante un comando
   *[system] por el sistema
}
question-unnamed = La respuesta
problem-nothing-answered = No hay ninguna pregunta respondida: responde al menos una o deja que decida el agente
problem-not-an-object = Las respuestas deben ser un objeto JSON con una entrada por cada id de pregunta
problem-unknown-question = No existe esa pregunta: usa { $known }
problem-answered-twice = { $name }: respondida dos veces; responde una sola vez
problem-cannot-skip = { $name }: no se puede omitir; responde o deja que decida el agente
problem-skipped-and-answered = { $name }: respondida y omitida a la vez; elige una de las dos cosas
problem-unknown-choice = { $name }: elige entre las opciones: { $labels }
problem-ambiguous-choice = { $name }: no está claro. Escribe el número y el texto: { $lines }
problem-one-choice-only = { $name }: solo admite una opción
problem-exclusive = { $name }: «{ $label }» no se puede combinar con otras opciones
problem-wrong-type = { $name }: se espera { $wants ->
    [choices] una elección: usa `values`, y `own` para texto propio
    [number] un número: usa `number`
    [date] un día: usa `date`, por ejemplo 2027-03-27
    [date-range] un periodo: usa `start` y `end`
   *[text] texto: usa `text`
}
problem-too-short = { $name }: { $min } caracteres como mínimo
problem-too-long = { $name }: { $max } caracteres como máximo
problem-note-too-long = Nota de { $name }: { $max } caracteres como máximo
problem-pattern-mismatch = { $name }: no tiene el formato pedido
problem-too-small = { $name }: { $min } como mínimo
problem-too-large = { $name }: { $max } como máximo
problem-out-of-range = { $name }: de { $min } a { $max }
problem-not-whole = { $name }: escribe un número entero
problem-not-on-step = { $name }: en pasos de { $step }
problem-not-a-number = { $name }: escribe un número, por ejemplo 3 o { $example }
problem-not-a-date = { $name }: escribe una fecha, por ejemplo 2027-03-27
problem-too-early = { $name }: a partir de { $min }
problem-too-late = { $name }: hasta { $max }
problem-end-before-start = { $name }: el final no puede ser anterior al comienzo
problem-of-field = { $field }: { $problem }
chat-title = Chat con { $agent }
chat-left = La conversación se guarda. Continúa con { $command }
chat-connected = Conexión recuperada
web-decline-effect = Se le dice al agente que no has elegido nada, y continúa.
web-signed-out = Para entrar, abre el enlace que askback mostró en la terminal o escribe el token del servidor.
web-token = Token
web-sign-in = Entrar
web-token-wrong = Este no es el token de este servidor. Copia el token completo e inténtalo de nuevo.
web-code-used = Este enlace ya se usó o es demasiado antiguo. Para obtener otro, ejecuta: askback phone
web-no-page = Esta página no existe
web-unavailable = El servidor no puede acceder a su base de datos en este momento.
web-nothing-lost = No se pierde nada: se conservan todas las preguntas y todas las respuestas enviadas.
web-retrying = Esta página lo vuelve a intentar sola.
web-try-again = Intentar de nuevo
web-copy-unsent = Cópiala antes de salir de esta página.
web-today-is = «Hoy» es aquí { $date }.
web-not-answering = ¿No quieres responder?
web-skip-effect = Se le dice al agente que has omitido esta pregunta.
web-stop-effect = Se le dice al agente que se detenga, sin respuesta.
web-thanks-answered = { $named ->
    [yes] Gracias, { $agent } continúa.
   *[no] Gracias, el agente continúa.
}
web-thanks-declined = { $named ->
    [yes] Gracias, { $agent } decide y continúa.
   *[no] Gracias, el agente decide y continúa.
}
web-thanks-stopped = { $named ->
    [yes] Se le ha dicho a { $agent } que se detenga.
   *[no] Se le ha dicho al agente que se detenga.
}
web-close-page = Puedes cerrar esta página.
web-link-expired = Este enlace ha caducado: { $time }.
web-link-changed = La pregunta ha cambiado desde que se creó este enlace.
web-link-ask-again = Pide uno nuevo a la persona que te lo envió.
web-link-new = Enviarme un enlace nuevo
web-link-new-sent = Hay un enlace nuevo en camino. Llegará al mismo lugar que este.
web-link-new-recently = Recibiste un enlace nuevo hace menos de una hora. Búscalo donde recibiste este.
form-first-day = Primer día
form-last-day = Último día
form-skip = Omitir esta pregunta
form-answer = Respuesta
form-questions = Preguntas para ti
form-left-open = Estas preguntas están sin responder. ¿Enviar de todos modos?
form-send-anyway = Enviar de todos modos
web-no-script = Esta página necesita JavaScript. Para responder sin él, abre /q/ seguido del identificador de la pregunta.
web-link-not-allowed = Este enlace no permite eso. Vuelve atrás y responde, o pregunta a quien te envió el enlace.

### Terminal

inbox-new-appear = Las preguntas nuevas aparecen aquí automáticamente.
problem-empty-here = Responde a esta pregunta
hint-navigate = { $keys } mover
hint-select = { $keys } elegir
hint-toggle = { $keys } marcar
hint-all = { $keys } todo
hint-send = { $keys } enviar
hint-next = { $keys } siguiente
hint-back = { $keys } atrás
hint-skip = { $keys } omitir
hint-note = { $keys } nota
hint-preview = { $keys } vista previa
hint-leave = { $keys } salir…
hint-line = { $keys } línea
hint-new-line = { $keys } línea nueva
hint-editor = { $keys } editor
hint-step = { $keys } ±{ $step }
hint-day-week = { $keys } día/semana
hint-month = { $keys } mes
hint-year = { $keys } año
hint-today = { $keys } hoy
hint-change = { $keys } cambiar
hint-choose = { $keys } elegir
hint-back-to-question = { $keys } volver a la pregunta
hint-back-to-list = { $keys } volver a la lista
hint-type-to-filter = escribe para filtrar
hint-type-answer = escribe tu respuesta
hint-clear = { $keys } borrar
hint-close = { $keys } cerrar
hint-scroll = { $keys } desplazar
hint-keys = { $keys } todas las teclas
tiny-ok = { $keys }ok
tiny-read = { $keys } leer
tiny-cancel = { $keys }…
leave-title = ¿Salir de esta pregunta?
leave-keep = Responder después
leave-keep-effect = (la pregunta sigue abierta)
leave-quit = Salir sin responder
leave-quit-effect = (la pregunta no se guarda)
leave-decline = Que decida el agente
leave-decline-effect = (sigue sin respuesta)
leave-stop = Detener al agente
leave-stop-effect = (termina su trabajo)
sure-decline = ¿Que decida el agente? Sigue sin respuesta.
sure-stop = ¿Detener al agente? Termina su trabajo sin respuesta.
leave-cancel = Cancelar la pregunta
leave-cancel-effect = (el script no recibe respuesta)
sure-cancel = ¿Cancelar la pregunta? El script no recibe respuesta.
deadline-closing = cierra en { $left } • pulsa una tecla para mantenerla abierta
deadline-fallback = Si nadie responde: el agente sigue sin respuesta
deadline-over = Se acabó el tiempo, pero la pregunta sigue abierta hasta que el servidor la cierre
shown-of = { $shown } de { $count } a la vista
more-rows = { $count } más
folded = { $count ->
    [one] { $count } pregunta en espera
   *[other] { $count } preguntas en espera
} • { $keys } abrir • { $question }
help-title = Teclas
help-move = mover la selección
help-ends = primera y última fila
help-page = una página
help-half-page = media página
help-digit = elegir y seguir
help-digit-several = marcar o desmarcar
help-digit-moves = ir a la fila con este número
help-mark = marcar sin seguir
help-toggle = marcar o desmarcar
help-confirm = elegir y seguir
help-confirm-several = enviar lo marcado; si no hay nada, marcar la fila
help-confirm-text = enviar o seguir
help-yes = responder sí
help-no = responder no
help-send = enviar todo
help-new-line = línea nueva
help-next-question = pregunta siguiente
help-previous-question = pregunta anterior
help-all = marcar todo
help-invert = invertir las marcas
help-filter = filtrar las opciones
help-other = escribir una respuesta propia
help-note = añadir una nota
help-skip = omitir esta pregunta
help-review = revisar todas las respuestas
help-preview = vista previa de la opción
help-preview-scroll = desplazar la vista previa
help-read = leer entero
help-fold = plegar en una línea
help-link = copiar el enlace
help-share = enlace y código QR para el teléfono
help-hand-on = pasar a otra persona
hand-on-nobody = La configuración no nombra a nadie más.
notice-handed-on = pasada
hint-share = { $keys } teléfono
hint-copy = { $keys } copiar
share-title = Responder en otro dispositivo
share-making = Creando el enlace…
share-once = Funciona una vez, hasta { $time }.
share-local = Solo esta máquina puede abrirlo. Para un teléfono, inicia askback serve --phone.
share-small = Esta ventana es demasiado pequeña para el código QR.
notice-no-share = Sin enlace: la pregunta solo se guarda con --durable
help-undo = deshacer la última respuesta
help-clear-marks = quitar todas las marcas
help-help = mostrar todas las teclas
help-editor = abrir tu editor
help-step = un paso más o menos
help-step-ten = diez pasos más o menos
help-day = un día
help-week = una semana
help-month = un mes
help-year = un año
help-today = hoy
help-line-ends = principio y fin de la línea
help-caret = mover el cursor
help-erase = borrar
help-recall = sus mensajes anteriores
help-back = un paso atrás, después el menú de salida
help-detach = salir, la pregunta sigue abierta
help-undo-change = deshacer el último cambio
help-suspend = suspender
help-repaint = redibujar
notice-paste = Aquí no se puede pegar
notice-too-soon = Muy pronto: tecla ignorada
notice-nothing-typed = Escribe una respuesta o pulsa { $keys } para omitir
notice-number-only = Solo números
date-not-understood = No es una fecha. Prueba 2027-03-27 o { $tomorrow }
date-does-not-exist = El { $day } de { $month } de { $year } no existe
date-day-does-not-exist = El { $day } de { $month } no existe
date-ambiguous = ¿{ $one } o { $other }? Escríbelo como { $example }
date-is-period = ¿Qué día? Prueba «en 1 semana» o «viernes»
number-ambiguous = ¿{ $grouped } o { $decimal }? Escribe una de las dos formas
notice-not-skippable = Esta pregunta es obligatoria. { $keys } pasa a la siguiente
notice-yes-or-no = Pulsa s o n, o muévete antes a una opción
notice-read-on = Sigue leyendo antes de responder
typed-label = Escrito: { $text }
typed-label-ambiguous = { $text }: varias opciones empiezan así
typed-label-unknown = { $text }: ninguna opción empieza así • { $keys } lo borra
typed-label-yes-or-no = { $text }: responde { $yes } o { $no } • { $keys } lo borra
notice-no-preview = Esta opción no tiene vista previa
notice-editor-missing = Define VISUAL o EDITOR para escribir en tu editor
notice-editor-failed = El editor terminó con un error; tu texto no ha cambiado
notice-link-copied = Enlace copiado
notice-undone = Deshecho. La pregunta vuelve a estar abierta
elsewhere-undoable = Allí todavía se puede deshacer. En ese caso, la pregunta se abre aquí de nuevo.
elsewhere-undo-left = Respondida en otro lugar. Allí se puede deshacer durante { $seconds } s.
notice-too-late-to-undo = Demasiado tarde: el agente ya tiene la respuesta
notice-nothing-to-undo = No hay nada que deshacer
hint-undo-answer = { $keys }: deshacer ({ $seconds } s)
hint-send-now = { $keys } continuar
help-send-now = continuar ya, sin esperar al fin del plazo para deshacer
undo-left = Tu respuesta está guardada. El agente la recibe cuando ya no se puede deshacer.
line-undo = Para deshacer, escribe u y pulsa Intro en { $seconds } s. Una línea vacía continúa:
detached = { $name }: sigue abierta. Responde después con { $command }
unsent-text = No enviado: { $text }
unsent-unreachable = No enviado: no se puede contactar con el servidor. La pregunta sigue abierta.
line-question = Pregunta { $index } de { $count }, de { $agent }
line-choice = { $number }. { $label }.
line-choice-described = { $number }. { $label }. { $description }.
line-choice-recommended = { $number }. { $label }, recomendado.
line-choice-recommended-described = { $number }. { $label }, recomendado. { $description }.
line-other = { $number }. { $other }: escribe tu propia respuesta.
line-prompt-one = Escribe de 1 a { $count }, o ? para ayuda:
line-prompt-several = Escribe números de 1 a { $count } separados por comas, o ? para ayuda:
line-prompt-text = Escribe tu respuesta, o ? para ayuda:
line-prompt-number = Escribe un número, o ? para ayuda:
line-prompt-date = Escribe un día, por ejemplo { $example }, o ? para ayuda:
line-prompt-start = Primer día, por ejemplo { $example }, o ? para ayuda:
line-prompt-end = Último día, o ? para ayuda:
line-prompt-other = Tu propia respuesta:
line-prompt-note = Tu nota, o una línea vacía para ninguna:
line-prompt-review = Escribe un número para cambiar una respuesta, o una línea vacía para enviar:
line-prompt-leave = Escribe de 1 a { $count }, o una línea vacía para volver:
line-help = Escribe el número de una opción.
line-help-several = Escribe los números separados por comas, por ejemplo 1,3.
line-help-review = Una línea vacía envía todas las respuestas. El número de una pregunta cambia su respuesta.
line-help-text = Escribe tu respuesta y pulsa intro.
line-help-yes-no = Escribe s para sí, n para no, o el número de una opción.
line-help-number = Escribe un número y pulsa intro.
line-help-date = Escribe una fecha y pulsa intro, por ejemplo 2027-03-27, viernes o en 2 semanas.
line-help-skip = { $keys } omite esta pregunta
line-help-back = { $keys } vuelve
line-help-note = { $keys } añade una nota
line-help-leave = { $keys } sale de la pregunta
line-help-help = { $keys } muestra esta ayuda
line-help-later = { $keys } deja esta pregunta para después y va a la siguiente
line-help-list = { $keys } vuelve a la lista
line-chosen = Elegido: { $answer }.
line-chosen-sent = Elegido: { $answer }. Enviado.
line-skipped = Omitida.
line-sent = Enviado.
line-deadline = Esta pregunta cierra a las { $time }. Cualquier entrada la mantiene abierta.
line-not-understood = Escribe un número de 1 a { $count }; no se ha elegido nada.
line-review-not-understood = No se entendió. No se envió nada.
line-too-soon = Llegó demasiado pronto tras la pregunta y se ignoró. Escríbelo otra vez.
line-pasted = Las líneas pegadas se ignoraron. Escribe la respuesta en una línea.
line-pasted-kept = Se pegaron varias líneas. Aún no se envió nada.
line-pasted-message = Se pegaron varias líneas. Pulsa intro para enviarlas como un mensaje, o escribe otra cosa para reemplazarlas:
line-nothing-typed = No se escribió nada. /s omite esta pregunta.
line-prompt-yes-no = Escribe s o n, de 1 a { $count }, o ? para ayuda:
line-prompt-sure = Escribe sí para confirmar, o una línea vacía para volver:
line-so-far = Tu respuesta hasta ahora: { $answer }. Una línea vacía la conserva.
line-inbox-item = { $number }. { $name }, de { $agent }.
line-inbox-prompt = Escribe el número de una pregunta, una línea vacía para la primera, o ? para ayuda:
line-inbox-help = Escribe el número de la pregunta que quieres responder. l muestra la lista otra vez, q sale, ? muestra esta ayuda.
line-inbox-quit = Escribe q para salir:
pipe-waiting = { $count ->
    [one] { $count } pregunta espera
   *[other] { $count } preguntas esperan
} ({ $id }, { $agent }: { $name })
pipe-no-terminal = no hay terminal interactiva, no se ha respondido nada
pipe-no-terminal-hint = Ejecútalo en una terminal. Si hay una pero la entrada está redirigida, añade --tty. Para guardar la pregunta y responderla en otro lugar, añade --durable.
pipe-answer = responde con  { $command }  o abre
chat-hint-send = { $keys } enviar
chat-hint-stop = { $keys } detener
chat-hint-leave = { $keys } salir
inbox-hint-open = { $keys } abrir
inbox-hint-move = { $keys } mover
inbox-hint-mark = { $keys } marcar
inbox-hint-reject = { $keys } detener agente
inbox-hint-skip = { $keys } omitir
inbox-hint-snooze = { $keys } posponer
inbox-hint-undo = { $keys } deshacer
inbox-undo = { $line } — { $keys }: deshacer ({ $seconds } s)
inbox-hint-quit = { $keys } salir
chat-busy = { $agent } sigue trabajando. Tu mensaje no se envió; { $keys } abre el menú.
chat-offered = Pulsa intro para enviarlo como respuesta
chat-question-first = Responde primero a la pregunta. Tu mensaje no se envió.
chat-sending = Enviando
chat-attempt = Sin respuesta del proveedor del modelo, intento { $count } de { $max }
chat-helpers = { $agent } espera a sus subagentes: { $count }
chat-menu-title = Menú
chat-menu-stay = Quedarse aquí
chat-menu-stop = Detener a { $agent }
chat-menu-stop-effect = (la conversación se conserva)
chat-menu-leave = Salir
chat-menu-leave-effect = (la conversación se guarda)
chat-menu-earlier = Conversaciones anteriores
chat-menu-link = Mostrar el enlace para el navegador
chat-no-earlier = No hay conversaciones anteriores
chat-hint-menu = { $keys } menú
chat-error-overloaded = El proveedor está saturado. Envía cualquier mensaje para reintentarlo.
chat-error-network = No se puede llegar al proveedor. Comprueba la red y --base-url y envía cualquier mensaje para reintentarlo.
chat-error-refused = Comprueba la clave y el modelo, vuelve a empezar y sigue con esta conversación.
chat-error-rounds = El agente dio demasiados pasos sin terminar. Envía cualquier mensaje para que siga.
chat-error-other = Envía cualquier mensaje para reintentarlo.
chat-link = Abrir en un navegador: { $link }
demo-hello = Enséñame lo que puede hacer askback
demo-resumed = Hola de nuevo: todo está donde lo dejaste.
inbox-stop-marked = ¿Detener a los agentes de todas las marcadas ({ $count })? Terminan su trabajo sin respuesta.
inbox-hint-decline = { $keys } que decida el agente
inbox-hint-answer = { $keys } responder
inbox-hint-yes = { $keys } sí
inbox-hint-no = { $keys } no
inbox-hint-go-on = { $keys } continuar
inbox-how = Pruébalo en otra terminal: askback ask --durable{ $flags } "Deploy now?" Yes No
inbox-open-first = Pulsa { $keys } para abrir esta pregunta
inbox-ended-here = Esta pregunta ya tiene respuesta. { $keys } pasa a la siguiente
inbox-more = { $count ->
    [one] { $count } pregunta más
   *[other] { $count } preguntas más
}
chat-stopped = Detenido. Escribe un mensaje para seguir.
inbox-next = Siguiente: { $name }
inbox-gone = Esta pregunta ya no está abierta
inbox-draft = borrador

### Chat and inbox

chat-you = tú
chat-prompt = Escribe un mensaje
chat-thinking = { $agent } está pensando
chat-working = { $agent } está usando { $tool }
chat-waiting = { $agent } espera tu respuesta
chat-failed = { $agent } falló: { $reason }
chat-retry = { $reason }, intento { $count } de { $max }
chat-connecting = Conectando
chat-connection-lost = Conexión perdida, reintentando
inbox-title = Bandeja de entrada
inbox-count = { $count ->
    [0] No hay preguntas en espera
    [one] { $count } pregunta en espera
   *[other] { $count } preguntas en espera
}
inbox-empty = No hay preguntas en espera. Las nuevas aparecen aquí automáticamente.
inbox-marked = { $count ->
    [one] { $count } marcada
   *[other] { $count } marcadas
}
inbox-decline-marked = ¿Que decida el agente en todas las marcadas ({ $count })? Sus agentes siguen sin respuesta.
inbox-skip-marked = ¿Omitir todas las marcadas ({ $count })?
inbox-skip-or-decline-marked = ¿Omitir las marcadas ({ $count })? Donde no es posible, decide el agente y sigue sin respuesta.
inbox-reject-marked = { $count ->
    [one] ¿Detener al agente de { $count } pregunta?
   *[other] ¿Detener a los agentes de { $count } preguntas?
}
inbox-arrived = { $count ->
    [one] { $count } pregunta nueva
   *[other] { $count } preguntas nuevas
}

### Web

web-send = Enviar respuesta
web-next = Siguiente
web-back = Atrás
web-skip = Omitir
web-edit = Cambiar
web-own-answer = Tu propia respuesta
web-add-note = Añadir una nota
web-filter = Filtrar opciones
web-choices-shown = { $count ->
    [one] { $count } opción a la vista
   *[other] { $count } opciones a la vista
}
web-select-all = Seleccionar todo
web-clear-selection = Quitar la selección
web-selected-hidden = Seleccionadas: { $count }; no visibles: { $hidden }
web-use-typed = Usar «{ $text }»
web-today = Hoy
web-tomorrow = Mañana
web-next-monday = El próximo lunes
web-pick-date = Elegir fecha
web-enter-sends = Intro para enviar, Mayús+Intro para otra línea
web-preview = Vista previa
web-reject = Detener al agente
web-reject-ask = ¿Detener al agente? Termina su trabajo sin respuesta.
web-keep-open = Dejar abierta
web-decline = Que decida el agente
web-error = Error
web-error-summary = { $count ->
    [one] Hay un problema con una respuesta
   *[other] Hay problemas con { $count } respuestas
}
web-sending = Enviando
web-saved-offline = Guardado. Se enviará al recuperar la conexión.
web-form-offline = Sin conexión. Tu respuesta se conserva; vuelve a enviarla.
web-answered-by = Respondida por { $person } { $surface ->
    [terminal] en la terminal
    [web] en el navegador
    [link] mediante un enlace
    [cli] en la línea de comandos
    [http] por HTTP
    [mcp] en un diálogo
    [telegram] en Telegram
    [slack] en Slack
    [ntfy] mediante ntfy
    [push] en una notificación
    [email] por correo
    [command] mediante un comando
   *[system] desde el sistema
}
web-rejected-by = Agente detenido por { $person }
web-declined-by = Decisión dejada al agente por { $person }
web-withdrawn = Retirada por el agente
web-expired = Sin respuesta a las { $time }. El agente siguió sin ella.
web-answer-anyway = Responder de todos modos
web-bad-question = El agente envió una pregunta que no se puede mostrar
web-too-late = Esta pregunta está cerrada. Tu respuesta no se envió.
web-conflict = Ya respondida por { $person }. Esta es su respuesta.
for-recipient = para { $recipient }
hand-on = Pasar…
hand-on-to = Pasar a { $person }
hand-on-unreachable = { $person } no tiene ningún canal y no recibe ningún mensaje, pero puede responder en el navegador
handed-on-to = { $person } se la ha pasado a { $to }
handed-on-to-unnamed = Pasada a { $to }
web-hand-on-reason = Motivo (opcional)
web-handed-on = Pasada a { $person }
web-deadline = Cierra a las { $time }
web-more-time = Necesito más tiempo
web-deadline-kept = Ya no hay plazo. La pregunta sigue abierta hasta que respondas.
web-reply-to = Responder a { $name }
web-composer-blocked = Responde primero la pregunta de arriba
web-message = Mensaje
web-send-message = Enviar
web-stop = Detener
web-not-stopped = No se ha detenido: no se puede contactar con el servidor. Vuelve a pulsar cuando haya conexión.
web-offline = Sin conexión. Tu mensaje se guarda aquí.
web-not-found = Esta pregunta no existe o su enlace ha caducado
web-no-conversation = Esta conversación no existe o se ha eliminado
web-conversations = Conversaciones
web-new-conversation = Nueva conversación
web-choose-app = Elegir una aplicación
web-delete = Eliminar
web-delete-ask = ¿Eliminar esta conversación y sus respuestas?
web-notify = Avisarme de las preguntas
web-notify-on = Los avisos están activados
web-notify-blocked = Tu navegador bloquea los avisos de esta página
web-notify-whom = ¿Preguntas para quién?
web-language = Idioma
web-theme = Tema
web-theme-auto = Como el sistema
web-theme-light = Claro
web-theme-dark = Oscuro
web-digits = Elegir con las teclas numéricas
web-link = Responder en otro dispositivo
web-link-hint = Escanea el código o abre el enlace. Sirve una vez, solo para esta pregunta.
web-copy-link = Copiar enlace
web-copied = Copiado
web-skip-to-question = Ir a la pregunta
web-answered = Respondida
web-answered-unnamed = Respondida { $surface ->
    [terminal] en la terminal
    [web] en el navegador
    [link] mediante un enlace
    [cli] desde la línea de comandos
    [http] por HTTP
    [mcp] desde un cliente MCP
    [telegram] en Telegram
    [slack] en Slack
    [ntfy] mediante ntfy
    [push] en una notificación
    [email] por correo
    [command] mediante un comando
   *[system] por el sistema
}
web-refused = Acceso denegado. Inicia sesión o comprueba el token.
web-type-own = Otra: escríbela arriba
web-older = Mostrar mensajes anteriores
web-your-name = Tu nombre
web-link-until = Válido hasta { $time }.
web-link-local = Esta dirección solo se abre en este equipo. Para tu teléfono, inicia el servidor con { $command }.
web-late-lead = La pregunta está cerrada. Tu respuesta se enviará al agente como mensaje.
web-late-text = Mi respuesta tardía a «{ $question }»: { $answer }
web-late-sent = Enviada al agente como mensaje
web-agent-sent = Lo que envió el agente
web-agent-told = Lo que recibió el agente
web-undo-left = Deshacer ({ $seconds } s)
web-held = Enviado. Aún puedes deshacerlo.
web-undone = Deshecho. La pregunta vuelve a estar abierta.
web-undone-elsewhere = Tu respuesta se deshizo en otra ventana. La pregunta vuelve a estar abierta.
web-open-again = Mostrar la pregunta
web-undo-late = Demasiado tarde para deshacer: el agente ya tiene la respuesta
web-seconds = { $count } s
web-off = Ninguno
web-deleted = Conversación eliminada
web-settings = Ajustes
web-people = Personas
web-people-alias = Nombre corto, como anna
web-people-name = Nombre
web-people-add = Añadir
web-people-remove = Quitar a { $person }
web-people-group = grupo de { $people }
web-people-on-call = de guardia: { $person }
web-sign-out = Cerrar sesión
web-no-such-choice = «{ $text }» no es una de las opciones
web-not-sent = Tu respuesta sin enviar
web-not-sent-yet = Aún sin enviar
web-other-draft = Otra ventana u otro dispositivo guardó un borrador distinto de esta respuesta.
web-use-other-draft = Usar ese borrador
web-keep-this-draft = Conservar este borrador
web-next-question = Siguiente pregunta
web-stop-ask = ¿Detener al agente? Se cancelarán las preguntas de sus subagentes.
web-now-answers = Este mensaje responde ahora a «{ $name }». Envía de nuevo para confirmar.
web-now-message = La pregunta está cerrada. Envía de nuevo para mandarlo como mensaje.
inbox-reject-marked-confirm = Detener todos ({ $count })
web-details = Detalles
web-more-waiting = { $count } más en espera
web-previous-question = Pregunta anterior
web-close = Cerrar
web-latest = Lo más reciente
web-waiting-below = Espera tu respuesta abajo
web-after-answer = Qué hizo el agente después
web-start-lead = Describe una tarea. El agente te pregunta cuando la decisión es tuya.

inbox-search = Buscar preguntas
inbox-agent = Agente
inbox-all-agents = Todos los agentes
inbox-sort = Orden
inbox-sort-deadline = Plazo más próximo primero
inbox-sort-oldest = Más antiguas primero
inbox-sort-newest = Más recientes primero
inbox-for-me = Para mí
inbox-clear-filter = Borrar búsqueda y filtro
inbox-none-match = Ninguna pregunta coincide.
inbox-loading = Cargando preguntas…
inbox-listed = { $count } de { $all } mostradas
inbox-position = { $index } de { $count }
inbox-all = Todas las preguntas
inbox-mark = Marcar { $name }
inbox-mark-all = Marcar todas
inbox-unmark = Quitar las marcas
inbox-skipped = Omitidas: { $count }
inbox-snooze = Posponer
inbox-snooze-title = Posponer hasta
inbox-snooze-hour = Dentro de una hora
inbox-snooze-evening = Esta tarde
inbox-snooze-tomorrow = Mañana por la mañana
inbox-snooze-monday = El lunes por la mañana
inbox-snooze-own = Otro momento
inbox-snoozed-until = Pospuesta hasta { $time }
inbox-undo-snooze = Deshacer
inbox-show-snoozed = Pospuestas ({ $count })
inbox-hide-snoozed = Volver a la bandeja
inbox-last-words = { $agent } escribió antes de preguntar
inbox-open-conversation = Abrir la conversación
inbox-keys = Teclas
inbox-key-move = Pregunta siguiente o anterior
inbox-key-open = Ir a la pregunta
inbox-key-choose = Elegir una respuesta
inbox-key-skip = Omitir, o que decida el agente
inbox-key-mark = Marcar para actuar sobre varias
inbox-key-undo = Deshacer la última acción
inbox-key-back = Volver a la lista, quitar las marcas
web-more-conversations = Mostrar más
web-other-agents = Otros agentes
web-no-other-agents = Ningún otro agente ha preguntado todavía. Conecta uno: { $command }
inbox-empty-title = Todo al día
inbox-empty-lead = Cuando un agente necesite una decisión, su pregunta aparecerá aquí sola.
inbox-empty-try = Pruébalo en una terminal:
inbox-declined = Dejadas a los agentes: { $count }
inbox-failed = Con error: { $count }
web-two-steps = Elegir primero y después enviar
web-undo-time = Tiempo para deshacer una respuesta
answered-project = Proyecto
answered-all-projects = Todos los proyectos
answered-person = Respondida por
answered-everybody = Todos
answered-outcome = Resultado
answered-all-outcomes = Todos los resultados
answered-no-answer = Sin respuesta
answered-copy = Copiar como Markdown
answered-none = Todavía no se ha respondido nada.
web-no-model = No hay ningún modelo configurado: aquí responde un guion de demostración. Para un agente real, inicia el servidor con { $command }.
inbox-empty-install = Conecta los agentes de este equipo:
inbox-agents-ready = Configurados en este equipo: { $agents }. Dile a un agente que te pregunte algo.
web-not-now = Ahora no
web-phone = En tu teléfono
web-phone-scan = Escanea el código. Inicia sesión en un navegador, una vez.
web-too-early = Fue demasiado pronto y no hizo nada. Pulsa otra vez.

### Channels

channel-waiting = Hay una pregunta en espera
channel-waiting-from = { $agent } tiene una pregunta
channel-project = Proyecto: { $project }
channel-open = Abrir
channel-write = Escribir…
channel-next = Siguiente
channel-back = Atrás
channel-send = Enviar
channel-undo = Deshacer
channel-today = Hoy
channel-tomorrow = Mañana
channel-in-a-week = En una semana
channel-rest-at-link = El resto está en el enlace.
channel-answer-at-link = Responde a esta pregunta en el enlace.
channel-outcome-at = { $outcome }, { $time }
channel-sent = Enviado: { $answer }
channel-sent-undo = Enviado: { $answer }. Puedes deshacerlo durante { $seconds } s.
channel-takes-effect = Se aplica a las { $time }
channel-held-by = Respondida por { $person }. La respuesta se aplica en { $seconds } s.
channel-changed = La pregunta ha cambiado. Vuelve a mirarla.
channel-sent-plain = Enviado.
channel-sent-undo-plain = Enviado. Puedes deshacerlo durante { $seconds } s.
channel-answer-elsewhere = Responde a esta pregunta en la terminal o en el navegador.
channel-help = Las preguntas llegan aquí con botones. Para responder con palabras, responde al mensaje de la pregunta.
channel-how-to-link = Para recibir preguntas aquí, envía el código que muestra este comando: askback channel link
channel-text-only = Solo un texto escrito cuenta como respuesta. Escríbelo como respuesta a la pregunta.
channel-not-allowed = No puedes responder a esta pregunta.
channel-linked = Vinculado. Las preguntas para { $name } llegarán aquí.
channel-code-invalid = Este código es incorrecto o ya se usó. Uno nuevo: askback channel link
channel-code-in-group = Escríbeme en un chat privado. Otras personas han visto este código, así que ya no vale. Uno nuevo: askback channel link
channel-reply = Responde a este mensaje con tu respuesta.
channel-use-fields = Este mensaje tiene varias preguntas. Rellena los campos y pulsa Enviar.
channel-reply-at-review = Aquí se revisan las respuestas. Pulsa Enviar, o Atrás para cambiar una respuesta.
channel-text-added = Tu texto se ha añadido a las opciones marcadas. Vuelve a mirar la pregunta y pulsa Enviar.
channel-send-again = Sin responder: { $names }. Para enviar de todos modos, pulsa Enviar otra vez.
channel-leave-open = Sin responder: { $names }. Respóndela también, o déjala abierta con { $example }
channel-reply-range = Responde a este mensaje con el primer y el último día, por ejemplo { $example }
channel-reply-last-day = El primer día es { $start }. Responde a este mensaje con el último día.
channel-reply-reason = Responde a este mensaje con el motivo.
channel-superseded = Respondida con un mensaje
channel-not-sent = No se ha enviado. Abra la pregunta o inténtelo de nuevo.
channel-handed-on-by = { $person } te ha pasado esta pregunta
channel-handed-on-by-unnamed = Te la han pasado
channel-still-open = Sigue abierta: { $question }
channel-new-link = El enlace nuevo: { $link }
channel-still-open-until = Sigue abierta: { $question }. Caduca a las { $time }.
channel-not-answered-by = { $person } aún no ha respondido
channel-also-sent-to = Aún sin respuesta. También enviada a { $person }
