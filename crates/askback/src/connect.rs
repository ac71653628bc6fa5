//! Finds the server of a data directory, or carries one.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use askback_api::client::{Client, Discovery, Token};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};

use crate::args::ConnectArgs;
use crate::carry::Carried;
use crate::provider;
use crate::settings::{Settings, variable};

/// A server to talk to.
pub(crate) struct Connection {
    /// The client.
    pub(crate) client: Client,
    /// What a server of our own would be run with; none for a server that was named.
    settings: Option<Settings>,
    model: Model,
    carried: Option<Carried>,
}

/// Which model a server of our own thinks with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    /// The configured one, or else the scripted agent.
    OrScripted,
    /// The configured one, or else none: its work waits for a server that has one.
    OrNone,
}

impl Connection {
    /// Connects to the server that was named, to the one that runs, or to one of our own.
    pub(crate) async fn open(args: &ConnectArgs, model: Model) -> anyhow::Result<Connection> {
        let settings = Settings::gather(&args.settings)?;
        if let Some(url) = &args.url {
            let token = settings.token.as_deref().map(Token::new);
            return Ok(Connection {
                client: Client::new(url, token)?.acting_as(&actor(Surface::Cli)),
                settings: None,
                carried: None,
                model,
            });
        }
        let (address, token, carried) = match running(&settings).await? {
            Some(found) => (found.base_url(), found.token, None),
            None => carry(&settings, model).await?,
        };
        Ok(Connection {
            client: Client::new(&address, Some(token))?.acting_as(&actor(Surface::Cli)),
            settings: Some(settings),
            carried,
            model,
        })
    }

    /// Goes on when the server is gone: with the one that has taken over, or with one of our own.
    /// The client and all of its feeds go on there. Changes nothing if neither can be had yet, nor
    /// for a server that was named: that one may come back.
    pub(crate) async fn mend(&mut self) -> anyhow::Result<()> {
        let Some(settings) = self.settings.as_ref().filter(|_| self.carried.is_none()) else {
            return Ok(());
        };
        let (address, token, carried) = match running(settings).await? {
            Some(found) => (found.base_url(), found.token, None),
            None => carry(settings, self.model).await?,
        };
        self.client.move_to(&address, Some(&token))?;
        self.carried = carried;
        Ok(())
    }

    /// The address that opens the pages of the server; it lets in whoever has it, unless the token
    /// was chosen: who chose it knows it.
    pub(crate) fn page(&self) -> String {
        let base = self.client.base_url();
        let base = base.trim_end_matches('/');
        let Some(settings) = self.settings.as_ref().filter(|it| it.token.is_none()) else {
            return format!("{base}/");
        };
        match Discovery::read(&settings.data) {
            Ok(Some(found)) => format!("{base}/?token={}", found.token.reveal()),
            Ok(None) | Err(_) => format!("{base}/"),
        }
    }

    /// Whether the server ends with this process.
    pub(crate) fn is_carried(&self) -> bool {
        self.carried.is_some()
    }

    /// Ends the server again, if it is ours.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        match self.carried {
            Some(carried) => carried.stop().await,
            None => Ok(()),
        }
    }
}

/// The server of the data directory, if it answers.
async fn running(settings: &Settings) -> anyhow::Result<Option<Discovery>> {
    let Some(found) = Discovery::read(&settings.data)? else {
        return Ok(None);
    };
    let answers = found.client()?.health().await.is_ok();
    Ok(answers.then_some(found))
}

/// A server of our own, at any address.
async fn carry(
    settings: &Settings,
    model: Model,
) -> anyhow::Result<(String, Token, Option<Carried>)> {
    let llm = match model {
        Model::OrScripted => provider::choose(settings)?,
        Model::OrNone => provider::named(settings)?,
    };
    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let carried = Carried::start(settings, llm, anywhere)
        .await
        .context("no server runs for this data directory, and none can be started")?;
    let token = Token::new(carried.token.reveal());
    Ok((carried.address.clone(), token, Some(carried)))
}

/// Who acts here.
pub(crate) fn actor(surface: Surface) -> Actor {
    let name = variable("ASKBACK_USER").or_else(|| variable("USER"));
    Actor {
        name: name.and_then(|name| Text::clean(&name, Lines::One)),
        surface,
    }
}
