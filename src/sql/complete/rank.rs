//! How well a name fits what was typed: its beginning before a word in it before letters in order.

/// How a name fits; the smaller the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It begins with what was typed.
    Prefix,
    /// A word in it does.
    Word,
    /// It holds what was typed.
    Inner,
    /// It holds its letters in order, the first one first.
    Letters,
}

/// Tells how a name fits a typed word, whatever the letter case; none when it doesn't.
pub(super) fn fit(name: &str, typed: &str) -> Option<Fit> {
    if typed.is_empty() {
        return Some(Fit::Prefix);
    }
    let (name, typed) = (name.to_lowercase(), typed.to_lowercase());
    if name.starts_with(&typed) {
        return Some(Fit::Prefix);
    }
    let mut places = name.match_indices(&typed).map(|(at, _)| at).peekable();
    if places.peek().is_some() {
        let behind = |at: usize| name.get(..at).and_then(|head| head.chars().next_back());
        let word = places.any(|at| behind(at).is_some_and(|c| !c.is_alphanumeric()));
        return Some(if word { Fit::Word } else { Fit::Inner });
    }
    (typed.chars().count() > 1 && in_order(&name, &typed)).then_some(Fit::Letters)
}

fn in_order(name: &str, typed: &str) -> bool {
    let mut letters = name.chars();
    name.chars().next() == typed.chars().next()
        && typed.chars().all(|c| letters.any(|one| one == c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_go_before_words_before_letters() {
        assert_eq!(fit("price_cents", "PRI"), Some(Fit::Prefix));
        assert_eq!(fit("unit_price", "pri"), Some(Fit::Word));
        assert_eq!(fit("enterprise", "pri"), Some(Fit::Inner));
        assert_eq!(fit("price_cents", "pct"), Some(Fit::Letters));
        assert_eq!(fit("price_cents", "tcp"), None);
        assert_eq!(fit("x", ""), Some(Fit::Prefix));
        assert!(Fit::Prefix < Fit::Word && Fit::Inner < Fit::Letters);
    }
}
