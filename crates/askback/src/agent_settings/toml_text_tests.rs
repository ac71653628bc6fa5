//! Editing one table keeps every other line.

use super::*;

const NAME: (&str, &str) = ("mcp_servers", "askback");
const BLOCK: &str = "[mcp_servers.askback]\ncommand = \"askback\"\n";

#[test]
fn table_is_added_replaced_and_removed() {
    let before = "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\n";
    let added = set(before, NAME, BLOCK).unwrap_or_default();
    assert_eq!(added, format!("{before}\n{BLOCK}"));
    assert!(has(&added, NAME) && !has(before, NAME));
    assert_eq!(set(&added, NAME, BLOCK), Ok(added.clone()));
    let removed = remove(&added, NAME).ok().flatten().unwrap_or_default();
    assert_eq!(removed.trim_end(), before.trim_end());
    assert_eq!(set("", NAME, BLOCK), Ok(BLOCK.to_owned()));
}

#[test]
fn subtables_are_removed_and_other_tables_kept() {
    let text = format!("{BLOCK}[mcp_servers.askback.env]\nA = \"1\"\n[tui]\nx = 1\n");
    assert_eq!(remove(&text, NAME), Ok(Some("[tui]\nx = 1\n".to_owned())));
}

#[test]
fn uncertain_table_is_not_edited() {
    let inline = "mcp_servers = { askback = { command = \"x\" } }\n";
    assert_eq!(remove(inline, NAME), Err(NotEditable));
    assert_eq!(set("not toml", NAME, BLOCK), Err(NotEditable));
    let text = format!("{BLOCK}note = \"\"\"\n[tui]\n\"\"\"\n");
    assert_eq!(remove(&text, NAME), Err(NotEditable));
}
