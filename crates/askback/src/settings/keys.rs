//! Key bindings from the tables `[keys]`, `[keys.chat]` and `[keys.inbox]` of the configuration.

use std::path::Path;

use anyhow::{Context as _, bail};
use askback_tui::keymap::{KeySection, Keymap};
use toml::{Table, Value};

pub(crate) fn keymap(config: Option<&Path>) -> anyhow::Result<Keymap> {
    let mut keymap = Keymap::default();
    let Some(path) = config else {
        return Ok(keymap);
    };
    let file = super::read_file(Some(path))?;
    bind_all(&mut keymap, &file.keys)
        .with_context(|| format!("{} is not a valid configuration file", path.display()))?;
    Ok(keymap)
}

fn bind_all(keymap: &mut Keymap, keys: &Table) -> anyhow::Result<()> {
    for (name, value) in keys {
        let part = match name.as_str() {
            "chat" => KeySection::Chat,
            "inbox" => KeySection::Inbox,
            _ => {
                bind(keymap, KeySection::Question, name, value)?;
                continue;
            }
        };
        let Value::Table(table) = value else {
            bail!("[keys] `{name}` must be a table: [keys.{name}]");
        };
        for (name, value) in table {
            bind(keymap, part, name, value)?;
        }
    }
    keymap.check()?;
    Ok(())
}

fn bind(keymap: &mut Keymap, part: KeySection, name: &str, value: &Value) -> anyhow::Result<()> {
    let table = part.table();
    let wrong = || {
        format!(
            "[{table}] `{name}` must be the name of a key or a list of names: {name} = \"x\" or \
             {name} = [\"x\", \"alt+x\"]"
        )
    };
    let keys: Vec<&str> = match value {
        Value::String(key) => vec![key.as_str()],
        Value::Array(keys) => {
            let named = keys.iter().map(Value::as_str).collect::<Option<_>>();
            named.with_context(wrong)?
        }
        Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Table(_) => bail!(wrong()),
    };
    keymap.bind(part, name, &keys)?;
    Ok(())
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
