//! The commands, with the texts that `--help` shows of them.

use clap::Subcommand;

use super::{
    AnswerArgs, AskArgs, AuditArgs, BackupArgs, ChannelArgs, ChatArgs, CheckArgs, CompletionsArgs,
    DemoArgs, DoctorArgs, HandOnArgs, HookArgs, InboxArgs, InstallArgs, KeysArgs, LinkArgs,
    ListArgs, ManArgs, McpArgs, MigrateArgs, PersonArgs, PhoneArgs, RenderArgs, SchemaArgs,
    ServeArgs, SessionsArgs, TokenArgs, UpdateArgs, WatchArgs, WebhookSecretArgs, WebhooksArgs,
};

// Only the arguments of the command that is run are built (`defer`), so that a prompt is there sooner. That is
// why the help texts are here, and not at the structs.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Try askback, without an API key or configuration.
    ///
    /// A scripted agent asks the usual kinds of questions in a real chat. Stop it at any point, even with kill -9,
    /// and start it again: it continues where it was.
    Demo(DemoArgs),
    /// Chat with the built-in agent in this terminal.
    ///
    /// Messages stay in the scrollback. Questions appear below them and can be answered here, in the browser
    /// or from any other client. Leaving keeps the conversation and its pending question. Without a
    /// terminal, each line of standard input is a message, and replies are printed.
    Chat(ChatArgs),
    /// Answer the pending questions of all agents.
    ///
    /// Questions with the nearest deadline come first, then the oldest. New questions appear as they are
    /// asked. Without a terminal, prints the pending questions like `askback list`.
    Inbox(InboxArgs),
    /// Ask a question in this terminal.
    ///
    /// Shows the question on standard error and prints the answer on standard output. Without --durable, nothing is
    /// stored and no server is needed.
    Ask(AskArgs),
    /// List the keyboard shortcuts, as configured.
    ///
    /// The first column is the name of an action, with which a configuration file binds other keys to it.
    Keys(KeysArgs),
    /// Print the names of the ask tools, or the definition of one.
    ///
    /// A definition is JSON with name, description and input schema. Without a tool, prints all names, one
    /// per line.
    Schema(SchemaArgs),
    /// Validate a tool input and print its questions.
    ///
    /// Prints the questions as JSON, with exit code 0. If the input is invalid, prints the error that the
    /// model would read, with exit code 2.
    Check(CheckArgs),
    /// Print the tool result that a model reads for an outcome.
    ///
    /// Prints JSON: the content of the tool result, whether it is an error, whether the agent resumes or
    /// stops, and the user message that follows, if any. The exit code is 2 if the input or the answers are
    /// invalid.
    Render(RenderArgs),
    /// Run the server: conversations, questions and answers over HTTP.
    ///
    /// The first line of output is its address. Without --provider, a scripted demo agent that needs no
    /// API key replies.
    Serve(ServeArgs),
    /// List questions: pending ones, or those that were answered
    ///
    /// One line for each: id, status, age, who asks in which project, the question, and the choices, or the answer with who
    /// gave it and where.
    List(ListArgs),
    /// Answer a question.
    ///
    /// Without an answer, shows the question at the terminal. The answers to several questions are shown at the
    /// terminal before they are sent, and must be confirmed. Prints the outcome as one line on standard error, and
    /// the question with its outcome as JSON on standard output, unless that is a terminal. The exit code is 2 if the answer is invalid or the question was already answered; nothing is
    /// changed then.
    Answer(AnswerArgs),
    /// Give a pending question to another recipient.
    ///
    /// The new recipient gets the question in their channels, with your name and the reason. The messages to the
    /// previous recipient say so, and can no longer answer it. Prints the question as one line of JSON. The exit code is 2 if the
    /// question has been answered or has ended, or if the recipient is unknown; nothing is changed then.
    HandOn(HandOnArgs),
    /// Create a link with which somebody else can answer one question.
    ///
    /// Prints the link, and a QR code of it. The link works for one answer to this question and gives
    /// access to nothing else. The other device must be able to reach the server: start it with
    /// `askback serve --phone`, or with --public-url.
    Link(LinkArgs),
    /// Sign a phone in by a QR code.
    ///
    /// Prints a link to the running server and its QR code. It signs in one browser, within ten minutes. The server must be one
    /// that the phone can reach: `askback serve --phone`.
    Phone(PhoneArgs),
    /// Set up ways to reach people, such as Telegram.
    Channel(ChannelArgs),
    /// Show questions and answers as they come.
    ///
    /// At a terminal, prints a line for each question that is asked, answered or ended. Otherwise, or with --json, streams all
    /// events, one JSON object per line.
    Watch(WatchArgs),
    /// List or end browser sessions.
    ///
    /// A browser signs in by opening the address that the server printed. Ending its session closes its
    /// event streams at once. To sign in again, it needs the token.
    Sessions(SessionsArgs),
    /// Make, list or revoke tokens that may do one thing.
    ///
    /// The token of the server may do everything. Give agents, people and probes tokens of their own: an agent's asks and waits, a
    /// person's sees and answers what is for them, a probe's reads metrics.
    Token(Box<TokenArgs>),
    /// Add, list or remove the people and groups that questions are for.
    ///
    /// They count at once, on every node of the server. People of the configuration file are listed, too, and are changed there.
    Person(Box<PersonArgs>),
    /// List webhooks that were not delivered yet, or try them again.
    ///
    /// Each has its number, question, host, attempts, the time of the next one and the last error. After sixteen attempts a
    /// webhook is given up; it is kept for a week, in which it can be tried again.
    Webhooks(Box<WebhooksArgs>),
    /// Export who ended which question, when, where and how, or verify such a file.
    ///
    /// Prints one JSON object per line, in the order of the feed. Each has the hash of the line before it and its
    /// own, so that a changed, removed, moved or inserted line is noticed. It has no answers unless you ask for
    /// them. The last line of standard error has the number of entries and the last hash: keep both elsewhere.
    Audit(AuditArgs),
    /// Copy the database of the data directory while the server runs, and verify the copy.
    ///
    /// Everything that was acknowledged before the command started is in the copy. Only you can read the file. The
    /// token and the webhook secret are in the data directory, not in the copy. For a PostgreSQL database, use
    /// `pg_dump`.
    Backup(BackupArgs),
    /// Move everything from a SQLite data directory to a PostgreSQL database, or back.
    ///
    /// Nothing may run on either of them; the command checks that. The target must be empty. Everything is written in
    /// one transaction, read back and compared. The source stays as it is. Put URLs with a password into the
    /// environment variables, because others can see flags in the process list.
    Migrate(MigrateArgs),
    /// Show or rotate the secret that signs webhooks.
    ///
    /// The secret is kept in the data directory. `ASKBACK_WEBHOOK_SECRET`, or `webhook_secret` in a
    /// configuration file, takes precedence. A running server uses a new secret from its next delivery on,
    /// and signs with the old one as well until the overlap ends.
    WebhookSecret(WebhookSecretArgs),
    /// Check the setup: provider, server, database, permissions, agents.
    ///
    /// Sends one short request to the provider, which may charge for it. The exit code is 1 if a check
    /// fails.
    Doctor(DoctorArgs),
    /// Run an MCP server, so that other agents can ask through askback.
    ///
    /// Agents start this command themselves; `askback install` adds it to their settings. It speaks MCP on
    /// standard input and output. It uses the server that runs for the data directory, or runs one in this
    /// process. Questions stay open after this process ends, until they are answered.
    Mcp(McpArgs),
    /// Set up an agent, so that its questions appear in askback.
    ///
    /// Shows the change to the agent's settings, asks for confirmation, and writes it; --undo takes it back. The change
    /// includes the rule that lets the agent ask without asking for permission first, and one that switches off its
    /// own question tool, for agents that have such rules.
    Install(InstallArgs),
    /// Answer the built-in question tool of an agent from askback.
    ///
    /// Claude Code runs this command as a `PreToolUse` hook of its `AskUserQuestion` tool, with the call on
    /// standard input; `askback install claude-code` sets it up. The question appears in askback, and
    /// the answer is printed as the hook's decision. If that fails, the exit code is 1, and Claude Code shows
    /// its own dialog.
    Hook(HookArgs),
    /// Print a script that completes commands and flags in your shell.
    Completions(CompletionsArgs),
    /// Say how this copy of askback was installed, and which command line updates it.
    ///
    /// It changes nothing and makes no request.
    Update(UpdateArgs),
    /// Write manual pages, one for each command.
    #[command(hide = true)]
    Man(ManArgs),
}
