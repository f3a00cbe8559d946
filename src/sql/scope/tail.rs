//! ORDER BY, GROUP BY keys, HAVING and LIMIT.

use sqlparser::ast::{Expr, LimitClause, OrderByExpr, OrderByKind, OrderBySort, Query, Value};

use crate::domain::counts::count;
use crate::domain::{Dialect, Span};

use super::binder::{Binder, Bound, Frame};
use super::exprs::Here;
use super::facts::{Clause, Key, Tail};
use super::parts::bare;

impl Binder<'_> {
    /// Binds ORDER BY and LIMIT of a query whose body is one SELECT, still in its frame.
    pub(super) fn order_and_limit(&mut self, query: &Query, scope: usize) {
        let mut keys = Vec::new();
        for (expr, descending) in sort_keys(query) {
            keys.extend(self.key(expr, scope, Clause::OrderBy, descending));
        }
        let mut tail = self.limit(query, Some(scope));
        tail.order_by = keys;
        self.scope_mut(scope, |s| s.tail = tail);
    }

    /// Binds ORDER BY and LIMIT of a set operation: keys are output columns of one of its arms.
    pub(super) fn set_tail(&mut self, query: &Query, bound: &Bound) {
        let mut tail = self.limit(query, bound.scope);
        for (expr, descending) in sort_keys(query) {
            let span = self.expr_span(expr).unwrap_or_default();
            let output = self.set_key(expr, bound);
            let known = !matches!(output, Ok(None));
            if !known && self.dialect == Dialect::Sqlite {
                let words = span.of(self.text);
                let message =
                    format!("ORDER BY {words} matches no output column of the set operation");
                self.report("order_by_term", message, Some(span), Vec::new());
            }
            let output = output.unwrap_or(None);
            let columns = bound.columns.as_deref().unwrap_or_default();
            let at = output.and_then(|at| columns.get(at)).and_then(|column| column.at.clone());
            tail.order_by.push(Key { span, at, output, descending });
        }
        if self.frames.is_empty() && self.depth <= 1 {
            self.out.tail = tail;
        }
    }

    /// Finds the output column that a key of a set operation names. `Err` means: can't tell.
    fn set_key(&mut self, expr: &Expr, bound: &Bound) -> Result<Option<usize>, ()> {
        let Some(columns) = &bound.columns else { return Err(()) };
        if let Some(position) = position(expr) {
            return Ok(Some(position)).map(|at| at.filter(|at| *at < columns.len()));
        }
        let Expr::Identifier(ident) = bare(expr) else { return self.in_some_arm(expr, bound) };
        let name = ident.value.to_ascii_lowercase();
        let found = columns.iter().position(|column| column.name.eq_ignore_ascii_case(&name));
        if found.is_some() {
            return Ok(found);
        }
        for arm in &bound.arms {
            let outputs = self.out.scopes.get(*arm).map_or(&[][..], |scope| &scope.outputs);
            if outputs.iter().any(|output| output.star) {
                return Err(());
            }
            let found = outputs.iter().position(|out| out.name.eq_ignore_ascii_case(&name));
            if found.is_some() {
                return Ok(found);
            }
        }
        self.in_some_arm(expr, bound)
    }

    /// Binds a key as an expression of the first arm, without reporting.
    fn in_some_arm(&mut self, expr: &Expr, bound: &Bound) -> Result<Option<usize>, ()> {
        for arm in bound.arms.clone() {
            let now = Clause::OrderBy;
            self.frames.push(Frame { scope: arm, merged: Vec::new(), aliases: true, now });
            self.quiet += 1;
            let here = Here::new(arm, Clause::OrderBy);
            self.expr(expr, here);
            let known = match bare(expr) {
                Expr::Identifier(ident) => {
                    ident.quote_style == Some('"')
                        || self.look_up(None, &ident.value, here) != super::names::Found::Nothing
                }
                _ => true,
            };
            self.quiet -= 1;
            self.frames.pop();
            if known {
                return Err(());
            }
        }
        Ok(None)
    }

    /// Binds one key of ORDER BY or GROUP BY.
    pub(super) fn key(
        &mut self,
        expr: &Expr,
        scope: usize,
        clause: Clause,
        descending: bool,
    ) -> Option<Key> {
        let span = self.expr_span(expr)?;
        if let Some(at) = position(expr) {
            self.check_position(at, span, scope, clause);
            return Some(Key {
                span,
                at: self.output_column(scope, at),
                output: Some(at),
                descending,
            });
        }
        let here = match clause {
            Clause::GroupBy => Here::no_aggregates(scope, clause),
            _ => Here { sort_key: true, ..Here::new(scope, clause) },
        };
        let here = Here { sort_key: here.sort_key && is_word(expr), ..here };
        self.expr(expr, here);
        let output = self.named_output(expr, scope, span);
        let at = self.column_of(expr).or_else(|| self.output_column(scope, output?));
        Some(Key { span, at, output, descending })
    }

    /// Finds the output that a key names by alias, or repeats word for word.
    fn named_output(&self, expr: &Expr, scope: usize, span: Span) -> Option<usize> {
        let outputs = &self.out.scopes.get(scope)?.outputs;
        let written = span.of(self.text);
        if let Expr::Identifier(ident) = bare(expr) {
            let by_alias = |name: &str| name.eq_ignore_ascii_case(&ident.value);
            if let Some(at) = outputs.iter().position(|out| out.aliased && by_alias(&out.name)) {
                return Some(at);
            }
        }
        let column = self.column_of(expr);
        outputs.iter().position(|out| {
            let same = out.span.of(self.text).eq_ignore_ascii_case(written);
            !out.star && (same || column.is_some() && out.at == column)
        })
    }

    fn check_position(&mut self, at: usize, span: Span, scope: usize, clause: Clause) {
        let outputs = self.out.scopes.get(scope).map_or(&[][..], |scope| &scope.outputs);
        if outputs.iter().any(|output| output.star) || at < outputs.len() {
            return;
        }
        let message = format!(
            "{} {} points past the {}",
            super::report::clause_name(clause),
            span.of(self.text),
            count(outputs.len(), "output column")
        );
        self.report("position_out_of_range", message, Some(span), Vec::new());
    }

    pub(super) fn having(&mut self, having: &Expr, scope: usize, aggregated: bool) {
        let span = self.expr_span(having);
        self.scope_mut(scope, |s| s.having = span);
        self.expr(having, Here::new(scope, Clause::Having));
        let grouped = self.out.scopes.get(scope).is_some_and(|s| !s.group_by.is_empty());
        if !grouped && !aggregated && self.dialect == Dialect::Sqlite {
            let message = "HAVING needs a GROUP BY, or an aggregate in the output".to_owned();
            self.report("having_without_group", message, span, Vec::new());
        }
    }

    /// Reports a name in LIMIT, where no column can be seen.
    fn column_in_limit(&mut self, expr: &Expr) {
        let span = self.expr_span(expr).unwrap_or_default();
        let written = span.of(self.text);
        if !written.starts_with('"') {
            let message = format!("column '{written}' can't be used in LIMIT: write a number");
            self.report("no_such_column", message, Some(span), Vec::new());
        }
    }

    fn limit(&mut self, query: &Query, parent: Option<usize>) -> Tail {
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref()), None),
        };
        for expr in limit.into_iter().chain(offset) {
            if is_word(expr) && self.dialect == Dialect::Sqlite {
                self.column_in_limit(expr);
                continue;
            }
            self.loose_expr(expr, parent.filter(|_| !self.frames.is_empty()));
        }
        Tail {
            order_by: Vec::new(),
            limit: limit.and_then(whole_number),
            offset: offset.and_then(whole_number),
            limit_span: limit.and_then(|expr| self.expr_span(expr)),
        }
    }
}

fn sort_keys(query: &Query) -> Vec<(&Expr, bool)> {
    let Some(order) = &query.order_by else { return Vec::new() };
    let OrderByKind::Expressions(keys) = &order.kind else { return Vec::new() };
    let descends = |key: &OrderByExpr| matches!(key.options.sort, Some(OrderBySort::Desc));
    keys.iter().map(|key| (&key.expr, descends(key))).collect()
}

/// Returns the output column, from 0, that a plain number stands for.
fn position(expr: &Expr) -> Option<usize> {
    usize::try_from(whole_number(expr)?).ok()?.checked_sub(1)
}

fn is_word(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Identifier(_))
}

fn whole_number(expr: &Expr) -> Option<u64> {
    let Expr::Value(value) = bare(expr) else { return None };
    if let Value::Number(digits, _) = &value.value { digits.parse().ok() } else { None }
}
