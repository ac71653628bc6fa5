//! Runs the stand-in for LLM providers on its own, so that the real binary can be tried against it:
//!
//! ```text
//! cargo run -p askback-agent --example llm-stand-in --features stand-in -- [SCRIPT [ADDRESS [KEY]]]
//! ```
//!
//! It prints its base URL as the first line. Without a script it plays the demonstration.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use askback_agent::scripted::Script;
use askback_agent::stand_in::{Options, StandIn};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let script = match arguments.next() {
        Some(file) => Script::read(Path::new(&file))?,
        None => Script::demo()?,
    };
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let mut options = Options::new(script);
    options.key = arguments.next();

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let stand_in = StandIn::start_at(address.parse()?, options).await?;
        let mut out = std::io::stdout();
        writeln!(out, "{}", stand_in.base_url())?;
        out.flush()?;
        stand_in.run().await;
        Ok(())
    })
}
