//! Placeholders such as `{title}` in the settings of an operator.

/// Replaces all placeholders in one pass, so that a placeholder inside of a value stays text. Unknown ones are
/// left as they are.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open);
        filled.push_str(before);
        let found = values.iter().find_map(|(name, value)| {
            let behind = behind[1..].strip_prefix(name)?.strip_prefix('}')?;
            Some((*value, behind))
        });
        let (value, behind) = found.unwrap_or(("{", &behind[1..]));
        filled.push_str(value);
        rest = behind;
    }
    filled.push_str(rest);
    filled
}
