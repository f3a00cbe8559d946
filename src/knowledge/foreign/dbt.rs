//! dbt schema files: what models, seeds, snapshots and sources say of their columns, and their tests.

use crate::domain::ColumnRef;
use crate::domain::knowledge::JoinHint;

use super::yaml::Node;
use super::{Import, template};

/// Keys of tables and columns that hold no knowledge about what is stored.
const SILENT: &[&str] = &[
    "name",
    "description",
    "columns",
    "tests",
    "data_tests",
    "constraints",
    "data_type",
    "config",
    "docs",
    "tags",
    "quote",
    "access",
    "group",
    "latest_version",
    "semantic_model",
    "metrics",
    "derived_semantics",
    "agg_time_dimension",
    "primary_entity",
    "entity",
    "dimension",
    "granularity",
    "identifier",
    "alias",
    "freshness",
    "loaded_at_field",
    "external",
    "unit_tests",
    "time_spine",
    "contract",
    "label",
];

/// Reads the tables of a document.
pub(super) fn read(document: &Node, import: &mut Import) {
    for kind in ["models", "seeds", "snapshots"] {
        for table in document.items_of(kind) {
            if let Some(name) = name_of(table) {
                of_table(&name, table, import);
            }
        }
    }
    for source in document.items_of("sources") {
        for table in source.items_of("tables") {
            let name = table.text_of("identifier").map(str::to_owned).or_else(|| name_of(table));
            if let Some(name) = name {
                of_table(&name, table, import);
            }
        }
    }
    for key in ["saved_queries", "exposures", "groups", "unit_tests"] {
        if let Some(node) = document.get(key) {
            import.lose(node, format!("{key} say nothing of what is stored"));
        }
    }
}

/// Names the table of a model: its alias, where it has one.
pub(super) fn name_of(table: &Node) -> Option<String> {
    let alias = table.get("config").and_then(|config| config.text_of("alias"));
    let name = alias.or_else(|| table.text_of("alias")).or_else(|| table.text_of("name"))?;
    Some(name.to_owned())
}

fn of_table(name: &str, table: &Node, import: &mut Import) {
    if let Some(words) = words(table, name, import) {
        import.table(name, &words);
    }
    for column in table.items_of("columns") {
        if let Some(column_name) = column.text_of("name") {
            of_column(&ColumnRef::new(name, column_name), column, import);
        }
    }
    for test in ["tests", "data_tests"].iter().flat_map(|key| table.items_of(key)) {
        table_test(name, test, import);
    }
    constraints(name, None, table, import);
    unsaid(table, name, import);
}

fn of_column(at: &ColumnRef, column: &Node, import: &mut Import) {
    if let Some(words) = words(column, &at.to_string(), import) {
        import.mean(at, &words);
    }
    for test in ["tests", "data_tests"].iter().flat_map(|key| column.items_of(key)) {
        column_test(at, test, import);
    }
    constraints(&at.table, Some(at), column, import);
    unsaid(column, &at.to_string(), import);
}

/// Reads a description; one that another file holds is only named here.
pub(super) fn words(node: &Node, of: &str, import: &mut Import) -> Option<String> {
    let description = node.get("description")?;
    let text = description.text()?;
    if template::has_template(text) {
        import.lose(description, format!("description of {of}: a template, {}", text.trim()));
        return None;
    }
    Some(text.to_owned())
}

/// Says which keys are not read.
fn unsaid(node: &Node, of: &str, import: &mut Import) {
    for (key, value) in node.entries() {
        let empty = value.items().is_empty() && value.text().is_none();
        if !SILENT.contains(&key.as_str()) && !empty {
            import.lose(value, format!("{key} of {of}"));
        }
    }
}

/// A test's name and its arguments, wherever the version of the format puts them.
struct Test<'a> {
    name: &'a str,
    node: &'a Node,
    arguments: Option<&'a Node>,
}

impl<'a> Test<'a> {
    fn of(node: &'a Node) -> Option<Self> {
        if let Some(name) = node.text() {
            return Some(Test { name, node, arguments: None });
        }
        if let Some(name) = node.text_of("test_name") {
            return Some(Test { name, node, arguments: Some(node) });
        }
        let (name, inner) =
            node.entries().iter().find(|(key, _)| key != "name" && key != "config")?;
        let arguments = inner.get("arguments").unwrap_or(inner);
        Some(Test { name, node: inner, arguments: Some(arguments) })
    }

    fn argument(&self, key: &str) -> Option<&'a Node> {
        self.arguments?.get(key)
    }

    /// Tells whether it holds for some rows only.
    fn is_partial(&self) -> bool {
        let config = self.node.get("config").and_then(|config| config.get("where"));
        config.or_else(|| self.node.get("where")).is_some()
    }
}

fn column_test(at: &ColumnRef, node: &Node, import: &mut Import) {
    let Some(test) = Test::of(node) else { return };
    if test.is_partial() {
        import.lose(node, format!("test {} of {at}: it holds for some rows only", test.name));
        return;
    }
    let known = match test.name {
        "unique" => {
            import.column(at, |meaning| meaning.unique = true);
            true
        }
        "not_null" => {
            import.column(at, |meaning| meaning.not_null = true);
            true
        }
        "accepted_values" => values(at, &test, import),
        "relationships" => relationship(at, &test, import),
        "dbt_utils.accepted_range" => range(at, &test, import),
        _ => false,
    };
    if !known {
        import.lose(node, format!("test {} of {at}", test.name));
    }
}

fn values(at: &ColumnRef, test: &Test<'_>, import: &mut Import) -> bool {
    let Some(values) = test.argument("values") else { return false };
    let codes: Vec<String> =
        values.items().iter().filter_map(Node::text).map(str::to_owned).collect();
    import.column(at, |meaning| {
        for code in codes {
            if !meaning.values.iter().any(|(known, _)| *known == code) {
                meaning.values.push((code, String::new()));
            }
        }
    });
    true
}

fn relationship(at: &ColumnRef, test: &Test<'_>, import: &mut Import) -> bool {
    let to = test.argument("to").and_then(Node::text).and_then(template::table);
    let field = test.argument("field").and_then(Node::text);
    let Some((table, column)) = to.zip(field) else { return false };
    import.join(JoinHint {
        from: vec![at.clone()],
        to: vec![ColumnRef::new(table, column)],
        reason: "a dbt test of relationships".to_owned(),
        one_to_one: false,
    });
    true
}

fn range(at: &ColumnRef, test: &Test<'_>, import: &mut Import) -> bool {
    let end = |key: &str| test.argument(key).and_then(Node::text);
    let words = match (end("min_value"), end("max_value")) {
        (Some(low), Some(high)) => format!("from {low} to {high}"),
        (Some(low), None) => format!("{low} or more"),
        (None, Some(high)) => format!("{high} at most"),
        (None, None) => return false,
    };
    import.column(at, |meaning| meaning.format = Some(words));
    true
}

fn table_test(table: &str, node: &Node, import: &mut Import) {
    let Some(test) = Test::of(node) else { return };
    let columns = test.argument("combination_of_columns").map(Node::items).unwrap_or_default();
    let columns: Vec<&str> = columns.iter().filter_map(Node::text).collect();
    let expression = test.argument("expression").and_then(Node::text);
    match (test.name, expression) {
        _ if test.is_partial() => {
            import
                .lose(node, format!("test {} of {table}: it holds for some rows only", test.name));
        }
        ("dbt_utils.unique_combination_of_columns", _) if !columns.is_empty() => {
            let columns = columns.join(", ");
            let words = format!("each combination of {columns} stands once in {table}");
            import.rule(words, vec![table.to_owned()]);
        }
        ("dbt_utils.expression_is_true", Some(expression))
            if !template::has_template(expression) =>
        {
            let words = format!("in every row of {table}: {expression}");
            import.rule(words, vec![table.to_owned()]);
        }
        _ => import.lose(node, format!("test {} of {table}", test.name)),
    }
}

/// Reads constraints of a contract, of a column or of a whole table.
fn constraints(table: &str, column: Option<&ColumnRef>, node: &Node, import: &mut Import) {
    for constraint in node.items_of("constraints") {
        let kind = constraint.text_of("type").unwrap_or("?");
        let listed = constraint.items_of("columns").iter().filter_map(Node::text);
        let columns: Vec<ColumnRef> = match column {
            Some(at) => vec![at.clone()],
            None => listed.map(|name| ColumnRef::new(table, name)).collect(),
        };
        let single = if let [one] = columns.as_slice() { Some(one) } else { None };
        match (kind, single) {
            ("not_null", Some(at)) => import.column(at, |meaning| meaning.not_null = true),
            ("unique" | "primary_key", Some(at)) => {
                import.column(at, |meaning| meaning.unique = true);
            }
            ("foreign_key", _) if foreign_key(&columns, constraint, import) => {}
            _ => import.lose(constraint, format!("constraint {kind} of {table}")),
        }
    }
}

fn foreign_key(from: &[ColumnRef], constraint: &Node, import: &mut Import) -> bool {
    let to = constraint.text_of("to");
    let table = to.and_then(|to| template::table(to).or_else(|| Some(to.to_owned())));
    let names = constraint.items_of("to_columns").iter().filter_map(Node::text);
    let Some(table) = table.filter(|table| !template::has_template(table)) else { return false };
    let to: Vec<ColumnRef> = names.map(|name| ColumnRef::new(&table, name)).collect();
    if to.is_empty() || to.len() != from.len() {
        return false;
    }
    let reason = "a foreign key of a dbt contract".to_owned();
    import.join(JoinHint { from: from.to_vec(), to, reason, one_to_one: false });
    true
}
