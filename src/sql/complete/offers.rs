//! Proposes names, joins, functions, keywords and values for a spot, and puts them in order.

use crate::domain::{ColumnRef, ForeignKey};

use super::super::dialect::{quote, quote_table};
use super::super::functions;
use super::super::lexemes::Kind;
use super::frames::{self, Clause, Page, Relation, Sight};
use super::rank::fit;
use super::{Offer, Offered, Spot, Typed};

/// Keywords that can follow a relation.
const AFTER_TABLE: &[&str] = &[
    "JOIN",
    "LEFT JOIN",
    "ON",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "AS",
    "INNER JOIN",
    "CROSS JOIN",
    "USING",
    "UNION",
    "UNION ALL",
    "HAVING",
];
/// Keywords of an output list.
const IN_OUTPUT: &[&str] = &[
    "FROM",
    "DISTINCT",
    "AS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "CAST",
    "OVER",
    "PARTITION BY",
    "NULL",
];
/// Keywords of a condition.
const IN_CONDITION: &[&str] = &[
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS NULL",
    "IS NOT NULL",
    "LIKE",
    "BETWEEN",
    "EXISTS",
    "NULL",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "SELECT",
    "GROUP BY",
    "ORDER BY",
    "HAVING",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "WHERE",
    "UNION",
];
/// Keywords of GROUP BY and ORDER BY.
const IN_ORDER: &[&str] =
    &["ASC", "DESC", "HAVING", "ORDER BY", "LIMIT", "NULLS LAST", "NULLS FIRST", "CASE", "UNION"];
/// Keywords that begin a query.
const AT_START: &[&str] = &["SELECT", "WITH", "VALUES", "AS", "RECURSIVE"];
/// Keywords behind a LIMIT.
const IN_LIMIT: &[&str] = &["OFFSET", "UNION"];

/// What is proposed: an offer, and what it is compared by.
struct Proposal {
    name: String,
    offer: Offer,
}

/// Lists offers for a spot, best first.
pub(super) fn offers(spot: &Spot<'_>, typed: &Typed<'_>) -> Vec<Offer> {
    if spot.text.is_some() {
        return values(spot, typed);
    }
    let sight = frames::look(&spot.page, spot.at);
    let mut all = Vec::new();
    if let Some(qualifier) = &spot.qualifier {
        qualified(spot, &sight, qualifier, &mut all);
        return ranked(all, spot.word);
    }
    let before = spot.at.checked_sub(1);
    let after =
        |words: &[&str]| before.is_some_and(|n| words.iter().any(|word| spot.page.is(n, word)));
    let wants_table = after(&["FROM", "JOIN"]) || (sight.clause == Clause::From && after(&[","]));
    let wants_join = after(&["ON"]);
    if spot.word.is_empty() && !(wants_table || wants_join || typed.asked) {
        return Vec::new();
    }
    // behind AS comes a name that nobody can know
    if after(&["AS"]) && !spot.page.is(spot.at, "(") {
        return Vec::new();
    }
    if wants_table {
        tables(spot, &sight, &mut all);
        return ranked(all, spot.word);
    }
    if wants_join {
        joins(spot, &sight, &mut all);
    }
    if !matches!(sight.clause, Clause::Start | Clause::From | Clause::Limit) {
        columns(spot, &sight, &mut all);
        callable(spot, &mut all);
    }
    keywords(sight.clause, &mut all);
    ranked(all, spot.word)
}

/// Puts proposals in order: how well they fit, then their kind, then as they came.
fn ranked(all: Vec<Proposal>, word: &str) -> Vec<Offer> {
    let typed = word.trim_start_matches(['"', '`', '[']);
    let mut kept: Vec<(_, Offer)> = Vec::new();
    for proposal in all {
        let Some(fit) = fit(&proposal.name, typed) else { continue };
        // what already stands there helps nobody
        if proposal.offer.text != word {
            kept.push(((fit, proposal.offer.kind), proposal.offer));
        }
    }
    kept.sort_by_key(|(key, _)| *key);
    let mut offers: Vec<Offer> = Vec::with_capacity(kept.len());
    for (_, offer) in kept {
        if !offers.iter().any(|one| one.text == offer.text) {
            offers.push(offer);
        }
    }
    offers
}

fn propose(all: &mut Vec<Proposal>, name: &str, text: String, what: String, kind: Offered) {
    all.push(Proposal { name: name.to_owned(), offer: Offer { text, what, kind } });
}

/// Columns of the relation named before the dot.
fn qualified(spot: &Spot<'_>, sight: &Sight, qualifier: &str, all: &mut Vec<Proposal>) {
    let page = &spot.page;
    let called = |relation: &&Relation| relation.called.eq_ignore_ascii_case(qualifier);
    let in_sight = sight.relations.iter().find(called).map(|r| r.columns.clone());
    let of_table = || {
        let table = page.catalog.table(qualifier)?;
        let column = |c: &crate::domain::Column| (c.name.clone(), c.data_type.clone());
        Some(table.columns.iter().map(column).collect())
    };
    for (name, what) in in_sight.or_else(of_table).unwrap_or_default() {
        let text = quote(&name, page.catalog.dialect);
        propose(all, &name, text, what, Offered::Column);
    }
}

/// Tables for a FROM or JOIN; those that a key ties to what is there already come first.
fn tables(spot: &Spot<'_>, sight: &Sight, all: &mut Vec<Proposal>) {
    let catalog = spot.page.catalog;
    for cte in &sight.ctes {
        propose(
            all,
            &cte.called,
            quote(&cte.called, catalog.dialect),
            "WITH".into(),
            Offered::Relation,
        );
    }
    let own = sight.relations.get(..sight.own).unwrap_or(&[]);
    let there: Vec<&str> = own.iter().filter_map(|r| r.table.as_deref()).collect();
    let tied = |table: &str| {
        catalog.keys_of(table).any(|key| {
            let other = if key.from_table.eq_ignore_ascii_case(table) {
                &key.to_table
            } else {
                &key.from_table
            };
            there.iter().any(|name| name.eq_ignore_ascii_case(other))
        })
    };
    let mut listed: Vec<_> = catalog.tables.iter().map(|t| (!tied(&t.name), t)).collect();
    listed.sort_by_key(|(apart, _)| *apart);
    for (apart, table) in listed {
        let kind = table.kind.name();
        let rows = table.rows.map(|rows| format!(", {}", rows.words())).unwrap_or_default();
        let key = if apart { "" } else { ", tied by a key" };
        let what = format!("{kind}{rows}{key}");
        let text = quote_table(&table.name, catalog.dialect);
        propose(all, &table.name, text, what, Offered::Relation);
    }
}

/// Conditions along keys between the relation joined last and those before it.
fn joins(spot: &Spot<'_>, sight: &Sight, all: &mut Vec<Proposal>) {
    let own = sight.relations.get(..sight.own).unwrap_or(&[]);
    // the relation before ON is the last one that stands before the cursor
    let page = &spot.page;
    let before = page.tokens.get(..spot.at).unwrap_or(&[]);
    let before = Page::new(page.text, before, page.catalog);
    let near = frames::look(&before, spot.at);
    let Some(joined) = near.relations.get(..near.own).and_then(<[Relation]>::last) else { return };
    for other in own.iter().filter(|other| other.called != joined.called) {
        let (Some(here), Some(there)) = (&joined.table, &other.table) else { continue };
        for key in spot.page.catalog.keys_of(here) {
            if let Some(condition) =
                condition(spot, key, (here, &joined.called), (there, &other.called))
            {
                let what = if key.is_sure() { "key" } else { "inferred key" };
                propose(all, &condition, condition.clone(), what.into(), Offered::Join);
            }
        }
    }
}

/// Writes a key as a condition between two relations, if it ties them: the one before the JOIN
/// stands left.
fn condition(
    spot: &Spot<'_>,
    key: &ForeignKey,
    (here, joined): (&str, &str),
    (there, other): (&str, &str),
) -> Option<String> {
    let is = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let (left, right) = if is(&key.from_table, here) && is(&key.to_table, there) {
        (&key.to_columns, &key.from_columns)
    } else if is(&key.to_table, here) && is(&key.from_table, there) {
        (&key.from_columns, &key.to_columns)
    } else {
        return None;
    };
    let name = |name: &str| quote(name, spot.page.catalog.dialect);
    let pairs = left
        .iter()
        .zip(right)
        .map(|(l, r)| format!("{}.{} = {}.{}", name(other), name(l), name(joined), name(r)));
    Some(pairs.collect::<Vec<_>>().join(" AND "))
}

/// Columns in sight, qualified where two relations have the name; then relations themselves; before
/// FROM is written, columns of all tables.
fn columns(spot: &Spot<'_>, sight: &Sight, all: &mut Vec<Proposal>) {
    let catalog = spot.page.catalog;
    let dialect = catalog.dialect;
    for (n, relation) in sight.relations.iter().enumerate() {
        let own = n < sight.own;
        for (name, what) in &relation.columns {
            let twice = sight.relations.iter().enumerate().any(|(m, other)| {
                m != n && other.columns.iter().any(|(one, _)| one.eq_ignore_ascii_case(name))
            });
            let text = if twice || !own {
                format!("{}.{}", quote(&relation.called, dialect), quote(name, dialect))
            } else {
                quote(name, dialect)
            };
            let of = if what.is_empty() { "column" } else { what };
            let what = format!("{of} of {}", relation.table.as_deref().unwrap_or(&relation.called));
            propose(all, name, text, what, Offered::Column);
        }
    }
    for relation in &sight.relations {
        let what = match &relation.table {
            Some(table) if *table != relation.called => format!("is {table}"),
            Some(_) => "table here".to_owned(),
            None => "query here".to_owned(),
        };
        propose(all, &relation.called, quote(&relation.called, dialect), what, Offered::Relation);
    }
    if sight.relations.is_empty() {
        for table in &catalog.tables {
            for column in &table.columns {
                let what = format!("{} of {}", column.data_type, table.name);
                let what = what.trim_start().to_owned();
                propose(all, &column.name, quote(&column.name, dialect), what, Offered::Elsewhere);
            }
        }
    }
}

fn callable(spot: &Spot<'_>, all: &mut Vec<Proposal>) {
    let names: Vec<&str> = match functions::known(spot.page.catalog.dialect) {
        Some(known) => known.collect(),
        None => functions::common().collect(),
    };
    for name in names {
        let bare = name.starts_with("current_");
        let text = if bare { name.to_owned() } else { format!("{name}(") };
        propose(all, name, text, "function".to_owned(), Offered::Function);
    }
}

fn keywords(clause: Clause, all: &mut Vec<Proposal>) {
    let words = match clause {
        Clause::Start => AT_START,
        Clause::Output => IN_OUTPUT,
        Clause::From => AFTER_TABLE,
        Clause::On | Clause::Where => IN_CONDITION,
        Clause::By => IN_ORDER,
        Clause::Limit => IN_LIMIT,
    };
    for word in words {
        propose(all, word, (*word).to_owned(), "keyword".to_owned(), Offered::Keyword);
    }
}

/// Stored values of the column that the text is compared with.
fn values(spot: &Spot<'_>, typed: &Typed<'_>) -> Vec<Offer> {
    let Some(at) = compared(spot) else { return Vec::new() };
    let Some(list) = typed.values.iter().find(|list| {
        list.at.table.eq_ignore_ascii_case(&at.table)
            && list.at.column.eq_ignore_ascii_case(&at.column)
    }) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for value in &list.values {
        let text = format!("{}'", value.replace('\'', "''"));
        propose(&mut all, value, text, format!("in {}", at.column), Offered::Value);
    }
    ranked(all, spot.word)
}

/// Finds the base column that the text at the spot is compared with.
pub(super) fn compared(spot: &Spot<'_>) -> Option<ColumnRef> {
    let page = &spot.page;
    let mut n = spot.at.checked_sub(1)?;
    if page.is(n, "(") || page.is(n, ",") {
        // IN ('a', 'b
        while page.is(n, ",") && page.tokens.get(n.checked_sub(1)?)?.kind == Kind::Text {
            n = n.checked_sub(2)?;
        }
        if !page.is(n, "(") || !page.is(n.checked_sub(1)?, "IN") {
            return None;
        }
        n -= 1;
    } else if page.is(n, "AND") && page.is(n.checked_sub(2)?, "BETWEEN") {
        n -= 2;
    }
    let compares =
        ["=", "==", "<>", "!=", "<", ">", "<=", ">=", "LIKE", "IN", "BETWEEN", "IS", "GLOB"];
    if !compares.iter().any(|word| page.is(n, word)) {
        n = Some(n).filter(|n| page.is(*n, "NOT") && page.is(n - 1, "IS"))?;
    }
    n = n.checked_sub(1)?;
    while page.is(n, "NOT") || page.is(n, "IS") {
        n = n.checked_sub(1)?;
    }
    column(page, n, spot.at)
}

/// Reads the column whose last token is `n`, seen from token `at`.
fn column(page: &Page<'_>, n: usize, at: usize) -> Option<ColumnRef> {
    let name = page.tokens.get(n).filter(|token| token.is_name())?.name(page.text);
    let qualifier = n.checked_sub(2).filter(|_| page.is(n - 1, "."));
    let qualifier = qualifier.and_then(|m| page.tokens.get(m)).map(|token| token.name(page.text));
    let sight = frames::look(page, at);
    let has = |relation: &&Relation| match &qualifier {
        Some(qualifier) => relation.called.eq_ignore_ascii_case(qualifier),
        None => relation.columns.iter().any(|(one, _)| one.eq_ignore_ascii_case(&name)),
    };
    let table = sight.relations.iter().find(has)?.table.clone()?;
    let column = page.catalog.table(&table)?.column(&name)?;
    Some(ColumnRef::new(table, &column.name))
}
