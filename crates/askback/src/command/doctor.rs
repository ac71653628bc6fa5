//! `askback doctor`: whether everything works here, and the limits.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use askback_core::conversation::history::HistoryEntry;
use askback_core::id::ConversationId;
use askback_core::text::{Lines, Text};
use askback_engine::ports::{Llm, LlmRequest, TokenSink};
use askback_server::data_dir;
use askback_store::private_file::shared_mode;

use crate::agent_settings::AgentClient;
use crate::args::DoctorArgs;
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::settings::Settings;
use crate::{provider, runtime};

pub(crate) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let well = runtime::block_on(examine(args))?;
    if well {
        return Ok(());
    }
    Err(Failure::Broken(anyhow::anyhow!(
        "something is not right; see above"
    )))
}

async fn examine(args: &DoctorArgs) -> anyhow::Result<bool> {
    let settings = Settings::gather(&args.connect.settings)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "askback {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "data directory: {}", settings.data.display())?;
    let mut well = true;
    for line in provider(&settings, args.offline).await {
        well &= line.well;
        writeln!(out, "{}", line.text)?;
    }
    let connection = match Connection::open(&args.connect, Model::OrNone).await {
        Ok(connection) => connection,
        Err(error) => {
            writeln!(out, "server: not well: {error:#}")?;
            return Ok(false);
        }
    };
    let client = &connection.client;
    writeln!(out, "server: {}", client.base_url())?;
    for check in client.ready().await?.checks {
        well &= check.ok;
        let verdict = if check.ok { "well" } else { "not well" };
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
    writeln!(out, "\nlimits:")?;
    let limits = askback_core::limits::ALL
        .iter()
        .chain(askback_wire::limits::ALL);
    for (name, limit) in limits {
        writeln!(out, "  {name}: {limit}")?;
    }
    drop(out);
    connection.close().await?;
    Ok(well & say_permissions(&settings)?)
}

/// Says what other users of this machine can read. Gives whether that is nothing.
fn say_permissions(settings: &Settings) -> anyhow::Result<bool> {
    let mut shared = data_dir::shared_files(&settings.data)?;
    let elsewhere = settings.store.as_deref();
    let elsewhere = elsewhere.and_then(|store| store.strip_prefix("sqlite:"));
    if let Some(database) = elsewhere
        && let Some(mode) = std::fs::metadata(database)
            .ok()
            .as_ref()
            .and_then(shared_mode)
    {
        shared.push((PathBuf::from(database), mode));
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
            "permissions: other users can use {path} (mode {mode:o}); run chmod go-rwx {path}"
        )?;
    }
    Ok(false)
}

/// A finding, and whether it is a good one.
struct Line {
    text: String,
    well: bool,
}

/// How long the provider may take for one short reply.
const PATIENCE: Duration = Duration::from_mins(1);
/// Room for a short reply, also of a model that thinks first.
const TOKENS: u32 = 512;

/// Tries the provider: whether it can be reached, takes the key and knows the model.
async fn provider(settings: &Settings, offline: bool) -> Vec<Line> {
    let name = settings.provider.as_deref().unwrap_or("scripted");
    let named = Line {
        text: format!("provider: {name}"),
        well: true,
    };
    let found = match provider::choose(settings) {
        Err(error) => Err(format!("{error:#}")),
        // A script that can be read needs nothing else.
        Ok(_) if offline || name.starts_with("scripted") => return vec![named],
        Ok(llm) => try_out(llm.as_ref()).await,
    };
    let tried = match found {
        Ok(()) => Line {
            text: "provider: well".to_owned(),
            well: true,
        },
        Err(why) => Line {
            text: format!("provider: not well: {why}"),
            well: false,
        },
    };
    vec![named, tried]
}

/// One short request. What the provider says about a failure is written for the operator already.
async fn try_out(llm: &dyn Llm) -> Result<(), String> {
    let Some(hello) = Text::clean("Reply with the word: well", Lines::One) else {
        return Ok(());
    };
    let request = LlmRequest {
        conversation: ConversationId::new("doctor"),
        attempt: 1,
        model: None,
        system: String::new(),
        history: vec![HistoryEntry::User(hello)].into(),
        tools: Vec::new(),
        tokens_max: Some(TOKENS),
    };
    match tokio::time::timeout(PATIENCE, llm.request(request, &Unheard)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(failure)) => Err(failure.failure.message.to_string()),
        Err(_) => Err(format!("it did not reply within {PATIENCE:?}.")),
    }
}

/// Nobody reads what it says.
struct Unheard;

impl TokenSink for Unheard {
    fn token(&self, _: &str) {}
}
