//! Comments and indentation go, what is code stays, and every line keeps its number.

use super::strip;

#[test]
fn comments_go_and_lines_stay() {
    let pairs = [
        ("// What it is for.", ""),
        ("", ""),
        ("/**", ""),
        (" * @param {string} text a \"//\" in it", ""),
        (" */", ""),
        ("show(/** @type {string} */ text, 1) {", "show( text, 1) {"),
        ("  // Not yet.", ""),
        (
            "  /** @type {A} */ (node).focus(); // stays",
            "(node).focus(); // stays",
        ),
        (
            "  return `https://a.b/* ${text} */`;",
            "return `https://a.b/* ${text} */`;",
        ),
        ("} /* stays too */", "} /* stays too */"),
    ];
    let joined = |lines: Vec<&str>| lines.join("\n") + "\n";
    let module = joined(pairs.iter().map(|(source, _)| *source).collect());
    let expected = joined(pairs.iter().map(|(_, sent)| *sent).collect());
    assert_eq!(strip(&module), expected);
}
