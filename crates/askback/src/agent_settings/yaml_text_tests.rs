//! Adding and removing one entry keeps every other line.

use super::*;

const EXTENSION: Place = Place {
    section: "extensions",
    name: "askback",
    kind: SectionKind::Map,
};
const SERVER: Place = Place {
    section: "mcpServers",
    name: "askback",
    kind: SectionKind::List,
};

#[test]
fn map_entry_is_added_and_removed() {
    let before =
        "# mine\nextensions:\n  developer: # built in\n    enabled: true\n\nGOOSE_MODEL: x\n";
    let content = "enabled: true\ncmd: \"a\"\n";
    let added = insert(before, EXTENSION, content).unwrap_or_default();
    let entry = "  askback:\n    enabled: true\n    cmd: \"a\"\n";
    let expected = before.replace("extensions:\n", &format!("extensions:\n{entry}"));
    assert_eq!(added, expected);
    assert_eq!(fields(&added, EXTENSION), Ok(Some(content.to_owned())));
    assert_eq!(fields(before, EXTENSION), Ok(None));
    assert_eq!(remove(&added, EXTENSION), Ok(before.to_owned()));
    assert_eq!(remove(before, EXTENSION), Ok(before.to_owned()));
}

#[test]
fn list_entry_is_added_and_removed() {
    for before in [
        "name: x\nmcpServers:\n  - name: other\n    command: y\nmodels: []\n",
        "name: x\nmcpServers:\n- command: y\n  name: other\nmodels: []\n",
    ] {
        let content = "name: \"askback\"\ncommand: \"a\"\n";
        let added = insert(before, SERVER, content).unwrap_or_default();
        assert!(added.contains("- name: \"askback\"\n"), "{added}");
        assert!(added.starts_with("name: x\nmcpServers:\n"), "{added}");
        assert_eq!(fields(&added, SERVER), Ok(Some(content.to_owned())));
        assert_eq!(remove(&added, SERVER), Ok(before.to_owned()));
    }
}

/// A mapping with list items, or a list with keys, would not be YAML.
#[test]
fn section_of_the_other_kind_is_refused() {
    let refused = insert("extensions:\n  - a\n", EXTENSION, "enabled: true\n");
    assert_eq!(refused, Err(NotEditable));
    let refused = insert(
        "mcpServers:\n  a:\n    b: c\n",
        SERVER,
        "name: \"askback\"\n",
    );
    assert_eq!(refused, Err(NotEditable));
}

/// A section with nothing in it goes. One with a comment becomes empty, not null: agents refuse that.
#[test]
fn missing_and_empty_sections_are_filled_and_removed() {
    for before in ["", "mcpServers: []\n", "mcpServers:\n", "name: x"] {
        let added = insert(before, SERVER, "name: \"askback\"\n").unwrap_or_default();
        assert!(
            added.ends_with("mcpServers:\n  - name: \"askback\"\n"),
            "{added}"
        );
        let removed = remove(&added, SERVER).unwrap_or_default();
        assert!(matches!(removed.as_str(), "" | "name: x\n"), "{removed}");
    }
    let removed = remove(
        "extensions:\n  # mine\n  askback:\n    enabled: true\n",
        EXTENSION,
    );
    assert_eq!(removed, Ok("extensions: {}\n  # mine\n".to_owned()));
}

#[test]
fn uncertain_texts_are_not_edited() {
    for text in [
        "{\"extensions\": {}}\n",
        "extensions: {developer: {enabled: true}}\n",
        "extensions: *anchor\n",
        "extensions:\n  a: 1\nextensions:\n  b: 2\n",
        "extensions:\n\ta: 1\n",
        "a: 1\n---\nextensions:\n",
        "extensions:\n  askback:\n    a: 1\n  askback:\n    a: 2\n",
        "extensions:\n    a: 1\n  b: 2\n",
    ] {
        assert_eq!(
            insert(text, EXTENSION, "a: 1\n"),
            Err(NotEditable),
            "{text}"
        );
    }
}
