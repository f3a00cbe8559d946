//! The texts of `assets/prompts` and the filling of their named holes.

/// Who the model is and how it shall reply. Holes: dialect, today.
pub(super) const SYSTEM: &str = include_str!("../../assets/prompts/system.txt");
/// The first user turn. Holes: package, question.
pub(super) const QUESTION: &str = include_str!("../../assets/prompts/question.txt");
/// A hint that the package doesn't hold already. Hole: evidence.
pub(super) const EVIDENCE: &str = include_str!("../../assets/prompts/evidence.txt");
/// The run that a question follows up. Holes: question, sql.
pub(super) const FOLLOW: &str = include_str!("../../assets/prompts/follow.txt");
/// What is said back to a draft. Hole: note.
pub(super) const RETRY: &str = include_str!("../../assets/prompts/retry.txt");
/// The note on a query that failed. Holes: stage, errors.
pub(super) const FAILED: &str = include_str!("../../assets/prompts/failed.txt");
/// The note on a query that a gate doubts. Holes: message, hint.
pub(super) const DOUBTED: &str = include_str!("../../assets/prompts/doubted.txt");
/// The note on a repair that a person refused. Holes: from, to.
pub(super) const REFUSED: &str = include_str!("../../assets/prompts/refused.txt");
/// What is said back to a reply of broken form. Hole: why.
pub(super) const AGAIN: &str = include_str!("../../assets/prompts/again.txt");

/// What is added for a candidate. Holes: n, of.
pub(super) const CANDIDATE: &str = include_str!("../../assets/prompts/candidate.txt");
/// Who a judge is and how it shall reply.
pub(super) const JUDGE: &str = include_str!("../../assets/prompts/judge.txt");
/// What a judge looks at. Holes: question, agreed, english.
pub(super) const JUDGED: &str = include_str!("../../assets/prompts/judged.txt");
/// What is said back to a verdict of broken form. Hole: why.
pub(super) const VERDICT: &str = include_str!("../../assets/prompts/verdict.txt");

/// Fills the holes `{name}` of a template in one pass: braces in a value stay what they are, and
/// so do braces around anything that is no given name.
pub(super) fn fill(template: &str, holes: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        text.push_str(before);
        let hole = holes.iter().find_map(|(name, value)| {
            let after = from.strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')?;
            Some((*value, after))
        });
        if let Some((value, after)) = hole {
            text.push_str(value);
            rest = after;
        } else {
            text.push('{');
            rest = from.strip_prefix('{').unwrap_or("");
        }
    }
    text.push_str(rest);
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_braces_is_not_filled_again() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
    }

    #[test]
    fn braces_around_other_words_stay() {
        assert_eq!(fill("{\"plan\": {x}}", &[("x", "1")]), "{\"plan\": 1}");
    }

    #[test]
    fn every_template_names_its_holes() {
        for (template, holes) in [
            (SYSTEM, &["{dialect}", "{today}"][..]),
            (QUESTION, &["{package}", "{question}"]),
            (EVIDENCE, &["{evidence}"]),
            (FOLLOW, &["{question}", "{sql}"]),
            (RETRY, &["{note}"]),
            (FAILED, &["{stage}", "{errors}"]),
            (DOUBTED, &["{message}", "{hint}"]),
            (AGAIN, &["{why}"]),
            (CANDIDATE, &["{n}", "{of}"]),
            (JUDGED, &["{question}", "{agreed}", "{english}"]),
            (VERDICT, &["{why}"]),
        ] {
            for hole in holes {
                assert!(template.contains(hole), "{hole} is missing in: {template}");
            }
        }
    }
}
