//! Cube data models: cubes over tables, their dimensions, measures, joins and segments.

use std::collections::BTreeMap;

use crate::domain::ColumnRef;
use crate::domain::knowledge::{JoinHint, Metric};

use super::cube_parts::{Reader, codes, pairs, table_of};
use super::figure::{Figure, Measure, expression};
use super::yaml::Node;
use super::{Import, is_name, one_line};

/// Keys of cubes, dimensions and measures that hold no knowledge about what is stored.
const SILENT: &[&str] = &[
    "name",
    "sql",
    "sql_table",
    "sql_alias",
    "title",
    "description",
    "dimensions",
    "measures",
    "joins",
    "segments",
    "type",
    "primary_key",
    "public",
    "shown",
    "pre_aggregations",
    "refresh_key",
    "data_source",
    "drill_members",
    "format",
    "case",
    "filters",
    "meta",
    "access_policy",
    "context_members",
    "currency",
    "granularities",
    "order",
    "hierarchies",
    "key",
];

/// A cube over one table.
#[derive(Debug)]
pub(super) struct Cube<'a> {
    pub(super) name: &'a str,
    pub(super) table: String,
    node: &'a Node,
    file: &'a str,
    /// Dimensions that are plain columns.
    pub(super) columns: BTreeMap<&'a str, String>,
}

/// Reads the cubes of all documents.
pub(super) fn read(documents: &[(&str, Node)], import: &mut Import) {
    let mut cubes: Vec<Cube<'_>> = Vec::new();
    for (file, document) in documents {
        (*file).clone_into(&mut import.file);
        for node in document.items_of("cubes") {
            cubes.extend(Cube::of(node, file, import));
        }
        for view in document.items_of("views") {
            let name = view.text_of("name").unwrap_or("?");
            import.lose(view, format!("view {name}: it only shows what its cubes say"));
        }
    }
    for cube in &cubes {
        cube.file.clone_into(&mut import.file);
        cube.read(&cubes, import);
    }
}

impl<'a> Cube<'a> {
    fn of(node: &'a Node, file: &'a str, import: &mut Import) -> Option<Self> {
        let name = node.text_of("name")?;
        if node.get("extends").is_some() {
            import.lose(node, format!("cube {name}: it extends another"));
            return None;
        }
        let Some(table) = table_of(node) else {
            import.lose(node, format!("cube {name}: it is a query, no table"));
            return None;
        };
        let mut columns = BTreeMap::new();
        for dimension in node.items_of("dimensions") {
            let plain = dimension.text_of("sql").and_then(plain_column);
            if let Some((known, column)) = dimension.text_of("name").zip(plain) {
                columns.insert(known, column.to_owned());
            }
        }
        Some(Cube { name, table, node, file, columns })
    }

    fn read(&self, cubes: &[Cube<'_>], import: &mut Import) {
        let reader = Reader { cube: self, cubes };
        if let Some(words) = self.node.text_of("description") {
            import.table(&self.table, words);
        }
        let title = self.node.text_of("title").map(str::to_owned);
        for word in title.into_iter().chain([self.name.replace('_', " ")]) {
            import.synonym(&word, &self.table);
        }
        for dimension in self.node.items_of("dimensions") {
            self.dimension(&reader, dimension, import);
        }
        for join in self.node.items_of("joins") {
            self.join(&reader, join, import);
        }
        for measure in self.node.items_of("measures") {
            self.measure(&reader, measure, import);
        }
        for segment in self.node.items_of("segments") {
            self.segment(&reader, segment, import);
        }
        unsaid(self.node, self.name, import);
    }

    fn dimension(&self, reader: &Reader<'_>, node: &Node, import: &mut Import) {
        let name = node.text_of("name").unwrap_or("?");
        let of = format!("{}.{name}", self.name);
        unsaid(node, &of, import);
        let words = node.text_of("description").unwrap_or_default();
        if let Some(column) = self.columns.get(name) {
            let at = ColumnRef::new(&self.table, column);
            import.mean(&at, words);
            let title = node.text_of("title").map(str::to_owned);
            for word in title.into_iter().chain([name.replace('_', " ")]) {
                import.synonym(&word, &at.to_string());
            }
            format_of(&at, node, import);
            self.key(&at, node, import);
            return;
        }
        if let Some(case) = node.get("case") {
            match codes(reader, case) {
                Some((at, values)) => import.column(&at, |meaning| meaning.values.extend(values)),
                None => import.lose(case, format!("case of {of}: no plain codes of one column")),
            }
            return;
        }
        let sql = node.text_of("sql").and_then(|sql| reader.sql(sql));
        match sql {
            Some((sql, tables)) if tables.is_empty() => {
                let words = one_line(words);
                let words = if words.is_empty() { words } else { format!(" ({words})") };
                let text = format!(
                    "{} of {} is {}{words}",
                    name.replace('_', " "),
                    self.table,
                    one_line(&sql)
                );
                import.rule(text, vec![self.table.clone()]);
            }
            Some(_) | None => {
                import.lose(node, format!("dimension {of}: no expression over its own table"));
            }
        }
    }

    /// The only key dimension of a cube names its rows.
    fn key(&self, at: &ColumnRef, node: &Node, import: &mut Import) {
        let keys = self.node.items_of("dimensions").iter().filter(|d| d.says("primary_key"));
        if node.says("primary_key") && keys.count() == 1 {
            import.column(at, |meaning| meaning.unique = true);
        }
    }

    fn join(&self, reader: &Reader<'_>, node: &Node, import: &mut Import) {
        let name = node.text_of("name").unwrap_or("?");
        let lost = |import: &mut Import, why: &str| {
            import.lose(node, format!("join {} to {name}: {why}", self.name));
        };
        let Some(other) = reader.cubes.iter().find(|cube| cube.name == name) else {
            return lost(import, "that cube isn't in what was read");
        };
        let pairs = node.text_of("sql").and_then(|sql| pairs(reader, sql, other));
        let Some(pairs) = pairs else { return lost(import, "no plain pairs of columns") };
        let (own, others): (Vec<ColumnRef>, Vec<ColumnRef>) = pairs.into_iter().unzip();
        let (from, to, one_to_one) = match node.text_of("relationship").unwrap_or_default() {
            "many_to_one" | "belongs_to" | "belongsTo" => (own, others, false),
            "one_to_many" | "has_many" | "hasMany" => (others, own, false),
            "one_to_one" | "has_one" | "hasOne" => (own, others, true),
            _ => return lost(import, "its relationship isn't said"),
        };
        let reason = format!("the cubes {} and {name} join by it", self.name);
        import.join(JoinHint { from, to, reason, one_to_one });
    }

    fn measure(&self, reader: &Reader<'_>, node: &Node, import: &mut Import) {
        let name = node.text_of("name").unwrap_or("?");
        let of = format!("{}.{name}", self.name);
        unsaid(node, &of, import);
        let figure = match self.figure(reader, node, 0) {
            Ok(figure) => figure,
            Err(why) => return import.lose(node, format!("measure {of}: {why}")),
        };
        let (formula, filter) = match &figure {
            Figure::Measure(measure) => {
                (measure.formula(false), super::super::file::all_of(&measure.conditions))
            }
            Figure::Made { formula, .. } => (Some(formula.clone()), None),
        };
        let Some(formula) = formula else {
            return import.lose(node, format!("measure {of}: no plain aggregate"));
        };
        // `count` of one cube is not that of another
        let clashes = reader.cubes.iter().filter(|cube| {
            cube.node.items_of("measures").iter().any(|m| m.text_of("name") == Some(name))
        });
        let full =
            if clashes.count() > 1 { format!("{}_{name}", self.name) } else { name.to_owned() };
        if let Some(title) = node.text_of("title") {
            import.synonym(title, &full);
        }
        let metric = Metric {
            name: full,
            meaning: one_line(node.text_of("description").unwrap_or_default()),
            formula: one_line(&formula),
            tables: vec![self.table.clone()],
            filter,
            ..Metric::default()
        };
        import.metric(node, metric);
    }

    /// Reads a measure as a figure over this cube's table.
    pub(super) fn figure(
        &self,
        reader: &Reader<'_>,
        node: &Node,
        depth: usize,
    ) -> Result<Figure, String> {
        for key in
            ["rolling_window", "multi_stage", "time_shift", "group_by", "reduce_by", "add_group_by"]
        {
            if node.get(key).is_some() {
                return Err(format!("{key} has no plain formula"));
            }
        }
        let kind = node.text_of("type").unwrap_or("?").to_lowercase();
        let sql = node.text_of("sql");
        if kind == "number" {
            let text = sql.ok_or("it has no sql")?;
            let formula = reader
                .measures(text, depth)
                .ok_or("its sql asks for more than measures of its cube")?;
            return Ok(Figure::Made { table: self.table.clone(), formula });
        }
        let own = |text: &str| -> Result<String, String> {
            let (sql, tables) =
                reader.sql(text).ok_or(format!("a template: {}", one_line(text)))?;
            if tables.is_empty() {
                Ok(expression(&self.table, &sql))
            } else {
                Err("it asks for another cube".to_owned())
            }
        };
        let of = match sql {
            Some(text) => Some(own(text)?),
            None => None,
        };
        let mut conditions = Vec::new();
        for filter in node.items_of("filters") {
            conditions.push(own(filter.text_of("sql").unwrap_or_default())?);
        }
        // rows are counted; a key in its sql only says which
        let of = of.filter(|of| kind != "count" || !matches!(of.trim(), "*" | "1"));
        Ok(Figure::Measure(Measure { table: self.table.clone(), how: kind, of, conditions }))
    }

    /// Finds a measure of this cube.
    pub(super) fn measure_named(&self, name: &str) -> Option<&Node> {
        self.node.items_of("measures").iter().find(|node| node.text_of("name") == Some(name))
    }

    fn segment(&self, reader: &Reader<'_>, node: &Node, import: &mut Import) {
        let name = node.text_of("name").unwrap_or("?");
        let sql = node.text_of("sql").and_then(|sql| reader.sql(sql));
        match sql.filter(|(_, tables)| tables.is_empty()) {
            Some((sql, _)) => {
                let words = node.text_of("description").map(|w| format!(" ({})", one_line(w)));
                let text = format!(
                    "\"{}\" of {} are those where {}{}",
                    name.replace('_', " "),
                    self.table,
                    one_line(&sql),
                    words.unwrap_or_default()
                );
                import.rule(text, vec![self.table.clone()]);
            }
            None => import.lose(
                node,
                format!("segment {}.{name}: no condition over its own table", self.name),
            ),
        }
    }
}

/// Says which keys are not read.
fn unsaid(node: &Node, of: &str, import: &mut Import) {
    for (key, value) in node.entries() {
        if !SILENT.contains(&key.as_str()) {
            import.lose(value, format!("{key} of {of}"));
        }
    }
}

/// Takes a unit or format over, where a dimension says one.
fn format_of(at: &ColumnRef, node: &Node, import: &mut Import) {
    let currency = node.text_of("currency").map(str::to_uppercase);
    match node.text_of("format") {
        Some("currency") => import.column(at, |meaning| {
            meaning.format = Some("an amount of money".to_owned());
            meaning.unit = currency;
        }),
        Some("percent") => import.column(at, |meaning| meaning.unit = Some("%".to_owned())),
        Some(_) | None => {}
    }
}

/// Reads `status`, `{CUBE}.status` and `${CUBE}.status` as a column's name.
fn plain_column(sql: &str) -> Option<&str> {
    let sql = sql.trim().trim_start_matches('$');
    let name = sql.strip_prefix("{CUBE}.").unwrap_or(sql);
    let name = name.trim_matches(|c| c == '"' || c == '`');
    is_name(name).then_some(name)
}
