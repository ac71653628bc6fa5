//! Adding and removing one table keeps every other line.

use super::*;

const NAME: TableName = TableName {
    parent: "mcp_servers",
    name: "askback",
};
const BLOCK: &str = "[mcp_servers.askback]\ncommand = \"askback\"\n";

#[test]
fn table_is_added_and_removed() {
    let before = "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\n";
    let added = insert(before, NAME, BLOCK).unwrap_or_default();
    assert_eq!(added, format!("{before}\n{BLOCK}"));
    let command = get(&added, NAME).ok().flatten();
    assert_eq!(
        command.and_then(|it| it.get("command").cloned()),
        Some(Value::from("askback"))
    );
    assert_eq!(get(before, NAME), Ok(None));
    assert_eq!(remove(&added, NAME), Ok(before.to_owned()));
    assert_eq!(remove(before, NAME), Ok(before.to_owned()));
    assert_eq!(insert("", NAME, BLOCK), Ok(BLOCK.to_owned()));
    assert_eq!(remove(BLOCK, NAME), Ok(String::new()));
}

#[test]
fn subtables_are_removed_and_other_tables_and_their_comments_kept() {
    let text = format!(
        "{BLOCK}# ours\n[mcp_servers.askback.env]\nA = \"1\"\n\n# the terminal\n[tui]\nx = 1\n"
    );
    let expected = "\n# the terminal\n[tui]\nx = 1\n";
    assert_eq!(remove(&text, NAME), Ok(expected.to_owned()));
    let text = format!("a = 1\n\n{BLOCK}# the end\n");
    assert_eq!(remove(&text, NAME), Ok("a = 1\n\n# the end\n".to_owned()));
}

#[test]
fn uncertain_table_is_not_edited() {
    let inline = "mcp_servers = { askback = { command = \"x\" } }\n";
    assert_eq!(remove(inline, NAME), Err(NotEditable));
    assert_eq!(insert("not toml", NAME, BLOCK), Err(NotEditable));
    let text = format!("{BLOCK}note = \"\"\"\n[tui]\n\"\"\"\n");
    assert_eq!(remove(&text, NAME), Err(NotEditable));
}
