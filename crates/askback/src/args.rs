//! The command line, declared.

mod access;
mod install;
mod screens;

use std::net::SocketAddr;
use std::path::PathBuf;

use askback_core::dialect::{Dialect, Flavor};
use askback_wire::duration::HumanDuration;
use clap::builder::PossibleValue;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

pub(crate) use access::{
    LinkArgs, SessionsAction, SessionsArgs, WebhookSecretAction, WebhookSecretArgs,
};
pub(crate) use install::InstallArgs;
pub(crate) use screens::{
    BidiArg, ChatArgs, DemoArgs, InboxArgs, KeysArgs, Switch, TerminalArgs, ThemeArg,
};

/// Lets an LLM agent stop, ask its user structured questions, and go on with the answer.
#[derive(Debug, Parser)]
#[command(
    name = "askback",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArgs),
    Chat(ChatArgs),
    Inbox(InboxArgs),
    Ask(AskArgs),
    Keys(KeysArgs),
    Schema(SchemaArgs),
    Check(CheckArgs),
    Render(RenderArgs),
    Serve(ServeArgs),
    List(ListArgs),
    Answer(AnswerArgs),
    Link(LinkArgs),
    Watch(WatchArgs),
    Sessions(SessionsArgs),
    WebhookSecret(WebhookSecretArgs),
    Doctor(DoctorArgs),
    Mcp(McpArgs),
    Install(InstallArgs),
}

/// Ask a question at this terminal.
///
/// Reads the tool input of any dialect, shows the questions on standard error, and prints the outcome
/// as one line of JSON. Without --durable nothing is stored and no server is needed.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback ask question.json
  ANSWER=$(askback ask question.json) && echo \"$ANSWER\"
  echo '{\"question\": \"Deploy now?\", \"options\": [\"Yes\", \"No\"]}' | askback ask --tty
  askback ask --durable --source builder question.json
  askback ask --durable --key release-42 question.json   # again after a kill: goes on

Exit codes: 0 answered, 1 error, 2 bad input, 3 still open, 4 stop the agent, 5 cancelled elsewhere,
6 expired, 7 let the agent decide, 130 left with ctrl+c.")]
pub(crate) struct AskArgs {
    /// The tool input; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    /// The tool whose input it is; recognised if left out.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// Who asks, shown beside the question.
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Print what the model would be told instead of JSON.
    #[arg(long)]
    pub(crate) result: bool,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    /// End unanswered after this time, such as 5m; by default never.
    #[arg(long, value_name = "TIME")]
    pub(crate) expires_in: Option<HumanDuration>,
    /// Keep the question and what is typed in the store: nothing is lost with the prompt, and others
    /// may answer.
    #[arg(long)]
    pub(crate) durable: bool,
    /// A name for this question: run again with the same key, it goes on with the same question and
    /// what was typed, or prints its outcome. Without a key every run asks a new question.
    #[arg(long, value_name = "KEY", requires = "durable")]
    pub(crate) key: Option<String>,
    /// Without a terminal, wait until somebody answers elsewhere.
    #[arg(long, requires = "durable")]
    pub(crate) wait: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Run the server: conversations, questions and their answers over HTTP.
///
/// Prints its address as the first line. Without a provider, a scripted agent that needs no key
/// plays a demonstration.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback serve
  askback serve --listen 127.0.0.1:0 --data ./data
  ANTHROPIC_API_KEY=… askback serve --provider anthropic --model MODEL")]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    /// How to write logs.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
}

/// What a server is run with.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SettingsArgs {
    /// Where to listen [default: 127.0.0.1:7777].
    #[arg(long, env = "ASKBACK_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Where to keep data.
    #[arg(long, env = "ASKBACK_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The store, if it is not in the data directory: sqlite:PATH.
    #[arg(long, env = "ASKBACK_STORE", value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// The secret that opens the server; made once and kept if left out. Other users see it in the
    /// list of processes: prefer --token-file or the environment variable.
    #[arg(
        long,
        env = "ASKBACK_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    pub(crate) token: Option<String>,
    /// A file with the secret that opens the server; only you may be able to read it.
    #[arg(long, env = "ASKBACK_TOKEN_FILE", value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// A directory with further apps.
    #[arg(long, env = "ASKBACK_APPS", value_name = "DIR")]
    pub(crate) apps: Option<PathBuf>,
    /// Another host name under which the server may be addressed; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Another site whose pages may call the API with the token, such as `https://app.example`;
    /// may be given several times.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// The address under which others reach the server, for links: `https://ask.example`.
    #[arg(long, env = "ASKBACK_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// A private or local host that webhooks may call: a name, an address or a block such as
    /// 10.0.0.0/8; may be given several times. Public addresses need no permission.
    #[arg(
        long,
        env = "ASKBACK_WEBHOOK_ALLOW",
        value_name = "HOST|CIDR",
        value_delimiter = ','
    )]
    pub(crate) webhook_allow: Vec<String>,
    /// Who thinks: anthropic, openai or scripted:FILE.
    #[arg(long, env = "ASKBACK_PROVIDER", value_name = "PROVIDER")]
    pub(crate) provider: Option<String>,
    /// The model.
    #[arg(long, env = "ASKBACK_MODEL", value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Where the provider is, if not at its usual address.
    #[arg(long, env = "ASKBACK_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Delete conversations that ended longer ago than this, such as 30d; by default none.
    #[arg(long, env = "ASKBACK_KEEP", value_name = "TIME")]
    pub(crate) keep: Option<HumanDuration>,
    /// A configuration file (TOML).
    #[arg(long, env = "ASKBACK_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// Which server to talk to: the one that runs for the data directory, or one of our own.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ConnectArgs {
    /// The address of a server elsewhere; its token comes with --token-file.
    #[arg(long, env = "ASKBACK_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

/// What `askback list` can show.
const STATUSES: [&str; 10] = [
    "pending",
    "answered",
    "declined",
    "cancelled",
    "rejected",
    "superseded",
    "expired",
    "withdrawn",
    "undeliverable",
    "all",
];

/// List questions that wait for an answer.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback list
  askback list --json | jq -r .id
  askback list --status answered")]
pub(crate) struct ListArgs {
    /// Which ones: pending, the name of an outcome, or all.
    #[arg(long, default_value = "pending", value_parser = STATUSES)]
    pub(crate) status: String,
    /// One JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Answer a question.
///
/// Prints the question with its outcome as one line of JSON. Exit code 2 if the answer does not fit
/// or somebody else was first; nothing is lost then.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback answer inq_01… --choose PostgreSQL
  askback answer inq_01… --choose Search --choose Export --note 'CSV only'
  askback answer inq_01… --text 'Direct message'
  echo '{\"q1\": \"PostgreSQL\", \"q2\": [\"Search\"]}' | askback answer inq_01… --json -
  askback answer inq_01… --choose Yes --partial
  askback answer inq_01… --decline

An id may be cut to ten characters or more behind inq_, if only one question has it.")]
pub(crate) struct AnswerArgs {
    /// The question's id.
    pub(crate) id: String,
    /// A choice, by its label or value, in any case if only one fits; several for several choices,
    /// or with several questions one for each, in their order.
    #[arg(long, value_name = "CHOICE")]
    pub(crate) choose: Vec<String>,
    /// A text, a number, a date, or an answer of your own beside the choices.
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// A note beside the answer.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// Answers by question id, as JSON in a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["choose", "text"])]
    pub(crate) json: Option<PathBuf>,
    /// Leave questions unanswered that are not answered here.
    #[arg(long)]
    pub(crate) partial: bool,
    /// Let the agent go on without an answer.
    #[arg(long, conflicts_with_all = ["choose", "text", "json", "cancel", "partial"])]
    pub(crate) decline: bool,
    /// Stop the agent.
    #[arg(long, conflicts_with_all = ["choose", "text", "json", "partial"])]
    pub(crate) cancel: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Watch what happens, one JSON object a line.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback watch
  askback watch --after 0 | jq -r .event")]
pub(crate) struct WatchArgs {
    /// Only this conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Begin behind this place of the feed; 0 is the beginning.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) after: Option<u64>,
    /// Show text while it is coming.
    #[arg(long)]
    pub(crate) tokens: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Check that everything works here, and print the limits.
///
/// A provider is tried with one short request, which it may charge for. Exit code 1 if something
/// is not right.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback doctor
  askback doctor --provider openai --base-url http://127.0.0.1:8080/v1 --model MODEL
  askback doctor --offline")]
pub(crate) struct DoctorArgs {
    /// Do not try the provider.
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Serve an agent over MCP: it asks, you answer wherever you are.
///
/// Agents start this command themselves; name it in their MCP settings. It speaks MCP on standard input
/// and output, uses the server that runs for the data directory, and runs one in this process if there
/// is none. A question outlives this process: it stays open until it is answered.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  claude mcp add --scope user askback -- askback mcp
  askback mcp --tools ask_user_question,ask_user
  askback mcp --hold 55s
  askback mcp --url https://ask.example --token …")]
pub(crate) struct McpArgs {
    /// The ask tools that the model sees [default: `ask_user_question`].
    #[arg(long, value_name = "TOOLS", value_delimiter = ',')]
    pub(crate) tools: Vec<DialectArg>,
    /// How long a call waits for an answer before it returns as pending; by default as long as the
    /// agent is known to wait.
    #[arg(long, value_name = "TIME")]
    pub(crate) hold: Option<HumanDuration>,
    /// What the agent works on [default: the directory in which it runs].
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// How logs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object a line.
    Json,
    /// For people.
    Pretty,
}

/// Print the definition of a tool, or the names of all tools.
///
/// A definition is JSON with name, description and input schema. Without an argument the names are
/// printed, one a line.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback schema
  askback schema ask_user_question
  askback schema AskUserQuestion --for openai")]
pub(crate) struct SchemaArgs {
    /// The tool.
    pub(crate) dialect: Option<DialectArg>,
    /// Stay within what this provider's tool definitions take.
    #[arg(long = "for", value_name = "PROVIDER", default_value = "plain")]
    pub(crate) flavor: FlavorArg,
    /// Print the system-prompt text for the tool instead.
    #[arg(long, requires = "dialect", conflicts_with = "flavor")]
    pub(crate) guidance: bool,
}

/// Read a tool input and print the questions it asks, or say what is wrong with it.
///
/// Exit code 0 with the questions as JSON, or 2 with what the model would be told.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback check call.json
  echo '{\"question\": \"Which one?\", \"options\": [\"A\", \"B\"]}' | askback check --dialect question")]
pub(crate) struct CheckArgs {
    /// The tool whose input it is; recognised if left out.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// Cut over-long headers and labels instead of refusing them.
    #[arg(long)]
    pub(crate) clip: bool,
    /// The tool input; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
}

/// Print what the model would be told about an outcome.
///
/// Prints JSON: the content of the tool result, whether it is an error, whether the agent resumes or
/// stops, and the user message that follows, if any. Exit code 2 if the input or the answers do not fit.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  askback render --dialect ask_user --input call.json --outcome outcome.json

An outcome is one of
  {\"type\": \"answered\", \"answers\": {\"q1\": {\"values\": [\"…\"], \"other\": \"…\", \"note\": \"…\"}}}
     with values and other, or text, number, date, start and end, or \"skipped\": true
  {\"type\": \"declined\"}, and likewise cancelled, rejected, expired, withdrawn, undeliverable
  {\"type\": \"superseded\", \"message\": \"…\"}")]
pub(crate) struct RenderArgs {
    /// The tool whose result it is; recognised if left out.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// The tool input; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// The outcome; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) outcome: PathBuf,
}

/// A dialect as an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DialectArg(pub(crate) Dialect);

impl ValueEnum for DialectArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [DialectArg; 4] = [
            DialectArg(Dialect::ALL[0]),
            DialectArg(Dialect::ALL[1]),
            DialectArg(Dialect::ALL[2]),
            DialectArg(Dialect::ALL[3]),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// A schema flavour as an argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FlavorArg(pub(crate) Flavor);

impl ValueEnum for FlavorArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FlavorArg; 4] = [
            FlavorArg(Flavor::ALL[0].1),
            FlavorArg(Flavor::ALL[1].1),
            FlavorArg(Flavor::ALL[2].1),
            FlavorArg(Flavor::ALL[3].1),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, _) = Flavor::ALL.iter().find(|(_, flavor)| *flavor == self.0)?;
        Some(PossibleValue::new(*name))
    }
}
