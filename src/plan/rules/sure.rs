//! Whether a plan drawn by rules is sure enough to hold other SQL against it.
//!
//! The drafter may be wrong once in eight times, because its answer is looked at. A warning about
//! somebody else's SQL costs trust when it is wrong: here anything that reads two ways abstains.

use crate::domain::plan::{Aggregate, Comparison, Condition, Measure, Operand, Term};
use crate::domain::{Catalog, ColumnRef, Facts, Plan, Question, Reading, Understanding};
use crate::search::tokens::stem;

use super::super::compile::compile;
use super::schema::words;
use super::{Ruled, draw};

/// Reads a question by rules; none when they decline or several readings are likely.
pub fn read(question: &Question, understanding: &Understanding, facts: &Facts) -> Option<Reading> {
    let Ruled::Plan(plan, words) = draw(question, understanding, facts) else { return None };
    let text = question.text.to_lowercase();
    if doubt(&text, &plan).is_some() || has_rival(&text, &plan, &facts.catalog) {
        return None;
    }
    let sql = compile(&plan, &facts.catalog).ok()?;
    let ties = ties(&plan).and_then(|plan| compile(&plan, &facts.catalog).ok());
    Some(Reading { words, sql, first: plan.limit, ties })
}

/// Says why a plan isn't sure.
fn doubt(question: &str, plan: &Plan) -> Option<&'static str> {
    const SEVERAL: &[&str] = &[
        "as well as",
        "respectively",
        "full name",
        "corresponding",
        "percent",
        "ratio",
        "proportion",
    ];
    if SEVERAL.iter().any(|words| question.contains(words)) {
        return Some("what is put out reads two ways");
    }
    if plan.tables.len() > 3 {
        return Some("the way between the tables is long");
    }
    let fixed: Vec<&ColumnRef> = plan.filters.iter().filter_map(fixed).collect();
    let puts_out_fixed = plan.dimensions.iter().any(|term| is_one(term, &fixed));
    let counts_fixed = plan.measures.iter().any(|measure| match &measure.term {
        Term::Aggregate { function: Aggregate::Count, of, .. } => is_one(of, &fixed),
        Term::Aggregate { .. } | Term::Column(_) | Term::Star | Term::Sql(_) => false,
    });
    if puts_out_fixed || counts_fixed {
        return Some("what is put out is fixed by a condition");
    }
    if grouped_by_another(plan) {
        return Some("the groups are of one table, what is put out of another");
    }
    let counts_rows = plan.measures.iter().any(|measure| {
        matches!(&measure.term, Term::Aggregate { function: Aggregate::Count, of, distinct: false }
            if matches!(**of, Term::Star))
    });
    if question.split(|c: char| !c.is_alphanumeric()).any(|word| word == "total")
        && (counts_rows && !question.contains("total number") || speaks_of_totals(plan))
    {
        return Some("whether rows are counted, listed or added isn't clear");
    }
    let different = ["different", "distinct", "unique"].iter().any(|w| question.contains(w));
    if counts_rows && different {
        return Some("what is counted once isn't clear");
    }
    let mut denied = plan.filters.iter().filter_map(denied);
    let several =
        plan.dimensions.first().is_some_and(|term| plan.dimensions.len() == 1 && !names_rows(term));
    if denied.next().is_some() && several {
        return Some("whether rows or their values are denied isn't clear");
    }
    let any = plan.filters.iter().any(|filter| matches!(filter, Condition::Any(_)));
    if any && plan.filters.len() > 1 {
        return Some("'and' and 'or' bind in more than one way");
    }
    None
}

/// Tells whether a column is put out or measured that is itself called a total.
fn speaks_of_totals(plan: &Plan) -> bool {
    let measured = plan.measures.iter().map(|measure| &measure.term);
    plan.dimensions.iter().chain(measured).any(|term| {
        let of = if let Term::Aggregate { of, .. } = term { of } else { term };
        matches!(of, Term::Column(at) if words(&at.column).iter().any(|word| word == "total"))
    })
}

/// "Names and number of singers for every concert": whose names are they?
fn grouped_by_another(plan: &Plan) -> bool {
    let table = |term: &Term| match term {
        Term::Column(at) => Some(at.table.to_lowercase()),
        Term::Star | Term::Aggregate { .. } | Term::Sql(_) => None,
    };
    let groups: Vec<String> = plan.group_by.iter().filter_map(table).collect();
    let shown: Vec<String> = plan.dimensions.iter().filter_map(table).collect();
    !groups.is_empty() && shown.iter().any(|table| !groups.contains(table))
        || plan.aggregates() && shown.iter().any(|table| Some(table) != shown.first())
}

/// The column that must not be among others.
fn denied(condition: &Condition) -> Option<&ColumnRef> {
    match condition {
        Condition::Compare {
            left: Term::Column(at),
            by: Comparison::NotIn,
            right: Operand::Plan(_),
        } => Some(at),
        Condition::Compare { .. }
        | Condition::Null { .. }
        | Condition::Any(_)
        | Condition::Sql(_) => None,
    }
}

/// Tells whether a column is what rows are known by: an id, a code, a name.
fn names_rows(term: &Term) -> bool {
    let Term::Column(at) = term else { return true };
    let own = words(&at.column);
    let known = ["id", "code", "name", "titl", "number", "no"];
    own.last().is_some_and(|word| known.contains(&word.as_str()) || word.ends_with("name"))
}

/// Tells whether another column of the tables fits the words better: "name of the song" is
/// `song_name`, not `name`.
fn has_rival(question: &str, plan: &Plan, catalog: &Catalog) -> bool {
    let said: Vec<String> = question
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(stem)
        .collect();
    let measured = plan.measures.iter().filter_map(|measure| match &measure.term {
        Term::Aggregate { of, .. } => Some(&**of),
        Term::Column(_) | Term::Star | Term::Sql(_) => None,
    });
    let put_out: Vec<&ColumnRef> = plan
        .dimensions
        .iter()
        .chain(measured)
        .filter_map(|term| if let Term::Column(at) = term { Some(at) } else { None })
        .collect();
    let tables = plan.tables.iter().filter_map(|name| catalog.table(name));
    let columns: Vec<ColumnRef> = tables
        .flat_map(|table| table.columns.iter().map(|c| ColumnRef::new(&table.name, &c.name)))
        .collect();
    put_out.iter().any(|at| {
        let own = words(&at.column);
        columns.iter().filter(|rival| !put_out.contains(rival)).any(|rival| {
            let more = words(&rival.column);
            let holds = own.iter().all(|word| more.contains(word)) && more.len() > own.len();
            let mut extra = more.iter().filter(|word| !own.contains(word));
            // "stadium name": the table is said beside the word
            let table = words(&at.table);
            let apart = rival.table != at.table && table.iter().all(|word| said.contains(word));
            holds && !apart && extra.all(|word| said.contains(word))
        })
    })
}

/// The column that a condition leaves one value, or a few listed ones.
fn fixed(condition: &Condition) -> Option<&ColumnRef> {
    let Condition::Compare { left: Term::Column(at), by, right } = condition else { return None };
    let listed = matches!(right, Operand::Value(_) | Operand::Values(_));
    (listed && matches!(by, Comparison::Equal | Comparison::In)).then_some(at)
}

fn is_one(term: &Term, columns: &[&ColumnRef]) -> bool {
    matches!(term, Term::Column(at) if columns.contains(&at))
}

/// The plan of what the order compares, one row further than the limit.
fn ties(plan: &Plan) -> Option<Plan> {
    let first = plan.limit?;
    if plan.order.is_empty() || plan.combined.is_some() {
        return None;
    }
    let mut ties = plan.clone();
    ties.limit = Some(first + 1);
    ties.distinct = false;
    let sizes = plan.order.iter().map(|order| order.term.clone());
    let grouped = plan.aggregates()
        || plan.order.iter().any(|order| matches!(order.term, Term::Aggregate { .. }));
    if grouped {
        ties.group_by.extend(std::mem::take(&mut ties.dimensions));
        let measure = |term| Measure { term, alias: String::new(), metric: None };
        ties.measures = sizes.map(measure).collect();
    } else {
        ties.dimensions = sizes.collect();
        ties.measures.clear();
    }
    Some(ties)
}
