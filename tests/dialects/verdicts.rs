//! Statements that engines refuse are flagged before they are run, with the right class.

use std::collections::BTreeMap;

use querent::sql::{ReadQuery, bind};

use super::golds::ENGINES;
use super::schemas::{cases, folder, lines, text};

/// Codes that say what an engine's class says.
fn right(class: &str) -> &'static [&'static str] {
    match class {
        "no_such_column" => &["no_such_column", "syntax_error", "foreign_syntax"],
        "no_such_table" => &["no_such_table", "no_such_column"],
        "ambiguous_column" => &["ambiguous_column"],
        "misuse_of_aggregate" => &["misuse_of_aggregate", "ungrouped_column"],
        "no_such_function" => &["no_such_function", "foreign_syntax", "wrong_argument_count"],
        "syntax_error" => {
            &["syntax_error", "foreign_syntax", "not_a_query", "write", "setop_column_mismatch"]
        }
        "setop_column_mismatch" => &["setop_column_mismatch"],
        "multiple_statements" => &["multiple_statements"],
        _ => &["order_by_term", "repeated_alias", "foreign_syntax", "setop_column_mismatch"],
    }
}

#[test]
fn statements_that_an_engine_refuses_are_flagged_there() {
    let Some(folder) = folder() else { return };
    let mut table: BTreeMap<(&str, String), (usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    for (engine, schema, dialect) in ENGINES {
        let catalog = cases(&folder, schema, dialect);
        for line in lines(&folder, "dialects") {
            let verdict = &line["engines"][engine];
            if verdict["accepted"].as_bool() != Some(false) {
                continue;
            }
            let (sql, class) = (text(&line, "sql"), text(verdict, "class"));
            let found = match ReadQuery::parse(sql, dialect) {
                Ok(query) => bind(&query, &catalog).diagnostics,
                Err(failure) => failure.diagnostics,
            };
            let hit = found.iter().any(|d| right(class).contains(&d.code.as_str()));
            let count = table.entry((engine, class.to_owned())).or_default();
            count.0 += 1;
            count.1 += usize::from(hit);
            if !hit {
                missed.push(format!("{engine} {} {class}: {sql} {found:?}", line["id"]));
            }
        }
    }
    for ((engine, class), (all, hit)) in &table {
        println!("{engine:10} {class:22} {hit} of {all}");
    }
    println!("missed:\n{}", missed.join("\n"));
    let (all, hit) = table.values().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    println!("{hit} of {all} with the right class");
    assert!(hit * 100 >= all * 75, "{hit} of {all}");
}
