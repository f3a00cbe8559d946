//! Turns the conditions of a sketch into those of a plan: plain, joined by OR, missing rows, metrics.

use crate::domain::plan::{Comparison, Condition, Operand, Term};
use crate::domain::{ColumnRef, Plan};

use super::build::Builder;
use super::path::connect;
use super::schema::same;
use super::sketch::{Filter, Output, Size};

impl Builder<'_> {
    pub(super) fn filters(&self) -> Result<Vec<Condition>, String> {
        let mut conditions = Vec::new();
        let chained: Vec<usize> = self.sketch.either.iter().flatten().copied().collect();
        for (n, filter) in self.sketch.filters.iter().enumerate() {
            match filter {
                Filter::Is(_, condition) if !chained.contains(&n) => {
                    conditions.push(condition.clone());
                }
                Filter::Is(..) => {}
                Filter::Missing { of, table, with } => {
                    conditions.push(self.missing(of, table, with)?);
                }
            }
        }
        conditions.extend(self.metric_filters()?);
        for chain in &self.sketch.either {
            let mut any = Vec::new();
            for n in chain {
                match self.sketch.filters.get(*n) {
                    Some(Filter::Is(_, condition)) => any.push(condition.clone()),
                    _ => return Err("\"or\" joins conditions that can't be joined here".to_owned()),
                }
            }
            conditions.push(Condition::Any(any));
        }
        Ok(conditions)
    }

    /// The conditions that go with metrics; two metrics must agree, as a query has one WHERE.
    fn metric_filters(&self) -> Result<Vec<Condition>, String> {
        let outputs = self.sketch.outputs.iter().filter_map(|o| match o {
            Output::Metric(metric) => Some(metric),
            Output::Column(_)
            | Output::Everything(_)
            | Output::Aggregate(..)
            | Output::Rows(_)
            | Output::Different(_) => None,
        });
        let sizes = self.sketch.order.iter().filter_map(|(size, _)| match size {
            Size::Metric(metric) => Some(metric),
            Size::Rows(_) | Size::Aggregate(..) | Size::Column(_) => None,
        });
        let mut filters: Vec<Option<&String>> =
            outputs.chain(sizes).map(|metric| metric.filter.as_ref()).collect();
        let measures = self.sketch.outputs.iter().filter(|o| {
            matches!(o, Output::Aggregate(..) | Output::Rows(_) | Output::Different(_))
        });
        let others = measures.count();
        filters.dedup();
        match filters.as_slice() {
            [] | [None] => Ok(Vec::new()),
            [Some(filter)] if others == 0 => Ok(vec![Condition::Sql((*filter).clone())]),
            _ => Err("the metrics count different rows".to_owned()),
        }
    }

    /// `key NOT IN (SELECT key FROM table …)`.
    fn missing(
        &self,
        of: &str,
        table: &str,
        with: &[(ColumnRef, Condition)],
    ) -> Result<Condition, String> {
        self.partner(of, table, with, Comparison::NotIn)
    }

    pub(super) fn partner(
        &self,
        of: &str,
        table: &str,
        with: &[(ColumnRef, Condition)],
        by: Comparison,
    ) -> Result<Condition, String> {
        let mut tables = vec![of.to_owned(), table.to_owned()];
        tables.extend(with.iter().map(|(at, _)| at.table.clone()));
        let path = connect(self.schema, &tables)?;
        let (rest, key) = path.without(of).ok_or("what is missing can't be told from its keys")?;
        let holds = key.from_table.eq_ignore_ascii_case(of);
        let (mine, theirs) = match (key.from_columns.as_slice(), key.to_columns.as_slice()) {
            ([from], [to]) if holds => (from, ColumnRef::new(&key.to_table, to)),
            ([from], [to]) => (to, ColumnRef::new(&key.from_table, from)),
            _ => return Err(format!("the key between {of} and {table} has several columns")),
        };
        let left = Term::Column(ColumnRef::new(of, mine));
        if holds && with.is_empty() && rest.tables.len() == 1 && by == Comparison::NotIn {
            return Ok(Condition::Null { left, not: false });
        }
        let mut filters: Vec<Condition> = with.iter().map(|(_, c)| c.clone()).collect();
        let nullable = self.schema.column(&theirs).is_some_and(|c| !c.not_null && !c.primary);
        let nulls =
            self.schema.facts.statistics.iter().any(|s| same(&s.at, &theirs) && s.nulls > 0);
        if nullable && nulls {
            // One NULL in the list would make NOT IN false for every row.
            filters.push(Condition::Null { left: Term::Column(theirs.clone()), not: true });
        }
        let inner = Plan {
            tables: rest.tables.clone(),
            joins: rest.joins(),
            dimensions: vec![Term::Column(theirs)],
            filters,
            ..Plan::default()
        };
        Ok(Condition::Compare { left, by, right: Operand::Plan(Box::new(inner)) })
    }
}
