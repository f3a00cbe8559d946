//! Turns a sketch into a plan: tables, joins, groups, conditions.

use crate::domain::plan::{Aggregate, Comparison, Condition, Measure, Operand, Order, Term};
use crate::domain::{ColumnRef, Plan, Value};

use super::path::{Path, connect};
use super::schema::{Schema, same};
use super::sketch::{Filter, Group, Output, Size, Sketch};

pub(super) struct Builder<'a> {
    pub(super) schema: &'a Schema<'a>,
    pub(super) sketch: &'a Sketch,
    pub(super) groups: Option<Vec<Group>>,
}

fn plain(sketch: &Sketch) -> Vec<&ColumnRef> {
    let column = |o: &'_ Output| matches!(o, Output::Column(_));
    let outputs = sketch.outputs.iter().filter(|o| column(o));
    outputs
        .filter_map(|o| match o {
            Output::Column(at) => Some(at),
            Output::Everything(_)
            | Output::Aggregate(..)
            | Output::Rows(_)
            | Output::Different(_)
            | Output::Metric(_) => None,
        })
        .collect()
}

/// What rows are grouped by; none when they aren't.
pub(super) fn groups(schema: &Schema<'_>, sketch: &Sketch) -> Result<Option<Vec<Group>>, String> {
    let columns = plain(sketch);
    let measures = sketch.outputs.len() > columns.len()
        && !sketch.outputs.iter().any(|o| matches!(o, Output::Everything(_)));
    let sized = |size: &Size| !matches!(size, Size::Column(_));
    let by_size = sketch.order.iter().any(|(size, _)| sized(size)) || !sketch.having.is_empty();
    if !sketch.groups.is_empty() && (measures || by_size) {
        return Ok(Some(sketch.groups.clone()));
    }
    if !by_size && (columns.is_empty() || !measures) {
        return Ok(None);
    }
    if columns.is_empty() {
        return Err("it isn't clear what the groups are".to_owned());
    }
    let counted = counted_tables(sketch);
    let owner = &columns.first().map(|c| c.table.clone()).unwrap_or_default();
    let one_owner = columns.iter().all(|c| c.table == *owner);
    let itself = counted.iter().all(|t| t == owner);
    let counts = sketch.having.is_empty();
    let told =
        described(schema, &columns) || (!counts && sketch.about.as_deref() == Some(owner.as_str()));
    if one_owner && !itself && !schema.key(owner).is_empty() && told {
        return Ok(Some(vec![Group::Rows(owner.clone())]));
    }
    Ok(Some(columns.into_iter().map(|c| Group::Column(c.clone())).collect()))
}

/// Tells whether columns describe one row of their table each, rather than a kind of rows.
pub(super) fn described(schema: &Schema<'_>, columns: &[&ColumnRef]) -> bool {
    columns.iter().any(|at| {
        schema.is_unique(at)
            || schema.naming(&at.table).iter().any(|n| same(n, at))
            || matches!(schema.key(&at.table).as_slice(), [only] if same(only, at))
    })
}

fn counted_tables(sketch: &Sketch) -> Vec<String> {
    let of_size = |size: &Size| match size {
        Size::Rows(table) => table.clone(),
        Size::Aggregate(_, at) | Size::Column(at) => at.table.clone(),
        Size::Metric(metric) => metric.tables.first().cloned().unwrap_or_default(),
    };
    let outputs = sketch.outputs.iter().filter_map(|o| match o {
        Output::Rows(table) => Some(table.clone()),
        Output::Aggregate(_, at) | Output::Different(at) => Some(at.table.clone()),
        Output::Metric(metric) => metric.tables.first().cloned(),
        Output::Column(_) | Output::Everything(_) => None,
    });
    let orders = sketch.order.iter().filter(|(s, _)| !matches!(s, Size::Column(_)));
    outputs
        .chain(orders.map(|(size, _)| of_size(size)))
        .chain(sketch.having.iter().map(|(size, ..)| of_size(size)))
        .collect()
}

impl Builder<'_> {
    pub(super) fn plan(&self) -> Result<Plan, String> {
        let tables = self.tables();
        let path = connect(self.schema, &tables)?;
        let mut plan = Plan {
            tables: path.tables.clone(),
            joins: path.joins(),
            assumptions: self.sketch.assumptions.clone(),
            limit: self.sketch.limit,
            ..Plan::default()
        };
        self.add_outputs(&mut plan, &path);
        self.add_groups(&mut plan);
        plan.filters = self.filters()?;
        for (size, by, number) in &self.sketch.having {
            let right = Operand::Value(number_value(number)?);
            plan.having.push(Condition::Compare { left: size_term(size), by: *by, right });
        }
        if self.groups.is_none() && plan.dimensions.is_empty() && plan.limit.is_some() {
            self.only_the_first(&mut plan)?;
            return Ok(plan);
        }
        for (size, descending) in &self.sketch.order {
            plan.order.push(Order { term: size_term(size), descending: *descending });
        }
        plan.distinct = self.groups.is_none() && self.distinct(&path);
        plan.grain = self.grain();
        if plan.dimensions.is_empty() && plan.measures.is_empty() {
            return Err("it isn't clear what to put out".to_owned());
        }
        Ok(plan)
    }

    /// "How many bookings are there of the largest room": the extreme chooses the room first.
    fn only_the_first(&self, plan: &mut Plan) -> Result<(), String> {
        let [(Size::Column(at), descending)] = self.sketch.order.as_slice() else {
            return Err("it isn't clear what comes first".to_owned());
        };
        let key = self.schema.key(&at.table);
        let ([key], true) = (key.as_slice(), plan.tables.len() > 1) else {
            return Err("it isn't clear what comes first".to_owned());
        };
        let inner = Plan {
            tables: vec![at.table.clone()],
            dimensions: vec![Term::Column(key.clone())],
            order: vec![Order { term: Term::Column(at.clone()), descending: *descending }],
            limit: plan.limit.take(),
            ..Plan::default()
        };
        plan.filters.push(Condition::Compare {
            left: Term::Column(key.clone()),
            by: Comparison::In,
            right: Operand::Plan(Box::new(inner)),
        });
        Ok(())
    }

    /// All tables that play a part, the one in question first.
    fn tables(&self) -> Vec<String> {
        let mut tables: Vec<String> = Vec::new();
        let mut add = |table: &str| {
            if !tables.iter().any(|t| t.eq_ignore_ascii_case(table)) {
                tables.push(table.to_owned());
            }
        };
        for output in &self.sketch.outputs {
            match output {
                Output::Column(at) | Output::Aggregate(_, at) | Output::Different(at) => {
                    add(&at.table);
                }
                Output::Everything(table) | Output::Rows(table) => add(table),
                Output::Metric(metric) => metric.tables.iter().for_each(|t| add(t)),
            }
        }
        self.sketch.about.iter().for_each(|t| add(t));
        for group in self.groups.iter().flatten() {
            match group {
                Group::Rows(table) => add(table),
                Group::Column(at) => add(&at.table),
            }
        }
        for filter in &self.sketch.filters {
            match filter {
                Filter::Is(at, _) => add(&at.table),
                Filter::Missing { of, .. } => add(of),
            }
        }
        let sizes = self.sketch.order.iter().map(|(s, _)| s);
        for size in sizes.chain(self.sketch.having.iter().map(|(s, ..)| s)) {
            match size {
                Size::Rows(table) => add(table),
                Size::Aggregate(_, at) | Size::Column(at) => add(&at.table),
                Size::Metric(metric) => metric.tables.iter().for_each(|t| add(t)),
            }
        }
        self.sketch.related.iter().filter(|t| !self.is_missing(t)).for_each(|t| add(t));
        tables
    }

    /// "Students who have no cat as a pet": who must not have a partner needs none elsewhere.
    fn is_missing(&self, related: &str) -> bool {
        self.sketch.filters.iter().any(|filter| match filter {
            Filter::Is(..) => false,
            Filter::Missing { table, with, .. } => {
                table.eq_ignore_ascii_case(related)
                    || with.iter().any(|(at, _)| at.table.eq_ignore_ascii_case(related))
            }
        })
    }

    fn add_outputs(&self, plan: &mut Plan, path: &Path) {
        for output in &self.sketch.outputs {
            match output {
                Output::Column(at) => plan.dimensions.push(Term::Column(at.clone())),
                Output::Everything(_) => plan.dimensions.push(Term::Star),
                Output::Aggregate(function, at) => {
                    plan.measures.push(measure(*function, Term::Column(at.clone()), false));
                }
                Output::Different(at) => {
                    plan.measures.push(measure(Aggregate::Count, Term::Column(at.clone()), true));
                }
                Output::Rows(table) => plan.measures.push(self.count(table, path)),
                Output::Metric(metric) => plan.measures.push(Measure {
                    term: Term::Sql(metric.formula.clone()),
                    alias: metric.name.clone(),
                    metric: Some(metric.name.clone()),
                }),
            }
        }
    }

    /// Counts the rows of a table, each once even where joins repeat it.
    fn count(&self, table: &str, path: &Path) -> Measure {
        let key = self.schema.key(table);
        match key.as_slice() {
            [one] if self.groups.is_none() && path.multiplies(table) => {
                measure(Aggregate::Count, Term::Column(one.clone()), true)
            }
            _ => measure(Aggregate::Count, Term::Star, false),
        }
    }

    fn add_groups(&self, plan: &mut Plan) {
        let grouped = self.groups.as_deref().unwrap_or_default();
        let mut put = 0;
        for group in grouped {
            match group {
                Group::Column(at) => {
                    let term = Term::Column(at.clone());
                    if plan.dimensions.contains(&term) {
                        plan.group_by.push(term);
                    } else if !plan.measures.is_empty() && self.sketch.limit.is_none() {
                        plan.dimensions.insert(put, term.clone());
                        put += 1;
                        plan.group_by.push(term);
                    } else {
                        plan.group_by.push(term);
                    }
                }
                Group::Rows(table) => {
                    let key = self.schema.key(table);
                    let named = plan.dimensions.iter().any(|t| {
                        matches!(t, Term::Column(at) if at.table.eq_ignore_ascii_case(table)
                            || self.schema.points_to(at, table))
                    });
                    let naming = self.schema.naming(table);
                    if !named {
                        let shown = if naming.is_empty() { key.clone() } else { naming.clone() };
                        for (n, at) in shown.into_iter().enumerate() {
                            plan.dimensions.insert(n, Term::Column(at));
                        }
                    }
                    let by = if key.is_empty() { naming } else { key };
                    plan.group_by.extend(by.into_iter().map(Term::Column));
                }
            }
        }
    }

    /// Rows that joins repeat are put out once.
    fn distinct(&self, path: &Path) -> bool {
        let columns = plain(self.sketch);
        let owner = columns.first().map_or("", |c| c.table.as_str());
        let one = !columns.is_empty() && columns.iter().all(|c| c.table == owner);
        self.sketch.distinct || (one && self.sketch.order.is_empty() && path.multiplies(owner))
    }

    fn grain(&self) -> String {
        let name = |group: &Group| match group {
            Group::Rows(table) => table.clone(),
            Group::Column(at) => at.to_string(),
        };
        match &self.groups {
            Some(groups) => {
                format!("one row per {}", groups.iter().map(name).collect::<Vec<_>>().join(" and "))
            }
            None if plain(self.sketch).is_empty()
                && !matches!(self.sketch.outputs.first(), Some(Output::Everything(_))) =>
            {
                "one row".to_owned()
            }
            None => match &self.sketch.about {
                Some(table) => format!("one row per {table}"),
                None => "one row per row of the table".to_owned(),
            },
        }
    }
}

fn measure(function: Aggregate, of: Term, distinct: bool) -> Measure {
    let term = Term::Aggregate { function, of: Box::new(of), distinct };
    Measure { term, alias: String::new(), metric: None }
}

fn size_term(size: &Size) -> Term {
    match size {
        Size::Rows(_) => Term::Aggregate {
            function: Aggregate::Count,
            of: Box::new(Term::Star),
            distinct: false,
        },
        Size::Aggregate(function, at) => Term::Aggregate {
            function: *function,
            of: Box::new(Term::Column(at.clone())),
            distinct: false,
        },
        Size::Column(at) => Term::Column(at.clone()),
        Size::Metric(metric) => Term::Sql(metric.formula.clone()),
    }
}

fn number_value(text: &str) -> Result<Value, String> {
    text.parse::<i64>()
        .map(Value::Integer)
        .or_else(|_| text.parse::<f64>().map(Value::Real))
        .map_err(|_| format!("{text} is no number"))
}
