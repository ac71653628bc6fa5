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

/// The first placeholder in a template that is none of these: something like a name between braces. Other braces are
/// text.
pub(crate) fn unknown_placeholder<'a>(template: &'a str, known: &[&str]) -> Option<&'a str> {
    let names = template.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | ':');
        (!name.is_empty() && name.chars().all(is_name)).then_some(name)
    });
    let mut unknown = names.filter(|name| !known.contains(name));
    unknown.next()
}

/// Placeholders as the settings write them.
pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    names.join(", ")
}

#[cfg(test)]
#[path = "placeholder_tests.rs"]
mod tests;
