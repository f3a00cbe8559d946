//! Templates in foreign files: references are put in, and nothing is run.

/// Puts in what each `open … close` stands for; none when one of them stands for nothing known.
pub(super) fn filled(
    text: &str,
    (open, close): (&str, &str),
    mut means: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let (inner, behind) = after.split_once(close)?;
        told.push_str(before);
        told.push_str(&means(inner.trim())?);
        rest = behind;
    }
    told.push_str(rest);
    Some(told)
}

/// Tells whether a text holds a template.
pub(super) fn has_template(text: &str) -> bool {
    text.contains("{{") || text.contains("{%")
}

/// Reads a call such as `ref('orders')` as its name and its texts in quotes.
pub(super) fn call(text: &str) -> Option<(&str, Vec<&str>)> {
    let text = text.trim();
    let text = text.strip_prefix("{{").and_then(|t| t.strip_suffix("}}")).unwrap_or(text).trim();
    let (name, rest) = text.split_once('(')?;
    let inside = rest.trim_end().strip_suffix(')')?;
    let mut texts = Vec::new();
    let mut rest = inside;
    while let Some(at) = rest.find(['\'', '"']) {
        let quote = rest.get(at..=at)?;
        let (text, behind) = rest.get(at + 1..)?.split_once(quote)?;
        texts.push(text);
        rest = behind;
    }
    Some((name.trim(), texts))
}

/// Reads `ref('orders')` or `source('raw', 'orders')` as the table's name.
pub(super) fn table(text: &str) -> Option<String> {
    let (name, texts) = call(text)?;
    let known = matches!(name, "ref" | "source");
    texts.last().filter(|_| known).map(|&table| table.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_name_their_table() {
        assert_eq!(table("ref('orders')").as_deref(), Some("orders"));
        assert_eq!(table("{{ source(\"raw\", 'orders') }}").as_deref(), Some("orders"));
        assert_eq!(table("{{ var('x') }}"), None);
        assert_eq!(table("orders"), None);
    }

    #[test]
    fn what_stands_for_nothing_known_is_not_put_in() {
        let means = |name: &str| (name == "a").then(|| "1".to_owned());
        assert_eq!(filled("{a} + {a}", ("{", "}"), means).as_deref(), Some("1 + 1"));
        assert_eq!(filled("{a} + {b}", ("{", "}"), means), None);
        assert_eq!(filled("{a", ("{", "}"), means), None);
        assert_eq!(filled("plain", ("{", "}"), means).as_deref(), Some("plain"));
    }
}
