//! dbt semantic models, in their own list or inside models: entities, dimensions, measures, and what
//! they say of columns and joins. Their metrics are read in `semantic_metrics`.

use crate::domain::ColumnRef;
use crate::domain::knowledge::JoinHint;

use super::figure::{Measure, expression};
use super::yaml::Node;
use super::{Import, dbt, is_name, qualified, semantic_metrics, template};

/// A semantic model.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) table: String,
    pub(super) entities: Vec<Entity>,
    /// Names with their expressions as SQL.
    pub(super) dimensions: Vec<(String, String)>,
    /// Names with what they measure, and where they stand.
    pub(super) measures: Vec<Named>,
}

/// A measure with its name and words.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) words: String,
    pub(super) label: Option<String>,
    pub(super) measure: Measure,
}

/// A key by which models join.
#[derive(Debug)]
pub(super) struct Entity {
    pub(super) name: String,
    kind: String,
    /// The expression of the key.
    pub(super) of: String,
}

impl Entity {
    /// Tells whether each row has its own value.
    pub(super) fn names_rows(&self) -> bool {
        matches!(self.kind.as_str(), "primary" | "unique")
    }
}

/// Reads the semantic models and metrics of all documents.
pub(super) fn read(documents: &[(&str, Node)], import: &mut Import) {
    let mut models = Vec::new();
    for (file, document) in documents {
        (*file).clone_into(&mut import.file);
        for node in document.items_of("semantic_models") {
            models.extend(of_list(node, import));
        }
        for node in document.items_of("models") {
            models.extend(inside_model(node, import));
        }
    }
    joins(&models, import);
    semantic_metrics::read(documents, &models, import);
}

/// Reads an entry of `semantic_models`.
fn of_list(node: &Node, import: &mut Import) -> Option<Model> {
    let name = node.text_of("name").unwrap_or("?").to_owned();
    let Some(table) = node.text_of("model").and_then(template::table) else {
        import.lose(node, format!("semantic model {name}: its model is no plain ref(…)"));
        return None;
    };
    if let Some(words) = dbt::words(node, &name, import) {
        import.table(&table, &words);
    }
    import.synonym(&name.replace('_', " "), &table);
    let mut model = Model { table, ..Model::default() };
    for entity in node.items_of("entities") {
        model.entity(entity, None, import);
    }
    for dimension in node.items_of("dimensions") {
        model.dimension(dimension, None, import);
    }
    for measure in node.items_of("measures") {
        model.measure(measure, import);
    }
    Some(model)
}

/// Reads a model that is a semantic model itself.
fn inside_model(node: &Node, import: &mut Import) -> Option<Model> {
    let semantic = node.get("semantic_model")?;
    if semantic.text().is_some_and(|text| text == "false")
        || semantic.text_of("enabled") == Some("false")
    {
        return None;
    }
    let mut model = Model { table: dbt::name_of(node)?, ..Model::default() };
    for column in node.items_of("columns") {
        let name = column.text_of("name");
        if let Some(entity) = column.get("entity") {
            model.entity(entity, name, import);
        }
        if let Some(dimension) = column.get("dimension") {
            model.dimension(dimension, name, import);
        }
    }
    if let Some(derived) = node.get("derived_semantics") {
        for entity in derived.items_of("entities") {
            model.entity(entity, None, import);
        }
        for dimension in derived.items_of("dimensions") {
            model.dimension(dimension, None, import);
        }
    }
    for metric in node.items_of("metrics") {
        if metric.text_of("agg").is_some() {
            model.measure(metric, import);
        }
    }
    Some(model)
}

impl Model {
    /// Writes an expression of this model; none when it is a template.
    fn sql(&self, node: &Node, name: &str) -> Option<String> {
        let text = node.text_of("expr").unwrap_or(name);
        (!template::has_template(text)).then(|| expression(&self.table, text))
    }

    /// Finds the column that an expression is.
    fn column(&self, node: &Node, name: &str) -> Option<ColumnRef> {
        let text = node.text_of("expr").unwrap_or(name).trim();
        is_name(text).then(|| ColumnRef::new(&self.table, text))
    }

    fn entity(&mut self, node: &Node, column: Option<&str>, import: &mut Import) {
        let name = node.text_of("name").or(column).unwrap_or("?").to_owned();
        // in a column, the word alone is the kind
        let kind = node.text_of("type").or(node.text()).unwrap_or("?").to_owned();
        let of = match column {
            Some(column) => Some(qualified(&self.table, column)),
            None => self.sql(node, &name),
        };
        let Some(of) = of else {
            import.lose(node, format!("entity {name} of {}: a template", self.table));
            return;
        };
        self.entities.push(Entity { name, kind, of });
    }

    fn dimension(&mut self, node: &Node, column: Option<&str>, import: &mut Import) {
        let name = node.text_of("name").or(column).unwrap_or("?").to_owned();
        let of = match column {
            Some(column) => Some(qualified(&self.table, column)),
            None => self.sql(node, &name),
        };
        let Some(of) = of else {
            import.lose(node, format!("dimension {name} of {}: a template", self.table));
            return;
        };
        let at = column
            .map(|column| ColumnRef::new(&self.table, column))
            .or_else(|| self.column(node, &name));
        let words = dbt::words(node, &name, import);
        if let Some(at) = at {
            if let Some(words) = words {
                import.mean(&at, &words);
            }
            let label = node.text_of("label").map(str::to_owned);
            for word in label.into_iter().chain([name.replace('_', " ")]) {
                import.synonym(&word, &at.to_string());
            }
        } else {
            let words =
                words.map_or(String::new(), |words| format!(" ({})", super::one_line(&words)));
            let text = format!("{} of {} is {of}{words}", name.replace('_', " "), self.table);
            import.rule(super::one_line(&text), vec![self.table.clone()]);
        }
        self.dimensions.push((name, of));
    }

    fn measure(&mut self, node: &Node, import: &mut Import) {
        let name = node.text_of("name").unwrap_or("?").to_owned();
        let how = node.text_of("agg").unwrap_or("?").to_lowercase();
        let Some(of) = self.sql(node, &name) else {
            import.lose(node, format!("measure {name} of {}: a template", self.table));
            return;
        };
        let mut words = dbt::words(node, &name, import).unwrap_or_default();
        if let Some(over) = node.get("non_additive_dimension").and_then(|n| n.text_of("name")) {
            let gap = if words.is_empty() { "" } else { "; " };
            words = format!("{words}{gap}not to be added up over {over}");
        }
        let rows = how == "count" && matches!(of.as_str(), "1" | "*");
        let of = Some(of).filter(|_| !rows);
        let measure = Measure { table: self.table.clone(), how, of, conditions: Vec::new() };
        if measure.formula(false).is_none() {
            import.lose(
                node,
                format!("measure {name} of {}: {} is no plain aggregate", self.table, measure.how),
            );
            return;
        }
        let label = node.text_of("label").map(str::to_owned);
        self.measures.push(Named { name, words, label, measure });
    }
}

/// Joins models by entities of one name: where a row has its own value, others point to it.
fn joins(models: &[Model], import: &mut Import) {
    let column = |model: &Model, entity: &Entity| {
        let name = entity.of.rsplit_once('.').map_or(entity.of.as_str(), |(_, name)| name);
        let plain = name.trim_matches('"');
        is_name(plain).then(|| ColumnRef::new(&model.table, plain))
    };
    for model in models {
        for entity in model.entities.iter().filter(|entity| entity.kind == "foreign") {
            for other in models.iter().filter(|other| other.table != model.table) {
                let named = |e: &&Entity| e.name == entity.name && e.names_rows();
                let Some(target) = other.entities.iter().find(named) else { continue };
                if let Some((from, to)) = column(model, entity).zip(column(other, target)) {
                    let reason = format!("both are the entity {}", entity.name);
                    import.join(JoinHint {
                        from: vec![from],
                        to: vec![to],
                        reason,
                        one_to_one: false,
                    });
                }
            }
        }
    }
}
