//! Which candidates agree, and what follows from it. Pure: agreement is evidence, never proof.

use crate::domain::{Attempt, Origin, Rows, Severity, Transcript};

use super::budget::Spent;
use super::compare::{self, Likeness};

/// Tells which candidate shall be drafted next, and of how many; none when there are enough.
///
/// The answer itself is the first. A candidate that came to nothing is the last: a model that can't
/// be reached once more won't be for the next one either.
pub(super) fn wanted(t: &Transcript, spent: &Spent, standing: &Attempt) -> Option<(u32, u32)> {
    let options = &t.question.options;
    let drafted = t.attempts.iter().filter(|attempt| attempt.candidate.is_some()).count();
    let next = u32::try_from(drafted).unwrap_or(u32::MAX).saturating_add(2);
    let may = options.thorough
        && t.groups.is_none()
        && standing.origin == Origin::Model
        && t.unsampled.is_empty()
        && spent.calls < options.max_calls;
    (may && next <= options.candidates).then_some((next, options.candidates))
}

/// Tells whether there is more than one result to compare.
pub(super) fn comparable(t: &Transcript) -> bool {
    t.groups.is_none() && t.attempts.iter().any(|attempt| attempt.candidate.is_some())
}

/// Groups attempts by result: the same rows, in whatever order of rows or columns. The biggest group
/// comes first; of two as big, the one with the earlier attempt.
pub(super) fn groups(results: &[(u32, Rows)]) -> Vec<Vec<u32>> {
    let mut groups: Vec<(&Rows, Vec<u32>)> = Vec::new();
    for (n, rows) in results {
        match groups.iter_mut().find(|(other, _)| same(other, rows)) {
            Some((_, members)) => members.push(*n),
            None => groups.push((rows, vec![*n])),
        }
    }
    groups.sort_by_key(|(_, members)| {
        (std::cmp::Reverse(members.len()), members.iter().min().copied())
    });
    groups.into_iter().map(|(_, members)| members).collect()
}

fn same(a: &Rows, b: &Rows) -> bool {
    let as_long = a.row_count == b.row_count && a.columns.len() == b.columns.len();
    as_long && compare::compare(&a.rows, &b.rows) != Likeness::Different
}

/// How many more must agree on other rows before an answer that passes every gate gives way.
///
/// Measured on recorded samples of two models (254 questions): giving way to any bigger group mended
/// one answer and broke four, while disagreement alone told right from wrong well.
const MARGIN: usize = 2;

/// Chooses among the groups: the biggest with a member that passes every gate, else the biggest.
/// The answer that stood before the candidates stays where no two agree, and where it passes every
/// gate itself and is not clearly outnumbered.
pub(super) fn chosen<'a>(
    t: &'a Transcript,
    groups: &[Vec<u32>],
    before: &'a Attempt,
) -> &'a Attempt {
    let attempt = |n: &u32| t.attempts.iter().find(|attempt| attempt.n == *n);
    let passing = |group: &&Vec<u32>| group.iter().filter_map(attempt).any(passes);
    let agreed = groups.iter().filter(|group| group.len() > 1);
    let group = agreed.clone().find(passing).or_else(|| agreed.clone().next());
    let Some(group) = group else { return before };
    let own = groups.iter().find(|group| group.contains(&before.n)).map_or(0, Vec::len);
    if passes(before) && group.len() < own + MARGIN {
        return before;
    }
    let members = || group.iter().filter_map(attempt);
    // the former answer stays where it is as good: nothing moves without a reason
    let former = members().find(|attempt| attempt.n == before.n);
    let best = former.filter(|attempt| passes(attempt)).or_else(|| members().find(|a| passes(a)));
    best.or(former).or_else(|| members().next()).unwrap_or(before)
}

fn passes(attempt: &Attempt) -> bool {
    let version = attempt.last();
    version.stands() && version.findings.iter().all(|f| f.severity < Severity::Warning)
}

/// What agreement says about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Agreement {
    /// Nothing was compared.
    None,
    /// Evidence for it, in words.
    For(String),
    /// Evidence against it, in words.
    Against(String),
}

/// Says what agreement is worth for an attempt.
pub(super) fn evidence(t: &Transcript, attempt: &Attempt) -> Agreement {
    let Some(groups) = &t.groups else {
        return match t.unsampled.first() {
            Some((_, why)) => Agreement::For(format!(
                "No other candidate was drafted to compare with: {}.",
                why.trim_end_matches('.')
            )),
            None => Agreement::None,
        };
    };
    let drafted = t.attempts.iter().filter(|other| other.candidate.is_some()).count() + 1;
    let all = drafted + t.unsampled.len();
    let ran: usize = groups.iter().map(Vec::len).sum();
    let with = groups.iter().find(|group| group.contains(&attempt.n)).map_or(1, Vec::len);
    let failed = match all.saturating_sub(ran) {
        0 => String::new(),
        failed => format!("; {failed} came to no result"),
    };
    if groups.len() > 1 {
        let others: Vec<String> = groups
            .iter()
            .filter(|group| !group.contains(&attempt.n))
            .flatten()
            .map(u32::to_string)
            .collect();
        let (one, these) =
            if others.len() == 1 { ("attempt", "gave") } else { ("attempts", "gave") };
        return Agreement::Against(format!(
            "The candidates disagree: {with} of {all} gave these rows, {one} {} {these} others{failed}.",
            others.join(" and ")
        ));
    }
    if with > 1 {
        return Agreement::For(format!("{with} of {all} candidates gave the same rows{failed}."));
    }
    Agreement::For(format!("No other of {all} candidates gave a result to compare with."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ResultColumn, Value};

    fn rows(cells: &[&[i64]]) -> Rows {
        let width = cells.first().map_or(1, |row| row.len());
        let column = ResultColumn {
            name: "n".into(),
            data_type: "integer".into(),
            origin: None,
            unit: None,
        };
        Rows {
            columns: vec![column; width],
            rows: cells.iter().map(|r| r.iter().map(|n| Value::Integer(*n)).collect()).collect(),
            row_count: cells.len() as u64,
            ..Rows::default()
        }
    }

    #[test]
    fn the_same_rows_are_one_group_in_whatever_order() {
        let results = vec![(1, rows(&[&[7]])), (2, rows(&[&[1], &[2]])), (4, rows(&[&[2], &[1]]))];
        assert_eq!(groups(&results), vec![vec![2, 4], vec![1]]);
    }

    #[test]
    fn columns_in_another_order_are_the_same_result() {
        let results = vec![(1, rows(&[&[1, 5], &[2, 6]])), (2, rows(&[&[5, 1], &[6, 2]]))];
        assert_eq!(groups(&results), vec![vec![1, 2]]);
    }

    #[test]
    fn of_groups_as_big_the_earlier_attempt_comes_first() {
        let results = vec![(1, rows(&[&[1]])), (2, rows(&[&[2]])), (3, rows(&[&[3]]))];
        assert_eq!(groups(&results), vec![vec![1], vec![2], vec![3]]);
    }
}
