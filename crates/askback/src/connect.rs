//! Finds the server of a data directory, or carries one.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use askback_api::client::{Client, Discovery, Token};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};

use crate::args::ConnectArgs;
use crate::carry::Carried;
use crate::settings::{Settings, variable};

/// A server to talk to.
pub(crate) struct Connection {
    /// The client.
    pub(crate) client: Client,
    carried: Option<Carried>,
}

impl Connection {
    /// Connects to the server that was named, to the one that runs, or to one of our own.
    pub(crate) async fn open(args: &ConnectArgs) -> anyhow::Result<Connection> {
        let settings = Settings::gather(&args.settings)?;
        if let Some(url) = &args.url {
            let token = settings.token.as_deref().map(Token::new);
            return Connection::to(url, token, None);
        }
        if let Some(found) = Discovery::read(&settings.data)? {
            let connection = Connection::to(&found.base_url(), Some(found.token), None)?;
            if connection.client.health().await.is_ok() {
                return Ok(connection);
            }
        }
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let carried = Carried::start(&settings, anywhere)
            .await
            .context("no server runs for this data directory, and none can be started")?;
        let token = Token::new(carried.token.reveal());
        let address = carried.address.clone();
        Connection::to(&address, Some(token), Some(carried))
    }

    fn to(url: &str, token: Option<Token>, carried: Option<Carried>) -> anyhow::Result<Connection> {
        let client = Client::new(url, token)?.acting_as(&actor());
        Ok(Connection { client, carried })
    }

    /// Ends the server again, if it is ours.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        match self.carried {
            Some(carried) => carried.stop().await,
            None => Ok(()),
        }
    }
}

/// Who acts at this command line.
fn actor() -> Actor {
    let name = variable("ASKBACK_USER").or_else(|| variable("USER"));
    Actor {
        name: name.and_then(|name| Text::clean(&name, Lines::One)),
        surface: Surface::Cli,
    }
}
