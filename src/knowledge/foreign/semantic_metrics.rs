//! dbt metrics: simple ones, ratios and derived ones over measures of one table become formulas.

use std::collections::BTreeMap;

use crate::domain::knowledge::Metric;

use super::figure::{Figure, Measure, made_of};
use super::semantic::{Model, Named};
use super::yaml::Node;
use super::{Import, dbt, one_line, template};

/// Why a metric can't be carried over, in words.
type Lost = String;

/// Reads the metrics of all documents; measures that no metric names stand for themselves.
pub(super) fn read(documents: &[(&str, Node)], models: &[Model], import: &mut Import) {
    let mut nodes: Vec<(&str, &Node)> = Vec::new();
    for (file, document) in documents {
        nodes.extend(document.items_of("metrics").iter().map(|node| (*file, node)));
        for model in document.items_of("models") {
            nodes.extend(model.items_of("metrics").iter().map(|node| (*file, node)));
        }
    }
    let names = nodes.iter().filter_map(|(_, node)| Some((node.text_of("name")?, *node)));
    let book = Book { models, metrics: names.collect() };
    for (file, node) in nodes {
        file.clone_into(&mut import.file);
        match book.metric(node, import) {
            Ok(metric) => {
                if let Some(label) = node.text_of("label") {
                    import.synonym(label, &metric.name);
                }
                import.metric(node, metric);
            }
            Err(why) => {
                let name = node.text_of("name").unwrap_or("?");
                import.lose(node, format!("metric {name}: {why}"));
            }
        }
    }
    for named in models.iter().flat_map(|model| &model.measures) {
        let known = import.known.metrics.iter().any(|metric| metric.name == named.name);
        let said = book.metrics.contains_key(named.name.as_str()) || known;
        if let Some(metric) = of_measure(named).filter(|_| !said) {
            if let Some(label) = &named.label {
                import.synonym(label, &named.name);
            }
            import.known.metrics.push(metric);
        }
    }
}

fn of_measure(named: &Named) -> Option<Metric> {
    Some(Metric {
        name: named.name.clone(),
        meaning: one_line(&named.words),
        formula: named.measure.formula(false)?,
        tables: vec![named.measure.table.clone()],
        ..Metric::default()
    })
}

/// All that a metric may be made of.
struct Book<'a> {
    models: &'a [Model],
    metrics: BTreeMap<&'a str, &'a Node>,
}

impl Book<'_> {
    fn metric(&self, node: &Node, import: &mut Import) -> Result<Metric, Lost> {
        let name = node.text_of("name").ok_or("it has no name")?;
        let meaning = dbt::words(node, name, import).unwrap_or_default();
        let mut tables = Vec::new();
        let (formula, filter) = match self.figure(node, 0, &mut tables)? {
            Figure::Measure(measure) => {
                let formula = measure.formula(false).ok_or("it is no plain aggregate")?;
                (formula, super::super::file::all_of(&measure.conditions))
            }
            Figure::Made { formula, .. } => (formula, None),
        };
        let own = self.words_of(node);
        let meaning = if meaning.is_empty() { own } else { meaning };
        Ok(Metric {
            name: name.to_owned(),
            meaning: one_line(&meaning),
            formula,
            tables,
            filter,
            ..Metric::default()
        })
    }

    /// Takes the words of the only measure where a metric has none.
    fn words_of(&self, node: &Node) -> String {
        let measure = parameter(node, "measure").and_then(name_in);
        let found = measure.and_then(|name| self.measure(name));
        found.map_or(String::new(), |named| named.words.clone())
    }

    fn measure(&self, name: &str) -> Option<&Named> {
        self.models.iter().flat_map(|model| &model.measures).find(|named| named.name == name)
    }

    /// Reads a metric as a figure; `tables` collects what it needs.
    fn figure(&self, node: &Node, depth: usize, tables: &mut Vec<String>) -> Result<Figure, Lost> {
        if depth > 8 {
            return Err("it is made of itself".to_owned());
        }
        let kind = node.text_of("type").unwrap_or("simple");
        match kind {
            "simple" => self.simple(node, tables),
            "ratio" => self.ratio(node, depth, tables),
            "derived" => self.derived(node, depth, tables),
            other => Err(format!("{other} metrics have no plain formula")),
        }
    }

    fn simple(&self, node: &Node, tables: &mut Vec<String>) -> Result<Figure, Lost> {
        let input = parameter(node, "measure");
        let name = match input {
            Some(input) => name_in(input).ok_or("its measure has no name")?,
            None => node.text_of("name").ok_or("it names no measure")?,
        };
        let named = self.measure(name).ok_or(format!("measure {name} isn't in what was read"))?;
        let mut measure: Measure = named.measure.clone();
        add_table(tables, &measure.table);
        for filters in [Some(node), input].into_iter().flatten() {
            measure.conditions.extend(self.conditions(filters, &measure.table, tables)?);
        }
        Ok(Figure::Measure(measure))
    }

    fn ratio(&self, node: &Node, depth: usize, tables: &mut Vec<String>) -> Result<Figure, Lost> {
        let part = |key: &str| parameter(node, key).ok_or(format!("it names no {key}"));
        let own = filtered(node);
        let top = self.part(part("numerator")?, own, depth, tables)?;
        let bottom = self.part(part("denominator")?, own, depth, tables)?;
        let table = one_table(&[&top, &bottom])?;
        let formula =
            top.inside().zip(bottom.inside()).ok_or("it is made of no plain aggregates")?;
        let formula = format!("1.0 * ({}) / NULLIF({}, 0)", formula.0, formula.1);
        Ok(Figure::Made { table, formula })
    }

    fn derived(&self, node: &Node, depth: usize, tables: &mut Vec<String>) -> Result<Figure, Lost> {
        let expr = parameter(node, "expr").and_then(Node::text).ok_or("it has no expr")?;
        let inputs = parameter(node, "metrics").or_else(|| node.get("input_metrics"));
        let own = filtered(node);
        let mut parts: Vec<(String, Figure)> = Vec::new();
        for input in inputs.map(Node::items).unwrap_or_default() {
            if input.get("offset_window").is_some() || input.get("offset_to_grain").is_some() {
                return Err("it compares with another period".to_owned());
            }
            let name =
                input.text_of("alias").or_else(|| name_in(input)).ok_or("an input has no name")?;
            parts.push((name.to_owned(), self.part(input, own, depth, tables)?));
        }
        let figures: Vec<&Figure> = parts.iter().map(|(_, figure)| figure).collect();
        let table = one_table(&figures)?;
        let means = |word: &str| parts.iter().find(|(name, _)| name == word)?.1.inside();
        let formula = made_of(expr, means).ok_or("a name in its expr is none of its inputs")?;
        Ok(Figure::Made { table, formula })
    }

    /// Reads a figure that another is made of, with the conditions of both.
    fn part(
        &self,
        input: &Node,
        own: &[Node],
        depth: usize,
        tables: &mut Vec<String>,
    ) -> Result<Figure, Lost> {
        let name = name_in(input).ok_or("a part has no name")?;
        let figure = match (self.metrics.get(name), self.measure(name)) {
            (Some(node), _) => self.figure(node, depth + 1, tables)?,
            (None, Some(named)) => {
                add_table(tables, &named.measure.table);
                Figure::Measure(named.measure.clone())
            }
            (None, None) => return Err(format!("{name} isn't in what was read")),
        };
        match figure {
            Figure::Measure(mut measure) => {
                measure.conditions.extend(self.conditions(input, &measure.table, tables)?);
                for node in own {
                    measure.conditions.extend(self.conditions(node, &measure.table, tables)?);
                }
                Ok(Figure::Measure(measure))
            }
            Figure::Made { .. } if own.is_empty() && input.get("filter").is_none() => Ok(figure),
            Figure::Made { .. } => Err("a filter over figures that are made of others".to_owned()),
        }
    }

    /// Reads the filters of a node as conditions.
    fn conditions(
        &self,
        node: &Node,
        table: &str,
        tables: &mut Vec<String>,
    ) -> Result<Vec<String>, Lost> {
        let mut conditions = Vec::new();
        for filter in node.items_of("filter").iter().filter_map(Node::text) {
            let mut lost = None;
            let filled = template::filled(filter, ("{{", "}}"), |inner| {
                let found = self.reference(inner, table, tables);
                if found.is_none() {
                    lost = Some(inner.to_owned());
                }
                found
            });
            let Some(text) = filled.filter(|text| !template::has_template(text)) else {
                let what = lost.unwrap_or_else(|| one_line(filter));
                return Err(format!("its filter asks for {what}, which isn't in what was read"));
            };
            conditions.push(one_line(&text));
        }
        Ok(conditions)
    }

    /// Finds what `Dimension('entity__name')` stands for: in the metric's own model first.
    fn reference(&self, text: &str, table: &str, tables: &mut Vec<String>) -> Option<String> {
        let (call, texts) = template::call(text)?;
        let named = *texts.first()?;
        if call == "Entity" {
            let own = self.models.iter().find(|model| model.table == table)?;
            let entity = own.entities.iter().find(|entity| entity.name == named)?;
            return Some(entity.of.clone());
        }
        if !matches!(call, "Dimension" | "TimeDimension") {
            return None;
        }
        let (path, name) = named.rsplit_once("__").unwrap_or(("", named));
        let last = path.rsplit("__").next().unwrap_or_default();
        let owner = |model: &&Model| {
            last.is_empty() || model.entities.iter().any(|e| e.name == last && e.names_rows())
        };
        let here = self.models.iter().filter(|model| model.table == table);
        let there = self.models.iter().filter(|model| model.table != table);
        let (model, of) = here.chain(there).filter(owner).find_map(|model| {
            let dimension = model.dimensions.iter().find(|(known, _)| known == name)?;
            Some((model, dimension.1.clone()))
        })?;
        add_table(tables, &model.table);
        Some(of)
    }
}

/// Returns what holds the filters of all parts of a metric: it itself, where it has some.
fn filtered(node: &Node) -> &[Node] {
    if node.get("filter").is_some() { std::slice::from_ref(node) } else { &[] }
}

/// Finds a parameter, wherever the version of the format puts it.
fn parameter<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    node.get("type_params").and_then(|params| params.get(key)).or_else(|| node.get(key))
}

/// Reads `name` or `{name: …}`.
fn name_in(node: &Node) -> Option<&str> {
    node.text().or_else(|| node.text_of("name"))
}

fn add_table(tables: &mut Vec<String>, table: &str) {
    if !tables.iter().any(|known| known == table) {
        tables.push(table.to_owned());
    }
}

/// Figures of different tables have no common row: one formula over both would multiply.
fn one_table(figures: &[&Figure]) -> Result<String, Lost> {
    let first = figures.first().ok_or("it is made of nothing")?.table();
    if figures.iter().all(|figure| figure.table() == first) {
        Ok(first.to_owned())
    } else {
        Err("its parts are taken over different tables".to_owned())
    }
}
