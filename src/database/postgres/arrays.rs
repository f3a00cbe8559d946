//! Arrays as the server writes them: `{1,"a, b",NULL}`.

/// Reads the items of a one-dimensional array; NULL is none.
pub(super) fn items(text: &str) -> Vec<Option<String>> {
    let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let Some(inner) = inner.filter(|inner| !inner.is_empty()) else { return Vec::new() };
    let mut items = Vec::new();
    let mut chars = inner.chars().peekable();
    loop {
        let quoted = chars.next_if_eq(&'"').is_some();
        let mut item = String::new();
        while let Some(c) = chars.next_if(|c| if quoted { *c != '"' } else { *c != ',' }) {
            let escaped = if c == '\\' { chars.next() } else { None };
            item.push(escaped.unwrap_or(c));
        }
        if quoted {
            chars.next();
        }
        items.push((quoted || item != "NULL").then_some(item));
        // a comma goes before the next item
        if chars.next().is_none() {
            return items;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_of_their_quotes() {
        let read = |text: &str| -> Vec<Option<String>> { items(text) };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read("{1,2}"), [some("1"), some("2")]);
        assert_eq!(
            read(r#"{"a, b","c\"d\\",NULL,"NULL",""}"#),
            [some("a, b"), some("c\"d\\"), None, some("NULL"), some("")]
        );
        assert_eq!(read("{}"), Vec::new());
        assert_eq!(read("{売}"), [some("売")]);
    }
}
