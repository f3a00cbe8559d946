//! Windows in words: which rows a function looks at, in which order, and how far.

use sqlparser::ast::{
    NamedWindowExpr, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use super::{Teller, listed};

/// Most windows that are named after each other.
const CHAIN: usize = 8;

impl<'a> Teller<'a> {
    /// Says over which rows a call looks; none for what has no words.
    pub(super) fn window(&mut self, over: &'a WindowType) -> Option<String> {
        let mut specs = Vec::new();
        let mut name = match over {
            WindowType::WindowSpec(spec) => {
                specs.push(spec);
                spec.window_name.as_ref()
            }
            WindowType::NamedWindow(name) => Some(name),
        };
        while let Some(wanted) = name {
            let select = self.selects.last()?.select;
            let mut defined = select.named_window.iter();
            let found = defined.find(|d| d.0.value.eq_ignore_ascii_case(&wanted.value))?;
            name = match &found.1 {
                NamedWindowExpr::NamedWindow(name) => Some(name),
                NamedWindowExpr::WindowSpec(spec) => {
                    specs.push(spec);
                    spec.window_name.as_ref()
                }
            };
            if specs.len() > CHAIN {
                return None;
            }
        }
        Some(self.spec(&specs))
    }

    /// A window and those that it builds on: each part comes from the first that has it.
    fn spec(&mut self, specs: &[&'a WindowSpec]) -> String {
        let keys = specs.iter().map(|spec| &spec.partition_by).find(|keys| !keys.is_empty());
        let order = specs.iter().map(|spec| &spec.order_by).find(|keys| !keys.is_empty());
        let frame = specs.iter().find_map(|spec| spec.window_frame.as_ref());
        let mut told = match keys {
            None => "over all rows".to_owned(),
            Some(keys) => {
                let keys: Vec<String> = keys.iter().map(|key| self.value(key)).collect();
                format!("over the rows of the same {}", listed(&keys))
            }
        };
        if let Some(order) = order {
            told.push_str(&format!(" in order of {}", self.in_order(order)));
        }
        if let Some(frame) = frame {
            let frame = self.frame(frame);
            told.push_str(&frame);
        }
        told
    }

    fn frame(&mut self, frame: &'a WindowFrame) -> String {
        let units = match frame.units {
            WindowFrameUnits::Rows => "rows",
            WindowFrameUnits::Range => "values",
            WindowFrameUnits::Groups => "groups of equal rows",
        };
        let start = self.bound(&frame.start_bound, "the first");
        let end = match &frame.end_bound {
            Some(bound) => self.bound(bound, "the last"),
            // a frame that says only where it starts ends at the row itself
            None => "this one".to_owned(),
        };
        format!(", taking the {units} from {start} to {end}")
    }

    fn bound(&mut self, bound: &'a WindowFrameBound, end: &str) -> String {
        match bound {
            WindowFrameBound::CurrentRow => "this one".to_owned(),
            WindowFrameBound::Preceding(Some(n)) => format!("{} before", self.value(n)),
            WindowFrameBound::Following(Some(n)) => format!("{} after", self.value(n)),
            WindowFrameBound::Preceding(None) | WindowFrameBound::Following(None) => end.to_owned(),
        }
    }
}
