//! Gold queries with one thing made wrong: flagged with the right class, the right name first.

use std::collections::BTreeMap;

use querent::domain::{Catalog, Dialect, Span};
use querent::sql::rewrite::replace;
use querent::sql::scope::Clause;
use querent::sql::{Binding, ReadQuery, bind};

use super::schemas::{DEFOG, defog, folder, lines, text};

/// A query that is wrong in one way.
struct Mutant {
    sql: String,
    /// What was done.
    kind: &'static str,
    /// Codes that say so.
    codes: &'static [&'static str],
    /// What stood there.
    meant: Option<String>,
}

/// Loses or swaps letters of a name, by turns.
fn misspelt(name: &str, turn: usize) -> Option<String> {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() < 5 {
        return None;
    }
    let at = 1 + turn % (letters.len() - 3);
    let mut wrong = letters;
    match turn % 3 {
        0 => drop(wrong.remove(at)),
        1 if wrong[at] != wrong[at + 1] => wrong.swap(at, at + 1),
        _ => wrong.insert(at, wrong[at]),
    }
    let wrong: String = wrong.into_iter().collect();
    (wrong != name).then_some(wrong)
}

fn last_word(sql: &str, span: Span) -> Option<Span> {
    let written = span.of(sql);
    let start = written.rfind('.').map_or(span.start, |dot| span.start + dot + 1);
    let name = Span { start, end: span.end };
    name.of(sql).chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

fn exists(catalog: &Catalog, binding: &Binding, name: &str) -> bool {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    let outputs = binding.scopes.iter().flat_map(|scope| &scope.outputs);
    let relations = binding.scopes.iter().flat_map(|scope| &scope.relations);
    let columns = catalog.tables.iter().flat_map(|table| &table.columns);
    outputs.map(|output| &output.name).any(|other| same(other))
        || relations.map(|relation| &relation.name).any(|other| same(other))
        || columns.map(|column| &column.name).any(|other| same(other))
        || catalog.tables.iter().any(|table| same(&table.name))
}

#[expect(clippy::too_many_lines, reason = "a list, one kind after the other")]
fn mutants(sql: &str, catalog: &Catalog) -> Vec<Mutant> {
    let Ok(query) = ReadQuery::parse(sql, catalog.dialect) else { return Vec::new() };
    let binding = bind(&query, catalog);
    let mut all = Vec::new();
    let mut put = |kind, codes, span: Span, text: &str, meant: Option<&str>| {
        let sql = replace(sql, span, text).unwrap();
        all.push(Mutant { sql, kind, codes, meant: meant.map(str::to_owned) });
    };
    for (turn, used) in binding.columns.iter().enumerate() {
        let Some(name) = last_word(sql, used.span).filter(|_| used.at.is_some()) else { continue };
        let written = name.of(sql);
        if let Some(wrong) = misspelt(written, turn).filter(|w| !exists(catalog, &binding, w)) {
            put("misspelt column", &["no_such_column"], name, &wrong, Some(written));
        }
        let Some((scope, relation)) = used.relation else { continue };
        let relations = &binding.scopes[scope].relations;
        let owners = relations.iter().filter(|r| r.column(written).is_some()).count();
        let merged = sql.to_lowercase().contains("using");
        if used.qualifier.is_some() && owners > 1 && used.scope == scope && !merged {
            let plain = matches!(used.clause, Clause::Output | Clause::Where | Clause::On);
            let alias = binding.scopes[scope]
                .outputs
                .iter()
                .any(|o| o.aliased && o.name.eq_ignore_ascii_case(written));
            if plain && !alias {
                put("missing qualifier", &["ambiguous_column"], used.span, written, None);
            }
        }
        let other = relations.iter().enumerate().find(|(at, other)| {
            *at != relation && other.columns.is_some() && other.column(written).is_none()
        });
        if let Some(((_, other), true)) = other.map(|o| (o, used.qualifier.is_some())) {
            let owner = &relations[relation].name;
            let wrong = format!("{}.{written}", other.name);
            let meant = format!("{owner}.{written}");
            put("wrong table", &["no_such_column"], used.span, &wrong, Some(&meant));
        }
    }
    for (turn, scope) in binding.scopes.iter().enumerate() {
        for relation in scope.relations.iter().filter(|relation| relation.table().is_some()) {
            let Some(name) = last_word(sql, relation.span) else { continue };
            let written = name.of(sql);
            // its columns may be qualified by it
            let named = relation.alias.is_none() && sql.contains(&format!("{written}."));
            if let Some(wrong) = misspelt(written, turn).filter(|_| !named) {
                put("misspelt table", &["no_such_table"], name, &wrong, Some(written));
            }
        }
        for aggregate in scope.aggregates.iter().filter(|a| !a.window) {
            let end = aggregate.span.start + aggregate.function.len();
            let name = Span { start: aggregate.span.start, end };
            if let Some(wrong) = misspelt(&aggregate.function, turn) {
                put(
                    "misspelt function",
                    &["no_such_function"],
                    name,
                    &wrong,
                    Some(&aggregate.function),
                );
            }
            if let Some(filter) = scope.filter {
                let wrong = format!("({}) AND {} > 0", filter.of(sql), aggregate.span.of(sql));
                put("aggregate in WHERE", &["misuse_of_aggregate"], filter, &wrong, None);
            }
        }
        let grouped = scope.group_by.len() > 1 && scope.aggregates.iter().any(|a| !a.window);
        if grouped && matches!(catalog.dialect, Dialect::Postgres) {
            let last = scope.group_by.last().unwrap();
            let dropped = last.at.is_some() && last.output.is_some();
            let keyed = last.at.as_ref().is_some_and(|at| {
                catalog.table(&at.table).is_some_and(|table| {
                    scope.group_by.iter().any(|key| {
                        key.at.as_ref().is_some_and(|k| table.primary_key == [k.column.clone()])
                    })
                })
            });
            let between = &scope.group_by[scope.group_by.len() - 2];
            let cut = Span { start: between.span.end, end: last.span.end };
            if dropped && !keyed {
                put("lost group key", &["ungrouped_column"], cut, "", None);
            }
        }
    }
    all
}

#[derive(Default, Clone, Copy)]
struct Row {
    all: usize,
    flagged: usize,
    right: usize,
    named: usize,
    first: usize,
}

impl Row {
    fn share(part: usize, whole: usize) -> String {
        let share = 100.0 * f64::from(u32::try_from(part).unwrap())
            / f64::from(u32::try_from(whole.max(1)).unwrap());
        format!("{share:.1} %")
    }
}

#[test]
fn mutated_golds_are_flagged_with_the_right_class_on_every_engine() {
    let Some(folder) = folder() else { return };
    let mut table: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    let mut missed = Vec::new();
    for (engine, dialect, set, at) in DEFOG {
        for line in lines(&folder, set) {
            let catalog = defog(&folder, at, text(&line, "db"), dialect);
            for mutant in mutants(text(&line, "gold_sql"), &catalog) {
                let found = match ReadQuery::parse(&mutant.sql, dialect) {
                    Ok(query) => bind(&query, &catalog).diagnostics,
                    Err(failure) => failure.diagnostics,
                };
                let hit = found.iter().find(|d| mutant.codes.contains(&d.code.as_str()));
                let row = table.entry((engine, mutant.kind)).or_default();
                row.all += 1;
                row.flagged += usize::from(!found.is_empty());
                row.right += usize::from(hit.is_some());
                if let Some(meant) = &mutant.meant {
                    row.named += 1;
                    let best = hit.and_then(|d| d.suggestions.first()).map(String::as_str);
                    // the owner of a column in sight is named in the sentence
                    let same = match meant.split_once('.') {
                        Some((owner, _)) => hit
                            .is_some_and(|d| d.message.contains(&format!("It exists in {owner}"))),
                        None => best.is_some_and(|best| {
                            best.rsplit('.').next().unwrap().eq_ignore_ascii_case(meant)
                        }),
                    };
                    row.first += usize::from(same);
                }
                if hit.is_none() {
                    missed.push(format!("{engine} {}: {} {found:?}", mutant.kind, mutant.sql));
                }
            }
        }
    }
    println!("engine      mutation             mutants  flagged   class  first suggestion");
    for ((engine, kind), row) in &table {
        println!(
            "{engine:11} {kind:20} {:7}  {:>7} {:>7}  {:>7}",
            row.all,
            Row::share(row.flagged, row.all),
            Row::share(row.right, row.all),
            if row.named > 0 { Row::share(row.first, row.named) } else { "–".to_owned() },
        );
    }
    println!("missed:\n{}", missed.iter().take(40).cloned().collect::<Vec<_>>().join("\n"));
    for (engine, ..) in DEFOG {
        let rows = table.iter().filter(|((of, _), _)| *of == engine).map(|(_, row)| row);
        let (all, right) = rows.fold((0, 0), |sum, row| (sum.0 + row.all, sum.1 + row.right));
        println!(
            "{engine}: {right} of {all} mutants with the right class ({})",
            Row::share(right, all)
        );
        assert!(right * 100 >= all * 98, "{engine}: {right} of {all}");
    }
}
