//! YAML as a tree that remembers its lines; anchors, aliases and merge keys are followed.

use std::collections::HashMap;

use yaml_rust::parser::{Event, Parser};
use yaml_rust::scanner::TScalarStyle;

/// Most nodes of a file: aliases of aliases must not fill the memory.
const MOST_NODES: usize = 200_000;

/// A value with the line it begins in, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Nothing: `~`, `null`, or no text at all.
    Null,
    /// A text, number or truth value, as written.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with their values, in order; keys that are no text are left out.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Finds the value of a key that says something.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Value::Map(entries) = &self.value else { return None };
        let found = entries.iter().find(|(name, _)| name == key)?;
        Some(&found.1).filter(|node| node.value != Value::Null)
    }

    /// Returns a text, number or truth value as written.
    pub(super) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Finds the text of a key.
    pub(super) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// Lists a list's items; one value that is no list is a list of one.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            Value::Null => &[],
            Value::Text(_) | Value::Map(_) => std::slice::from_ref(self),
        }
    }

    /// Lists the items of a key.
    pub(super) fn items_of(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], Node::items)
    }

    /// Lists keys with their values.
    pub(super) fn entries(&self) -> &[(String, Node)] {
        if let Value::Map(entries) = &self.value { entries } else { &[] }
    }

    /// Tells whether a key says yes.
    pub(super) fn says(&self, key: &str) -> bool {
        self.text_of(key).is_some_and(|text| matches!(text, "true" | "True" | "yes"))
    }
}

/// A list or map that is being read.
struct Open {
    node: Node,
    /// The key that waits for its value.
    key: Option<Node>,
    anchor: usize,
}

/// Reads all documents of a text.
pub(super) fn documents(text: &str) -> Result<Vec<Node>, String> {
    let mut parser = Parser::new(text.chars());
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, Node> = HashMap::new();
    let mut nodes = 0;
    loop {
        let (event, mark) = parser.next().map_err(|e| e.to_string())?;
        let line = mark.line();
        let (node, anchor) = match event {
            Event::StreamEnd => return Ok(found),
            Event::Nothing | Event::StreamStart | Event::DocumentStart | Event::DocumentEnd => {
                continue;
            }
            Event::SequenceStart(anchor) => {
                open.push(opened(line, Value::List(Vec::new()), anchor));
                continue;
            }
            Event::MappingStart(anchor) => {
                open.push(opened(line, Value::Map(Vec::new()), anchor));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => (closed.node, closed.anchor),
                None => continue,
            },
            Event::Scalar(text, style, anchor, _) => {
                (Node { line, value: scalar(text, style) }, anchor)
            }
            Event::Alias(id) => {
                let node = anchors.get(&id).cloned();
                let node = node.ok_or(format!("an alias at line {line} stands for nothing"))?;
                nodes += size(&node);
                (node, 0)
            }
        };
        nodes += 1;
        if nodes > MOST_NODES {
            return Err(format!("it holds more than {MOST_NODES} values"));
        }
        if anchor > 0 {
            anchors.insert(anchor, node.clone());
        }
        match open.last_mut() {
            Some(parent) => parent.take(node),
            None => found.push(node),
        }
    }
}

fn opened(line: usize, value: Value, anchor: usize) -> Open {
    Open { node: Node { line, value }, key: None, anchor }
}

impl Open {
    fn take(&mut self, node: Node) {
        match &mut self.node.value {
            Value::List(items) => items.push(node),
            Value::Map(entries) => match self.key.take() {
                None => self.key = Some(node),
                Some(key) => put(entries, &key, node),
            },
            Value::Null | Value::Text(_) => {}
        }
    }
}

/// Puts a value under its key; what is merged in never wins over what stands here.
fn put(entries: &mut Vec<(String, Node)>, key: &Node, node: Node) {
    let Some(name) = key.text() else { return };
    if name == "<<" {
        for part in node.items() {
            for (name, value) in part.entries() {
                if !entries.iter().any(|(known, _)| known == name) {
                    entries.push((name.clone(), value.clone()));
                }
            }
        }
        return;
    }
    match entries.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = node,
        None => entries.push((name.to_owned(), node)),
    }
}

fn scalar(text: String, style: TScalarStyle) -> Value {
    let null = style == TScalarStyle::Plain && matches!(text.as_str(), "" | "~" | "null" | "Null");
    if null { Value::Null } else { Value::Text(text) }
}

fn size(node: &Node) -> usize {
    match &node.value {
        Value::Null | Value::Text(_) => 1,
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|(_, node)| size(node)).sum::<usize>(),
    }
}
