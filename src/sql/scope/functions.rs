//! Function calls: whether the engine has them, their arguments, and aggregates in wrong places.

use sqlparser::ast::{
    DuplicateTreatment, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, NamedWindowExpr, OrderByExpr, Select, WindowSpec, WindowType,
};

use crate::domain::counts::count;
use crate::domain::{Dialect, Span};

use super::super::nearest::{nearest, the_one_close};
use super::super::{foreign, functions};
use super::binder::Binder;
use super::exprs::{Aggregates, Here};
use super::facts::{AggregateUse, Clause};
use super::from::last_ident;
use super::parts::argument;

impl Binder<'_> {
    /// Binds a call with everything in it.
    pub(super) fn function(&mut self, call: &Function, here: Here) {
        let Some(ident) = last_ident(&call.name) else { return };
        let name = ident.value.to_ascii_lowercase();
        let list = if let FunctionArguments::List(list) = &call.args { Some(list) } else { None };
        let count = list.map_or(0, |list| list.args.len());
        let aggregate = functions::is_aggregate(&name, count, self.dialect);
        let window = call.over.is_some();
        if call.name.0.len() > 1 && self.dialect == Dialect::Sqlite {
            let span = self.span(&call.name);
            let message = "syntax error: SQLite's functions have no qualifier".to_owned();
            self.report("syntax_error", message, span, Vec::new());
        } else {
            self.check_known(&name, ident.quote_style.is_some(), call, count);
        }
        let inner = match here.aggregates {
            _ if aggregate && !window => Here { aggregates: Aggregates::Inside, ..here },
            _ => here,
        };
        let seen = self.out.columns.len();
        if let Some(list) = list {
            // the unit of TIMESTAMPDIFF(DAY, a, b) is a bare word
            let units = usize::from(self.dialect == Dialect::Mysql && takes_unit(&name));
            for arg in list.args.iter().skip(units).filter_map(argument) {
                self.expr(arg, inner);
            }
            for clause in &list.clauses {
                if let FunctionArgumentClause::OrderBy(keys) = clause {
                    self.sort_keys(keys, inner);
                }
            }
        }
        if let FunctionArguments::Subquery(query) = &call.args {
            self.subquery(query, here);
        }
        self.sort_keys(&call.within_group, inner);
        if let Some(filter) = &call.filter {
            self.expr(filter, Here { conditional: true, ..inner });
        }
        if let Some(WindowType::WindowSpec(spec)) = &call.over {
            self.window(spec, here);
        }
        if aggregate {
            self.aggregate(call, &name, here, seen);
        }
        if window && here.aggregates != Aggregates::Allowed {
            let span = self.call_span(call);
            let place = super::report::clause_name(here.clause);
            let message = format!("the window function {name} can't be used in {place}");
            self.report("misuse_of_window", message, span, Vec::new());
        }
    }

    fn sort_keys(&mut self, keys: &[OrderByExpr], here: Here) {
        for key in keys {
            self.expr(&key.expr, here);
        }
    }

    fn window(&mut self, spec: &WindowSpec, here: Here) {
        for part in &spec.partition_by {
            self.expr(part, here);
        }
        self.sort_keys(&spec.order_by, here);
    }

    /// Binds the windows that a SELECT names.
    pub(super) fn named_windows(&mut self, select: &Select, scope: usize) {
        for definition in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &definition.1 {
                self.window(spec, Here::new(scope, Clause::Output));
            }
        }
    }

    /// Records an aggregate, and reports it where none may stand.
    fn aggregate(&mut self, call: &Function, name: &str, here: Here, seen: usize) {
        let span = self.call_span(call).unwrap_or_default();
        let list = if let FunctionArguments::List(list) = &call.args { Some(list) } else { None };
        let first = list.and_then(|list| list.args.first()).and_then(argument);
        let distinct =
            list.and_then(|l| l.duplicate_treatment) == Some(DuplicateTreatment::Distinct);
        let window = call.over.is_some();
        // an aggregate over columns of an outer SELECT alone belongs to that one
        let uses = self.out.columns.get(seen..).unwrap_or_default();
        let scopes: Vec<usize> = uses.iter().filter_map(|used| Some(used.relation?.0)).collect();
        let foreign = scopes.first().copied().filter(|_| !scopes.contains(&here.scope));
        match foreign.and_then(|scope| self.frames.iter().find(|frame| frame.scope == scope)) {
            _ if window => {}
            None => self.check_place(span, here),
            Some(owner) if matches!(owner.now, Clause::Where | Clause::From | Clause::GroupBy) => {
                let owner = Here::no_aggregates(owner.scope, owner.now);
                self.check_place(span, owner);
            }
            Some(_) => {}
        }
        let found = AggregateUse {
            function: name.to_owned(),
            span,
            argument: first.and_then(|expr| self.expr_span(expr)),
            column: first.and_then(|expr| self.column_of(expr)),
            distinct,
            filtered: call.filter.is_some(),
            window,
            clause: here.clause,
        };
        if self.quiet == 0 {
            self.scope_mut(here.scope, |s| s.aggregates.push(found));
        }
    }

    fn check_place(&mut self, span: Span, here: Here) {
        let call = span.of(self.text).to_owned();
        let message = match here.aggregates {
            Aggregates::Allowed => return,
            Aggregates::Inside => {
                format!("the aggregate {call} stands inside another aggregate; use a subquery")
            }
            Aggregates::Forbidden => match here.clause {
                Clause::Where => format!(
                    "the aggregate {call} can't be used in WHERE; conditions on groups go to HAVING"
                ),
                clause => {
                    let place = super::report::clause_name(clause);
                    format!("the aggregate {call} can't be used in {place}")
                }
            },
        };
        self.report("misuse_of_aggregate", message, Some(span), Vec::new());
    }

    /// Reports an aggregate in ORDER BY of a SELECT that groups nothing (SQLite refuses it).
    pub(super) fn check_order_aggregates(&mut self, scope: usize, aggregated: bool) {
        let Some(bound) = self.out.scopes.get(scope) else { return };
        if aggregated || !bound.group_by.is_empty() || self.dialect != Dialect::Sqlite {
            return;
        }
        let late = bound.aggregates.iter().find(|a| a.clause == Clause::OrderBy && !a.window);
        let Some(span) = late.map(|aggregate| aggregate.span) else { return };
        let call = span.of(self.text);
        let message = format!("the aggregate {call} in ORDER BY needs a GROUP BY");
        self.report("misuse_of_aggregate", message, Some(span), Vec::new());
    }

    fn check_known(&mut self, name: &str, quoted: bool, call: &Function, count: usize) {
        let Some(known) = functions::known(self.dialect) else { return };
        if quoted || call.uses_odbc_syntax || call.name.0.len() > 1 {
            return;
        }
        let span = last_ident(&call.name).and_then(|ident| self.ident_span(ident));
        if let Some(limits) = functions::limits(name, self.dialect) {
            self.check_arguments(name, limits, call, count);
        } else if functions::is_closed(self.dialect) {
            let near: Vec<String> =
                nearest(name, known).into_iter().take(3).map(|(n, _)| n.to_owned()).collect();
            let help = match (functions::sqlite_way(name), near.first()) {
                (Some(way), _) => format!(": {way}"),
                (None, Some(near)) => format!(". Did you mean {near}?"),
                (None, None) => String::new(),
            };
            let message = format!("{} has no function '{name}'{help}", self.dialect.name());
            self.report("no_such_function", message, span, near);
        } else if let Some(meant) = the_one_close(name, known)
            && !foreign::is_known(name)
        {
            // people and extensions add functions, so that only a slip is surely none
            let message =
                format!("{} has no function '{name}'. Did you mean {meant}?", self.dialect.name());
            self.report("no_such_function", message, span, vec![meant.to_owned()]);
        }
    }

    fn check_arguments(
        &mut self,
        name: &str,
        limits: (usize, usize),
        call: &Function,
        count: usize,
    ) {
        let (least, most) = limits;
        let span = last_ident(&call.name).and_then(|ident| self.ident_span(ident));
        let counted = matches!(call.args, FunctionArguments::List(_));
        let alone = self.dialect == Dialect::Sqlite && count != 1;
        let message = if least > 0 && takes_star(call) {
            format!("{name} takes {}, not *", arguments(least, most))
        } else if counted && alone && is_distinct(call) {
            format!("{name} takes one argument after DISTINCT, not {count}")
        } else if counted && (count < least || count > most) && !foreign::is_known(name) {
            format!("{name} takes {}, not {count}", arguments(least, most))
        } else {
            return;
        };
        self.report("wrong_argument_count", message, span, Vec::new());
    }
}

/// Tells whether a function of MySQL takes a unit of time first.
fn takes_unit(name: &str) -> bool {
    matches!(name, "timestampdiff" | "timestampadd" | "get_format")
}

fn is_distinct(call: &Function) -> bool {
    matches!(&call.args, FunctionArguments::List(list)
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

fn takes_star(call: &Function) -> bool {
    let FunctionArguments::List(list) = &call.args else { return false };
    let star = |arg: &FunctionArg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Wildcard));
    list.args.iter().any(star)
}

fn arguments(least: usize, most: usize) -> String {
    match (least, most) {
        (least, most) if least == most => count(least, "argument"),
        (least, usize::MAX) => format!("at least {}", count(least, "argument")),
        (least, most) => format!("{least} to {most} arguments"),
    }
}
