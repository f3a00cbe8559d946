//! What a statement would call: a read-only transaction does not hold back functions that reach
//! outside it, so the server's catalog is asked what each name in the text stands for.
//!
//! **Invariant:** a statement runs only when every function that it names, in its own text and in
//! the definitions behind it, is declared to change nothing or stands on the list of harmless ones.

use std::collections::BTreeSet;

use tokio_postgres::Row;

use super::super::Trouble;
use super::pool::Session;
use super::tokens::{Kind, Token, code};
use super::trouble;
use crate::domain::{Span, Stage};

/// Functions of the server itself that are declared volatile, and still change nothing and show
/// nothing of its machine. Sorted.
const HARMLESS: &[&str] = &[
    "bernoulli",
    "clock_timestamp",
    "current_query",
    "currval",
    "gen_random_uuid",
    "lastval",
    "pg_blocking_pids",
    "pg_database_size",
    "pg_indexes_size",
    "pg_is_in_recovery",
    "pg_partition_ancestors",
    "pg_partition_tree",
    "pg_relation_size",
    "pg_table_size",
    "pg_tablespace_size",
    "pg_total_relation_size",
    "random",
    "random_normal",
    "system",
    "timeofday",
    "uuidv4",
    "uuidv7",
];

/// The same of extensions. Sorted.
const HARMLESS_EXTENSIONS: &[&str] = &[
    "gen_random_bytes",
    "gen_salt",
    "pg_stat_statements",
    "pg_stat_statements_info",
    "system_rows",
    "system_time",
    "uuid_generate_v1",
    "uuid_generate_v1mc",
    "uuid_generate_v4",
];

/// Functions that are declared to change nothing, and yet run SQL that comes as a text, take a
/// transaction number, or reach another server. Sorted.
const REFUSED: &[&str] = &[
    "connectby",
    "crosstab",
    "crosstab2",
    "crosstab3",
    "crosstab4",
    "crosstab_hash",
    "crosstabn",
    "pg_current_xact_id",
    "query_to_xml",
    "ts_stat",
    "txid_current",
    "xpath_table",
    "xslt_process",
];

/// Functions by name or, where one takes a row, by attribute; operators, aggregates, casts and
/// domains that are no part of the server; views and policies with what they are made of.
const QUESTION: &str = "\
    SELECT 'function', p.proname::text, p.provolatile = 'v', p.pronamespace = 'pg_catalog'::regnamespace, \
      EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'), \
      l.lanpltrusted OR l.lanname IN ('internal', 'c'), \
      CASE WHEN l.lanname IN ('internal', 'c') AND p.prokind <> 'a' THEN NULL \
        WHEN p.prokind = 'a' THEN (SELECT string_agg(format('%I()', f.proname), ' ') FROM pg_aggregate a \
          JOIN pg_proc f ON f.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn) \
          WHERE a.aggfnoid = p.oid AND f.pronamespace <> 'pg_catalog'::regnamespace) \
        WHEN p.prosrc <> '' THEN p.prosrc ELSE pg_get_functiondef(p.oid) END \
    FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang \
    WHERE p.proname = ANY ($1::text[]) OR (p.proname = ANY ($2::text[]) AND p.pronargs = 1 AND EXISTS \
      (SELECT 1 FROM pg_type t WHERE t.oid = p.proargtypes[0] AND t.typtype IN ('c', 'p'))) \
    UNION ALL SELECT 'operator', o.oprname::text, false, false, false, true, format('%I()', p.proname) \
    FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode \
    WHERE p.pronamespace <> 'pg_catalog'::regnamespace \
      AND EXISTS (SELECT 1 FROM unnest($4::text[]) run WHERE strpos(run, o.oprname::text) > 0) \
    UNION ALL SELECT 'view', c.relname::text, false, false, false, true, pg_get_viewdef(c.oid) \
    FROM pg_class c WHERE c.relkind = 'v' AND c.relname = ANY ($3::text[]) \
      AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) \
    UNION ALL SELECT 'policy', c.relname::text, false, false, false, true, pg_get_expr(y.polqual, y.polrelid) \
    FROM pg_policy y JOIN pg_class c ON c.oid = y.polrelid WHERE c.relname = ANY ($3::text[]) \
    UNION ALL SELECT 'cast', t.typname::text, false, false, false, true, format('%I()', p.proname) \
    FROM pg_cast c JOIN pg_proc p ON p.oid = c.castfunc JOIN pg_type t ON t.oid IN (c.casttarget, c.castsource) \
    WHERE p.pronamespace <> 'pg_catalog'::regnamespace AND t.typname = ANY ($3::text[]) \
    UNION ALL SELECT 'domain', t.typname::text, false, false, false, true, pg_get_constraintdef(k.oid) \
    FROM pg_constraint k JOIN pg_type t ON t.oid = k.contypid \
    WHERE t.typname = ANY ($3::text[]) AND t.typnamespace <> 'information_schema'::regnamespace";

/// Proves that nothing a statement calls changes anything.
pub(super) async fn refuse(on: &Session, sql: &str) -> Result<(), Trouble> {
    let mut seen = Names::default();
    let mut new = Names::of(sql);
    while !new.is_empty() {
        let rows = on
            .client()
            .query(QUESTION, &[&new.calls(), &new.attributes(), &new.words(), &new.operators()])
            .await
            .map_err(|error| Trouble::Database(trouble::of_ours(&error, on.target())))?;
        seen.add(new);
        let mut inside = Names::default();
        for found in rows.iter().map(Found::read) {
            if let Some(why) = found.refused {
                return Err(refusal(&found.name, why, sql));
            }
            inside.add(Names::of(&found.source));
        }
        new = inside.without(&seen);
    }
    Ok(())
}

fn refusal(name: &str, why: &str, sql: &str) -> Trouble {
    let place = code(sql).into_iter().find(|token| token.is_name() && token.name() == name);
    let behind = if place.is_some() { "" } else { ", which the statement needs," };
    let message = format!("function {name}{behind} is refused: {why}");
    let span = place.map(|token| Span::new(token.start, token.end()));
    Trouble::query(Stage::Policy, "write", message, span)
}

/// What the catalog says of a name.
struct Found {
    name: String,
    /// Why it can't be called, if it can't.
    refused: Option<&'static str>,
    /// The SQL that it is made of.
    source: String,
}

impl Found {
    fn read(row: &Row) -> Self {
        let text = |at| row.try_get::<_, Option<String>>(at).ok().flatten().unwrap_or_default();
        let (name, source) = (text(1), text(6));
        let refused = if text(0) == "function" { refused(row, &name, &source) } else { None };
        Found { name, refused, source }
    }
}

/// Says why a function can't be called, if it can't.
fn refused(row: &Row, name: &str, source: &str) -> Option<&'static str> {
    // what can't be read is taken for the worse
    let truth = |at, worse| row.try_get::<_, Option<bool>>(at).ok().flatten().unwrap_or(worse);
    let (volatile, trusted) = (truth(2, true), truth(5, false));
    let (of_server, of_extension) = (truth(3, false), truth(4, false));
    let on = |list: &[&str]| list.binary_search(&name.to_ascii_lowercase().as_str()).is_ok();
    if on(REFUSED) {
        return Some("it does more than to read stored data");
    }
    let harmless = (of_server && on(HARMLESS)) || (of_extension && on(HARMLESS_EXTENSIONS));
    if volatile && !harmless {
        return Some("it is declared VOLATILE, so it may change something or reach outside");
    }
    if !trusted {
        return Some("its language may do anything on the server's machine");
    }
    let dynamic = code(source).iter().any(|token| token.is("EXECUTE"));
    dynamic.then_some("it runs SQL that it makes itself")
}

/// The names of a text, by the ways in which the server may take them.
#[derive(Default)]
struct Names {
    /// Before a parenthesis.
    calls: BTreeSet<String>,
    /// After a dot.
    attributes: BTreeSet<String>,
    /// Anywhere.
    words: BTreeSet<String>,
    /// Runs of operator signs.
    operators: BTreeSet<String>,
}

impl Names {
    fn of(text: &str) -> Self {
        let found = code(text);
        let mut names = Names::default();
        let before = std::iter::once(None).chain(found.iter().map(Some));
        let after = found.iter().skip(1).map(Some).chain([None]);
        let is = |token: Option<&Token<'_>>, sign| token.is_some_and(|token| token.is(sign));
        for ((before, token), after) in before.zip(&found).zip(after) {
            if token.kind == Kind::Operator {
                names.operators.insert(token.text.to_owned());
            }
            if !token.is_name() {
                continue;
            }
            if is(after, "(") {
                names.calls.insert(token.name());
            } else if is(before, ".") {
                names.attributes.insert(token.name());
            }
            names.words.insert(token.name());
        }
        names
    }

    fn sets(&mut self) -> [&mut BTreeSet<String>; 4] {
        [&mut self.calls, &mut self.attributes, &mut self.words, &mut self.operators]
    }

    fn add(&mut self, mut other: Names) {
        for (own, more) in self.sets().into_iter().zip(other.sets()) {
            own.append(more);
        }
    }

    fn without(self, seen: &Names) -> Names {
        let rest = |own: BTreeSet<String>, seen: &BTreeSet<String>| &own - seen;
        Names {
            calls: rest(self.calls, &seen.calls),
            attributes: rest(self.attributes, &seen.attributes),
            words: rest(self.words, &seen.words),
            operators: rest(self.operators, &seen.operators),
        }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.operators.is_empty()
    }

    fn calls(&self) -> Vec<&str> {
        self.calls.iter().map(String::as_str).collect()
    }

    fn attributes(&self) -> Vec<&str> {
        self.attributes.iter().map(String::as_str).collect()
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    fn operators(&self) -> Vec<&str> {
        self.operators.iter().map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_seen_through_quotes_comments_and_dots() {
        let sql =
            r#"SELECT "pg_sleep" /* ( */ (1), a.PG_Read_File ('x'), t.f, 'g(1)' FROM t -- h()"#;
        let names = Names::of(sql);
        assert_eq!(names.calls(), ["pg_read_file", "pg_sleep"]);
        assert_eq!(names.attributes(), ["f"]);
    }

    #[test]
    fn lists_are_sorted() {
        for list in [HARMLESS, HARMLESS_EXTENSIONS, REFUSED] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
