//! Runs the fake provider as a program, to try the real binary against it:
//!
//! ```text
//! cargo run -p askback-fakes --features provider --bin fake-provider -- [SCRIPT [ADDRESS [KEY]]]
//! ```
//!
//! Its first line of output is its base URL. Without a script it uses the demo.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use askback_agent::scripted::Script;
use askback_fakes::fake_provider::{FakeProvider, FakeProviderOptions};

#[expect(clippy::disallowed_methods, reason = "a tool for tests")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let script = match arguments.next() {
        Some(file) => Script::read(Path::new(&file))?,
        None => Script::demo()?,
    };
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let mut options = FakeProviderOptions::new(script);
    options.key = arguments.next();

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let fake_provider = FakeProvider::start_at(address.parse()?, options).await?;
        let mut out = std::io::stdout();
        writeln!(out, "{}", fake_provider.base_url())?;
        out.flush()?;
        fake_provider.run().await;
        Ok(())
    })
}
