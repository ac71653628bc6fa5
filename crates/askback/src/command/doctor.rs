//! `askback doctor`: checks the setup and prints the limits.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::conversation::history::HistoryEntry;
use askback_core::id::ConversationId;
use askback_core::text::{Lines, Text};
use askback_engine::ports::{Llm, LlmRequest, TokenSink};
use askback_server::data_dir;
use askback_server::trusted_file::check_trusted;
use askback_store::private_file::shared_mode;
use askback_store::{QuickCheck, quick_check};
use askback_wire::discovery::Discovery;

use crate::agent_settings::check::{self, Finding};
use crate::agent_settings::{AgentClient, Environment};
use crate::args::DoctorArgs;
use crate::connect::{Connection, FallbackModel};
use crate::failure::{Failure, client_error_text};
use crate::open_store::{StoreAddress, database_files};
use crate::output;
use crate::settings::{Settings, mode_for_others};
use crate::{provider, runtime};

const NOT_RUNNING: &str =
    "server: not running. Commands start one when they need it; `askback serve` keeps one running.";

pub(crate) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    if runtime::block_on(run_checks(args))? {
        return Ok(());
    }
    Err(Failure::Broken(anyhow::anyhow!(
        "a check failed; see above"
    )))
}

/// Prints the checks, one per line, and with --limits the limits. Returns whether all checks passed.
async fn run_checks(args: &DoctorArgs) -> anyhow::Result<bool> {
    let settings = Settings::gather(&args.connect.settings)?;
    let mut out = output::stdout();
    writeln!(out, "askback {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "data directory: {}", settings.data.display())?;
    if let StoreAddress::Postgres(options) = settings.store_address()? {
        writeln!(out, "database: PostgreSQL at {}", options.address())?;
    }
    let mut checks = if settings.provider.is_none() && server_runs(args, &settings) {
        vec![Check::passed(PROVIDER_OF_SERVER)]
    } else {
        check_provider(&settings, args.offline).await
    };
    checks.extend(check_server(args, &settings).await?);
    checks.extend(check_permissions(&settings)?);
    if args.repair {
        checks.extend(repair_agents());
    }
    checks.extend(check_agents());
    for check in &checks {
        writeln!(out, "{}", check.text)?;
    }
    if args.limits {
        writeln!(out, "\nlimits:")?;
        let limits = askback_core::limits::ALL
            .iter()
            .chain(askback_wire::limits::ALL);
        for (name, limit) in limits {
            writeln!(out, "  {name}: {limit}")?;
        }
    }
    Ok(checks.iter().all(|check| check.is_ok))
}

/// A server does not tell what it was started with.
const PROVIDER_OF_SERVER: &str =
    "provider: the one that the running server was started with; try one with --provider";

fn server_runs(args: &DoctorArgs, settings: &Settings) -> bool {
    args.connect.url.is_some()
        || Discovery::of_running(&settings.data).is_ok_and(|found| found.is_some())
}

/// Whether a server runs, and what it says about itself. If none runs, one is started for the checks, unless that would
/// create or change files that should be looked at first.
async fn check_server(args: &DoctorArgs, settings: &Settings) -> anyhow::Result<Vec<Check>> {
    let mut checks = Vec::new();
    let is_running = server_runs(args, settings);
    if !is_running {
        if !settings.data.exists() {
            return Ok(vec![Check::passed(NOT_RUNNING)]);
        }
        if let Err(error) = data_dir::check_trusted(&settings.data) {
            return Ok(vec![Check::failed(format!("server: error: {error:#}"))]);
        }
        checks = check_database(settings)?;
        if checks.iter().any(|check| !check.is_ok) {
            return Ok(checks);
        }
    }
    let connection = match Connection::open(&args.connect, FallbackModel::None).await {
        Ok(connection) => connection,
        Err(error) => {
            checks.push(Check::failed(format!("server: error: {error:#}")));
            return Ok(checks);
        }
    };
    let client = &connection.client;
    checks.push(Check::passed(if connection.is_embedded().await {
        NOT_RUNNING.to_owned()
    } else {
        format!("server: {}", client.base_url())
    }));
    // A server that is not ready may not know its channels, and then says both.
    for found in [ready_checks(client).await, channel_checks(client).await] {
        match found {
            Ok(found) => checks.extend(found),
            Err(error) => {
                let text = client_error_text(&error);
                checks.push(Check::failed(format!("server: error: {text}")));
                break;
            }
        }
    }
    if is_running {
        checks.extend(check_database(settings)?);
    }
    connection.close().await?;
    Ok(checks)
}

/// What the server says about itself.
async fn ready_checks(client: &Client) -> Result<Vec<Check>, ClientError> {
    let checks = client.ready().await?.checks.into_iter().map(|check| {
        let verdict = if check.ok { "OK" } else { "error" };
        let detail = check.detail.map(|detail| format!(": {detail}"));
        let detail = detail.unwrap_or_default();
        Check {
            text: format!("{}: {verdict}{detail}", check.name),
            is_ok: check.ok,
        }
    });
    Ok(checks.collect())
}

async fn channel_checks(client: &Client) -> Result<Vec<Check>, ClientError> {
    let channels = client.channels().await?.items.into_iter();
    let checks = channels.map(|channel| Check {
        text: format!("channel: {}", super::channel::line(&channel)),
        is_ok: channel.last_error.is_none(),
    });
    Ok(checks.collect())
}

/// What was done about programs that agents start and that have gone.
fn repair_agents() -> Vec<Check> {
    let env = Environment::read();
    let mut checks = Vec::new();
    for agent in AgentClient::ALL {
        for gone in check::dead_programs(agent, &env) {
            checks.push(match super::install::repair(agent, &env, &gone) {
                Ok(instead) => Check::passed(format!(
                    "repaired: {} starts {instead} instead of {gone}, which does not exist",
                    agent.name()
                )),
                Err(error) => Check::failed(format!("agent: not repaired: {error:#}")),
            });
        }
    }
    checks
}

/// Which agents can ask, and what is wrong with their settings.
fn check_agents() -> Vec<Check> {
    let env = Environment::read();
    let findings = AgentClient::ALL
        .into_iter()
        .flat_map(|agent| check::findings(agent, &env));
    let mut checks: Vec<Check> = findings
        .map(|finding| match finding {
            Finding::Fine(text) => Check::passed(format!("agent: {text}")),
            Finding::Problem(text) => Check::failed(format!("agent: error: {text}")),
        })
        .collect();
    let is_free = |agent: &AgentClient| {
        agent.is_on_this_machine(&env) && check::connection(*agent, &env).is_none()
    };
    let free: Vec<&str> = AgentClient::ALL
        .into_iter()
        .filter(is_free)
        .map(AgentClient::name)
        .collect();
    if !free.is_empty() {
        let free = free.join(", ");
        checks.push(Check::passed(format!(
            "agent: not set up, but on this machine: {free}. Run `askback install`"
        )));
    }
    if checks.is_empty() {
        let names = AgentClient::ALL.map(AgentClient::name).join(", ");
        checks.push(Check::passed(format!(
            "agent: none is set up. Run `askback install AGENT`, with one of: {names}"
        )));
    }
    checks
}

/// How long the database is read. A large one is checked completely by `askback backup`.
const QUICK_CHECK_MAX: Duration = Duration::from_secs(10);

/// SQLite's own check of the database. It may be in use.
fn check_database(settings: &Settings) -> anyhow::Result<Vec<Check>> {
    let path = match settings.store_address()? {
        StoreAddress::Sqlite(path) if path.exists() => path,
        StoreAddress::Sqlite(_) | StoreAddress::Postgres(_) => return Ok(Vec::new()),
    };
    Ok(vec![match quick_check(&path, QUICK_CHECK_MAX) {
        Ok(QuickCheck::Passed) => Check::passed("database: OK: checked completely"),
        Ok(QuickCheck::Unfinished) => Check::passed(format!(
            "database: no damage found in {QUICK_CHECK_MAX:?}; `askback backup FILE` checks all of it"
        )),
        Err(error) => Check::failed(format!("database: error: {error}")),
    }])
}

/// Whether other users can read the data directory, the database and the configuration, or have written them.
fn check_permissions(settings: &Settings) -> anyhow::Result<Vec<Check>> {
    let mut checks = Vec::new();
    if settings.data.exists() {
        let mut files = data_dir::files(&settings.data)?;
        if let (Some(_), StoreAddress::Sqlite(database)) =
            (&settings.store, settings.store_address()?)
        {
            let more = database_files(&database);
            files.extend(more.into_iter().skip(1).filter(|file| file.exists()));
        }
        checks.extend(files.iter().map(|file| check_private(file)));
    } else {
        let data = settings.data.display();
        checks.push(Check::passed(format!(
            "permissions: not checked: {data} does not exist on this machine"
        )));
    }
    checks.extend(settings.config.as_deref().map(check_config));
    Ok(checks)
}

fn check_private(path: &Path) -> Check {
    let shown = path.display();
    if let Err(error) = check_trusted(path) {
        return Check::failed(format!("permissions: error: {error}"));
    }
    let metadata = std::fs::metadata(path);
    match metadata.ok().as_ref().and_then(shared_mode) {
        Some(mode) => Check::failed(format!(
            "permissions: error: other users can access {shown} (mode {mode:o}); run chmod go-rwx {shown}"
        )),
        None => Check::passed(format!("permissions: OK: {shown}")),
    }
}

/// A file with secrets that others can read, and that is not root's, is refused before.
fn check_config(path: &Path) -> Check {
    let shown = path.display();
    if let Err(error) = check_trusted(path) {
        return Check::failed(format!("permissions: error: {error}"));
    }
    let metadata = std::fs::metadata(path).ok();
    match metadata.and_then(|metadata| mode_for_others(path, &metadata)) {
        Some(mode) => Check::passed(format!(
            "permissions: OK: configuration {shown} (mode {mode:o}: others can read it, so put no secrets into it)"
        )),
        None => Check::passed(format!("permissions: OK: configuration {shown}")),
    }
}

struct Check {
    text: String,
    is_ok: bool,
}

impl Check {
    fn passed(text: impl Into<String>) -> Check {
        let text = text.into();
        Check { text, is_ok: true }
    }

    fn failed(text: String) -> Check {
        Check { text, is_ok: false }
    }
}

const REPLY_TIMEOUT: Duration = Duration::from_mins(1);
/// Enough for a short reply, even of a model that reasons first.
const REPLY_TOKENS_MAX: u32 = 512;

/// Checks that the provider can be reached, accepts the key and knows the model.
async fn check_provider(settings: &Settings, offline: bool) -> Vec<Check> {
    let name = settings.provider.as_deref().unwrap_or("scripted");
    let found = match provider::or_scripted(settings) {
        Err(error) => Err(format!("{error:#}")),
        // A script that parses needs no request.
        Ok(_) if name.starts_with("scripted") => {
            let text = "provider: scripted (no model; set one with --provider)";
            return vec![Check::passed(text)];
        }
        Ok(_) if offline => {
            let text = format!("provider: {name} (not tried: --offline)");
            return vec![Check::passed(text)];
        }
        Ok(llm) => request_reply(llm.as_ref()).await,
    };
    vec![match found {
        Ok(()) => Check::passed(format!("provider: OK: {name}")),
        Err(why) => Check::failed(format!("provider: error: {name}: {why}")),
    }]
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
