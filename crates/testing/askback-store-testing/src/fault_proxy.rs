//! A proxy between nodes and a PostgreSQL server that cuts and stalls connections.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::PostgresServer;

/// Listens on a port of this machine. It ends with the process; when it is dropped, it refuses everything.
pub struct FaultProxy {
    port: u16,
    network: Arc<Network>,
}

#[derive(Default)]
struct Network {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_stalled: bool,
    is_refusing: bool,
    open: Vec<(TcpStream, UnixStream)>,
}

impl FaultProxy {
    /// Forwards connections to the socket of a server.
    pub fn start(server: &PostgresServer) -> io::Result<FaultProxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let network = Arc::new(Network::default());
        let (target, accepting) = (server.socket(), Arc::clone(&network));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A server that is down ends the connection.
                drop(accepting.forward(client, &target));
            }
        });
        Ok(FaultProxy { port, network })
    }

    /// The URL of a database of the server, through this proxy.
    pub fn url(&self, database_url: &str) -> String {
        let database = database_url.rsplit('/').next().unwrap_or_default();
        format!("postgres://askback@127.0.0.1:{}/{database}", self.port)
    }

    /// Ends all connections. New ones are forwarded.
    pub fn cut(&self) {
        self.network.lock().end_all();
    }

    /// Ends all connections and refuses new ones, until [`FaultProxy::resume`].
    pub fn refuse(&self) {
        let mut state = self.network.lock();
        state.is_refusing = true;
        state.end_all();
    }

    /// Holds everything back that is sent, in both directions, until [`FaultProxy::resume`].
    pub fn stall(&self) {
        self.network.lock().is_stalled = true;
    }

    /// Forwards everything again, also what was held back.
    pub fn resume(&self) {
        let mut state = self.network.lock();
        state.is_stalled = false;
        state.is_refusing = false;
        self.network.changed.notify_all();
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.refuse();
        self.network.lock().is_stalled = false;
        self.network.changed.notify_all();
    }
}

impl State {
    fn end_all(&mut self) {
        for (client, server) in self.open.drain(..) {
            // One that has ended already stays so.
            drop(client.shutdown(Shutdown::Both));
            drop(server.shutdown(Shutdown::Both));
        }
    }
}

impl Network {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forward(self: &Arc<Network>, client: TcpStream, target: &PathBuf) -> io::Result<()> {
        if self.lock().is_refusing {
            return Ok(());
        }
        let server = UnixStream::connect(target)?;
        client.set_nodelay(true)?;
        let ends = (client.try_clone()?, server.try_clone()?);
        self.lock()
            .open
            .push((client.try_clone()?, server.try_clone()?));
        let network = Arc::clone(self);
        thread::spawn(move || {
            drop(network.copy(&client, &server));
            drop(server.shutdown(Shutdown::Both));
        });
        let network = Arc::clone(self);
        thread::spawn(move || {
            let (client, server) = ends;
            drop(network.copy(&server, &client));
            drop(client.shutdown(Shutdown::Both));
        });
        Ok(())
    }

    fn copy(&self, mut from: impl Read, mut to: impl Write) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let length = from.read(&mut buffer)?;
            if length == 0 {
                return Ok(());
            }
            let passing = self
                .changed
                .wait_while(self.lock(), |state| state.is_stalled)
                .unwrap_or_else(PoisonError::into_inner);
            drop(passing);
            to.write_all(&buffer[..length])?;
        }
    }
}
