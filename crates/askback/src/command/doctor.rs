//! `askback doctor`: checks the setup and prints the limits.

use std::io::Write as _;
use std::time::Duration;

use askback_core::conversation::history::HistoryEntry;
use askback_core::id::ConversationId;
use askback_core::text::{Lines, Text};
use askback_engine::ports::{Llm, LlmRequest, TokenSink};
use askback_server::data_dir;
use askback_store::private_file::shared_mode;

use crate::agent_settings::{AgentClient, claude_hook};
use crate::args::DoctorArgs;
use crate::connect::{Connection, FallbackModel};
use crate::embedded_server::http_sessions_dir;
use crate::failure::Failure;
use crate::open_store::StoreAddress;
use crate::settings::Settings;
use crate::{provider, runtime};

pub(crate) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    if runtime::block_on(run_checks(args))? {
        return Ok(());
    }
    Err(Failure::Broken(anyhow::anyhow!(
        "a check failed; see above"
    )))
}

/// Returns whether all checks passed.
async fn run_checks(args: &DoctorArgs) -> anyhow::Result<bool> {
    let settings = Settings::gather(&args.connect.settings)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "askback {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "data directory: {}", settings.data.display())?;
    if let Some(StoreAddress::Postgres(options)) = store_address(&settings)? {
        writeln!(out, "database: PostgreSQL at {}", options.address())?;
    }
    let mut all_ok = true;
    for check in check_provider(&settings, args.offline).await {
        all_ok &= check.is_ok;
        writeln!(out, "{}", check.text)?;
    }
    let connection = match Connection::open(&args.connect, FallbackModel::None).await {
        Ok(connection) => connection,
        Err(error) => {
            writeln!(out, "server: error: {error:#}")?;
            return Ok(false);
        }
    };
    let client = &connection.client;
    writeln!(out, "server: {}", client.base_url())?;
    for check in client.ready().await?.checks {
        all_ok &= check.ok;
        let verdict = if check.ok { "OK" } else { "error" };
        let detail = check
            .detail
            .map(|detail| format!(": {detail}"))
            .unwrap_or_default();
        writeln!(out, "{}: {verdict}{detail}", check.name)?;
    }
    for agent in AgentClient::ALL
        .into_iter()
        .filter(|agent| agent.is_set_up())
    {
        writeln!(out, "agent: {} is set up", agent.name())?;
    }
    for agent in AgentClient::ALL {
        if let Some(problem) = agent.problem() {
            all_ok = false;
            writeln!(out, "agent: error: {}: {problem}", agent.name())?;
        }
    }
    if claude_hook::is_set_up() {
        writeln!(out, "agent: the hook of claude-code is set up")?;
    }
    if let Some(warning) = askback_mcp::many_http_sessions(&http_sessions_dir(&settings.data)) {
        writeln!(out, "agents: {warning}")?;
    }
    writeln!(out, "\nlimits:")?;
    let limits = askback_core::limits::ALL
        .iter()
        .chain(askback_wire::limits::ALL);
    for (name, limit) in limits {
        writeln!(out, "  {name}: {limit}")?;
    }
    drop(out);
    connection.close().await?;
    Ok(all_ok & check_permissions(&settings)?)
}

/// The database outside of the data directory, if the settings name one.
fn store_address(settings: &Settings) -> anyhow::Result<Option<StoreAddress>> {
    settings
        .store
        .as_deref()
        .map(StoreAddress::parse)
        .transpose()
}

/// Prints which files other users can access. Returns whether there are none.
fn check_permissions(settings: &Settings) -> anyhow::Result<bool> {
    let mut shared = data_dir::files_open_to_others(&settings.data)?;
    if let Some(StoreAddress::Sqlite(database)) = store_address(settings)?
        && let Some(mode) = std::fs::metadata(&database)
            .ok()
            .as_ref()
            .and_then(shared_mode)
    {
        shared.push((database, mode));
    }
    let mut out = std::io::stdout().lock();
    if shared.is_empty() {
        writeln!(out, "\npermissions: OK")?;
        return Ok(true);
    }
    writeln!(out)?;
    for (path, mode) in &shared {
        let path = path.display();
        writeln!(
            out,
            "permissions: other users can access {path} (mode {mode:o}); run chmod go-rwx {path}"
        )?;
    }
    Ok(false)
}

struct Check {
    text: String,
    is_ok: bool,
}

const REPLY_TIMEOUT: Duration = Duration::from_mins(1);
/// Enough for a short reply, even of a model that reasons first.
const REPLY_TOKENS_MAX: u32 = 512;

/// Checks that the provider can be reached, accepts the key and knows the model.
async fn check_provider(settings: &Settings, offline: bool) -> Vec<Check> {
    let name = settings.provider.as_deref().unwrap_or("scripted");
    let named = Check {
        text: format!("provider: {name}"),
        is_ok: true,
    };
    let found = match provider::or_scripted(settings) {
        Err(error) => Err(format!("{error:#}")),
        // A script that parses needs no request.
        Ok(_) if offline || name.starts_with("scripted") => return vec![named],
        Ok(llm) => request_reply(llm.as_ref()).await,
    };
    let tried = match found {
        Ok(()) => Check {
            text: "provider: OK".to_owned(),
            is_ok: true,
        },
        Err(why) => Check {
            text: format!("provider: error: {why}"),
            is_ok: false,
        },
    };
    vec![named, tried]
}

/// Sends one short request. The messages of a failure are written for the operator already.
async fn request_reply(llm: &dyn Llm) -> Result<(), String> {
    let Some(hello) = Text::clean("Reply with the word: OK", Lines::One) else {
        return Ok(());
    };
    let request = LlmRequest {
        conversation: ConversationId::new("doctor"),
        attempt: 1,
        model: None,
        system: String::new(),
        history: vec![HistoryEntry::User(hello)].into(),
        tools: Vec::new(),
        tokens_max: Some(REPLY_TOKENS_MAX),
    };
    match tokio::time::timeout(REPLY_TIMEOUT, llm.request(request, &DiscardTokens)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(failure)) => Err(failure.failure.message.to_string()),
        Err(_) => Err(format!("it did not reply within {REPLY_TIMEOUT:?}.")),
    }
}

struct DiscardTokens;

impl TokenSink for DiscardTokens {
    fn token(&self, _: &str) {}
}
