//! What views say: which columns they join, what they add up, which rows they keep, what codes mean.

use crate::domain::knowledge::{JoinHint, Meaning, Metric, Rule};
use crate::domain::schema::TableKind;
use crate::domain::{Catalog, ColumnRef, Span, Table};
use crate::sql::lexemes::{Kind, Lexeme};
use crate::sql::scope::{Output, Place, Relation, Scope};

use super::super::init::split;
use super::wording::{Read, conjuncts, literal, query_of};
use super::{Draft, Entry};

/// Reads all views.
pub(super) fn of(catalog: &Catalog) -> Vec<Draft> {
    let views = catalog.tables.iter().filter(|table| table.kind == TableKind::View);
    views.flat_map(|view| of_view(catalog, view).unwrap_or_default()).collect()
}

fn of_view(catalog: &Catalog, view: &Table) -> Option<Vec<Draft>> {
    let read = Read::of(query_of(view.ddl.as_deref()?)?, catalog)?;
    let view = View { read: &read, name: &view.name };
    let mut drafts = Vec::new();
    for scope in &read.binding.scopes {
        drafts.extend(view.joins(scope));
        if scope.place != Place::Expression {
            drafts.extend(scope.outputs.iter().filter_map(|output| view.output(scope, output)));
            drafts.extend(view.rows_kept(scope));
        }
    }
    drafts.extend(view.codes());
    Some(drafts)
}

struct View<'a> {
    read: &'a Read<'a>,
    name: &'a str,
}

impl View<'_> {
    fn draft(&self, entry: Entry, span: Span) -> Draft {
        Draft::new(entry, format!("view {}", self.name), span.of(self.read.sql))
    }

    /// Proposes the pairs of columns that a SELECT joins and that no key declares.
    fn joins(&self, scope: &Scope) -> Vec<Draft> {
        let mut found: Vec<((usize, usize), JoinHint, Span)> = Vec::new();
        for pair in &scope.joins {
            let (Some(a), Some(b)) = &pair.columns else { continue };
            let known = found.iter_mut().find(|(relations, ..)| *relations == pair.relations);
            if let Some((_, hint, span)) = known {
                hint.from.push(a.clone());
                hint.to.push(b.clone());
                *span = Span::new(span.start.min(pair.span.start), span.end.max(pair.span.end));
            } else {
                let (from, to) = (vec![a.clone()], vec![b.clone()]);
                let hint = JoinHint { from, to, ..JoinHint::default() };
                found.push((pair.relations, hint, pair.span));
            }
        }
        let catalog = self.read.catalog;
        let news = found.into_iter().filter(|(_, hint, _)| {
            let one = |columns: &[ColumnRef]| {
                columns.windows(2).all(|p| matches!(p, [a, b] if a.table == b.table))
            };
            one(&hint.from) && one(&hint.to) && !is_declared(catalog, hint)
        });
        news.map(|(_, hint, span)| {
            let unique = |columns: &[ColumnRef]| is_unique(catalog, columns);
            let turned = unique(&hint.from) && !unique(&hint.to);
            let (from, to) = if turned { (hint.to, hint.from) } else { (hint.from, hint.to) };
            let sure = unique(&to);
            let reason = format!("the view {} joins by it", self.name);
            let draft =
                self.draft(Entry::Join(JoinHint { from, to, reason, one_to_one: false }), span);
            let views = "no side is declared unique: if both repeat, the join multiplies rows";
            if sure { draft } else { draft.noted(views) }
        })
        .collect()
    }

    /// Proposes what an output computes: a measure where it adds up, else how it is put together.
    fn output(&self, scope: &Scope, output: &Output) -> Option<Draft> {
        if output.star || output.at.is_some() {
            return None;
        }
        let uses = self.read.binding.columns_in(output.span);
        if uses.iter().any(|at| !self.is_stored(at)) {
            return None;
        }
        let holds = |span: Span| output.span.start <= span.start && span.end <= output.span.end;
        let adds = scope.aggregates.iter().any(|a| holds(a.span) && !a.window);
        let whole = self.read.inside(output.span);
        let is_select = |piece: &Lexeme| {
            piece.is_word(self.read.sql, "SELECT") || piece.is_word(self.read.sql, "OVER")
        };
        if whole.iter().any(is_select) {
            return None;
        }
        if adds { self.measure(scope, output, &uses) } else { self.made_of(output, &whole, &uses) }
    }

    /// Tells whether a column is stored, as opposed to one of another view, which speaks for itself.
    fn is_stored(&self, at: &ColumnRef) -> bool {
        let table = self.read.catalog.table(&at.table);
        table.is_some_and(|table| table.kind != TableKind::View)
    }

    fn measure(&self, scope: &Scope, output: &Output, uses: &[&ColumnRef]) -> Option<Draft> {
        let (filter, left_out) = self.filter(scope);
        let mut tables = tables_of(uses.iter().copied());
        if tables.is_empty() {
            tables.push(scope.relations.first().and_then(Relation::table)?.to_owned());
        }
        let measured = tables.clone();
        for span in &filter {
            for table in tables_of(self.read.binding.columns_in(*span)) {
                if !tables.contains(&table) {
                    tables.push(table);
                }
            }
        }
        let stored = |table: &String| {
            self.read.catalog.table(table).is_some_and(|t| t.kind != TableKind::View)
        };
        if !tables.iter().all(stored) {
            return None;
        }
        let words = if output.aliased { output.name.clone() } else { unnamed(scope, output)? };
        let conditions: Vec<String> = filter.iter().map(|span| self.read.alone(*span)).collect();
        let metric = Metric {
            name: split(&words).join("_"),
            meaning: split(&words).join(" "),
            formula: self.read.alone(output.span),
            grain: match measured.as_slice() {
                [one] => Some(format!("one row of {one}")),
                _ => None,
            },
            tables,
            filter: super::super::file::all_of(&conditions),
            ..Metric::default()
        };
        let draft = self.draft(Entry::Metric(metric), output.span);
        Some(match left_out.as_slice() {
            [] => draft,
            some => draft.noted(format!("the view also keeps only {}", some.join(" and "))),
        })
    }

    /// Proposes how a value of one table is put together, where it is more than a renamed column.
    fn made_of(&self, output: &Output, whole: &[Lexeme], uses: &[&ColumnRef]) -> Option<Draft> {
        let sql = self.read.sql;
        let [table] = &*tables_of(uses.iter().copied()) else { return None };
        let has =
            |signs: &[&str]| whole.iter().any(|p| signs.iter().any(|sign| p.is_sign(sql, sign)));
        let texts = whole.iter().any(|piece| piece.kind == Kind::Text);
        let case = whole.iter().any(|piece| piece.is_word(sql, "CASE"));
        let computed = has(&["*", "/", "-", "+"]) && !texts && !has(&["||"]);
        if !output.aliased || case || !(computed || has(&["||"])) {
            return None;
        }
        let expression = self.read.alone(output.span);
        let text = if computed {
            format!("{} of {table} is {expression}", split(&output.name).join(" "))
        } else {
            format!("a row of {table} is written as {expression}")
        };
        let about = uses.iter().copied().map(ColumnRef::to_string).collect();
        Some(self.draft(Entry::Rule(Rule { text, about }), output.span))
    }

    /// Splits what a SELECT keeps into conditions that always hold of the thing, and those that cut
    /// out a period or compare with other rows, as text.
    fn filter(&self, scope: &Scope) -> (Vec<Span>, Vec<String>) {
        let parts = scope.filter.map(|span| conjuncts(self.read, span)).unwrap_or_default();
        let (mut kept, mut left) = (Vec::new(), Vec::new());
        for part in parts {
            let joins = scope.joins.iter().any(|pair| pair.span == part);
            if self.is_constant(part) {
                kept.push(part);
            } else if !joins {
                left.push(self.read.alone(part));
            }
        }
        (kept, left)
    }

    /// Tells whether a condition compares a stored column with constants, and none of them is a date.
    fn is_constant(&self, part: Span) -> bool {
        let pieces = self.read.inside(part);
        let sql = self.read.sql;
        let word = |word: &str| pieces.iter().any(|piece| piece.is_word(sql, word));
        let literal = pieces.iter().any(|piece| matches!(piece.kind, Kind::Text | Kind::Number));
        let dated = pieces.iter().any(|piece| {
            piece.kind == Kind::Text
                && crate::render::looks_like_date(piece.of(sql).trim_matches('\''))
        });
        let uses = self.read.binding.columns_in(part);
        !uses.is_empty()
            && !dated
            && !word("SELECT")
            && (literal || word("NULL") || word("ISNULL") || word("NOTNULL"))
    }

    /// Proposes what a view that adds up nothing keeps: its name says what such rows are.
    fn rows_kept(&self, scope: &Scope) -> Option<Draft> {
        if scope.is_aggregated() || !matches!(scope.place, Place::Outermost) {
            return None;
        }
        let (kept, _) = self.filter(scope);
        let (first, last) = kept.first().zip(kept.last())?;
        let conditions: Vec<String> = kept.iter().map(|span| self.read.alone(*span)).collect();
        let about: Vec<String> = kept
            .iter()
            .flat_map(|span| self.read.binding.columns_in(*span))
            .map(ColumnRef::to_string)
            .collect();
        let entry = Entry::Kept {
            views: vec![self.name.to_owned()],
            condition: conditions.join(" and "),
            about,
        };
        Some(self.draft(entry, Span::new(first.start, last.end)))
    }

    /// Proposes what codes mean where a CASE puts words for them.
    fn codes(&self) -> Vec<Draft> {
        let sql = self.read.sql;
        let mut drafts = Vec::new();
        let mut of: Option<&ColumnRef> = None;
        for (n, piece) in self.read.lexemes.iter().enumerate() {
            let at = |k: usize| self.read.lexemes.get(n + k);
            if piece.is_word(sql, "CASE") {
                of = at(1).and_then(|next| self.column_at(next));
            }
            if !piece.is_word(sql, "THEN") || at(1).is_none_or(|words| words.kind != Kind::Text) {
                continue;
            }
            let before = |k: usize| n.checked_sub(k).and_then(|at| self.read.lexemes.get(at));
            let (Some(code), Some(sign), Some(words)) = (before(1), before(2), at(1)) else {
                continue;
            };
            let column = if sign.is_word(sql, "WHEN") {
                of
            } else if sign.is(sql, "=") {
                self.column_before(sign)
            } else {
                None
            };
            let (Some(column), Some(said)) =
                (column.filter(|at| self.is_stored(at)), literal(code, sql))
            else {
                continue;
            };
            let meaning = literal(words, sql).unwrap_or_default();
            if meaning.trim().is_empty() {
                continue;
            }
            let values = vec![(said, meaning)];
            let entry =
                Entry::Column(Meaning { values, ..Meaning::of(column.clone()) }, Vec::new());
            let start =
                before(3).filter(|_| sign.is(sql, "=")).map_or(sign.span.start, |p| p.span.start);
            drafts.push(self.draft(entry, Span::new(start, words.span.end)));
        }
        drafts
    }

    fn column_at(&self, piece: &Lexeme) -> Option<&ColumnRef> {
        let used =
            self.read.binding.columns.iter().find(|used| used.span.start == piece.span.start)?;
        used.at.as_ref()
    }

    fn column_before(&self, sign: &Lexeme) -> Option<&ColumnRef> {
        let before =
            self.read.binding.columns.iter().filter(|used| used.span.end <= sign.span.start);
        let used = before.max_by_key(|used| used.span.end)?;
        let gap = self.read.sql.get(used.span.end..sign.span.start)?;
        used.at
            .as_ref()
            .filter(|_| gap.trim_matches(|c: char| c.is_whitespace() || c == ')').is_empty())
    }
}

/// Names a measure that the view gives no name: `sum_amount`.
fn unnamed(scope: &Scope, output: &Output) -> Option<String> {
    let inside = |span: Span| output.span.start <= span.start && span.end <= output.span.end;
    let first = scope.aggregates.iter().find(|a| inside(a.span))?;
    let of = first.column.as_ref().map_or("rows", |at| at.column.as_str());
    Some(format!("{} {of}", first.function))
}

/// Lists tables of columns, each once, in order.
fn tables_of<'a>(columns: impl IntoIterator<Item = &'a ColumnRef>) -> Vec<String> {
    let mut tables: Vec<String> = Vec::new();
    for at in columns {
        if !tables.contains(&at.table) {
            tables.push(at.table.clone());
        }
    }
    tables
}

fn is_unique(catalog: &Catalog, columns: &[ColumnRef]) -> bool {
    let names: Vec<&str> = columns.iter().map(|at| at.column.as_str()).collect();
    let table = columns.first().and_then(|at| catalog.table(&at.table));
    table.is_some_and(|table| table.is_unique(&names))
}

/// Tells whether the schema, or a person, already gives the key that a view joins by.
fn is_declared(catalog: &Catalog, hint: &JoinHint) -> bool {
    let side = |table: &str, columns: &[String], side: &[ColumnRef]| {
        side.iter().all(|at| at.table.eq_ignore_ascii_case(table))
            && side.len() == columns.len()
            && side.iter().all(|at| columns.iter().any(|c| c.eq_ignore_ascii_case(&at.column)))
    };
    catalog.keys.iter().filter(|key| key.is_sure()).any(|key| {
        let is = |from: &[ColumnRef], to: &[ColumnRef]| {
            side(&key.from_table, &key.from_columns, from)
                && side(&key.to_table, &key.to_columns, to)
        };
        is(&hint.from, &hint.to) || is(&hint.to, &hint.from)
    })
}
