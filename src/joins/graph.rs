//! Tables as nodes, keys as edges; built once for a catalog, asked often.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use super::JoinTree;
use super::steiner::{self, Edge};
use crate::domain::schema::KeyOrigin;
use crate::domain::{Catalog, ForeignKey};

/// Cost of a declared key, in tenths.
const DECLARED: u32 = 10;
/// Cost of a key that people told, in tenths: as good as declared, but a declared one wins a tie.
const TOLD: u32 = 11;
/// Cost of an inferred key, in tenths: one declared detour of a bridge table (2.0) is dearer than
/// a direct inferred key, two inferred keys (3.2) are dearer than three declared ones.
const INFERRED: u32 = 16;

/// The keys of a catalog as a graph: of a shared one, to be kept with it, or of a borrowed one.
#[derive(Debug)]
pub struct Graph<C = Arc<Catalog>> {
    catalog: C,
    /// Table names in lower case, with the table's place in the catalog.
    nodes: BTreeMap<String, usize>,
    /// One edge for each key between two tables; several keys between the same two are several
    /// edges. A key that points to its own table is none: it connects nothing new.
    edges: Vec<Edge>,
    /// Places of keys in the catalog, in the order of `edges`.
    keys: Vec<usize>,
    /// For each table the edges that touch it, in key order.
    around: Vec<Vec<usize>>,
    /// For each table the places of all keys that touch it, those to itself too.
    touching: Vec<Vec<usize>>,
}

impl Graph {
    /// Tells whether it is the graph of this very catalog.
    pub fn is_of(&self, catalog: &Arc<Catalog>) -> bool {
        Arc::ptr_eq(&self.catalog, catalog)
    }
}

impl<C: Deref<Target = Catalog>> Graph<C> {
    /// Builds the graph of a catalog.
    pub fn new(catalog: C) -> Self {
        let named = catalog.tables.iter().enumerate();
        let nodes: BTreeMap<String, usize> =
            named.map(|(at, table)| (table.name.to_ascii_lowercase(), at)).collect();
        let around = vec![Vec::new(); catalog.tables.len()];
        let touching = around.clone();
        let (edges, keys) = (Vec::new(), Vec::new());
        let mut graph = Graph { catalog, nodes, edges, keys, around, touching };
        for at in 0..graph.catalog.keys.len() {
            graph.add(at);
        }
        graph
    }

    /// Returns the catalog that it was built from.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    fn add(&mut self, at: usize) {
        let Some(key) = self.catalog.keys.get(at) else { return };
        let ends = self.node(&key.from_table).zip(self.node(&key.to_table));
        for end in [self.node(&key.from_table), self.node(&key.to_table)].into_iter().flatten() {
            if let Some(touching) = self.touching.get_mut(end).filter(|t| t.last() != Some(&at)) {
                touching.push(at);
            }
        }
        let Some((from, to)) = ends.filter(|(from, to)| from != to) else { return };
        let cost = match key.origin {
            KeyOrigin::Declared => DECLARED,
            KeyOrigin::Told(_) => TOLD,
            KeyOrigin::Inferred(_) => INFERRED,
        };
        for end in [from, to] {
            if let Some(around) = self.around.get_mut(end) {
                around.push(self.edges.len());
            }
        }
        self.edges.push(Edge { ends: (from, to), cost });
        self.keys.push(at);
    }

    /// Returns the key of an edge.
    fn key(&self, edge: usize) -> Option<&ForeignKey> {
        self.catalog.keys.get(*self.keys.get(edge)?)
    }

    fn node(&self, table: &str) -> Option<usize> {
        self.nodes.get(&table.to_ascii_lowercase()).copied()
    }

    /// Finds a table's place in the catalog, ignoring ASCII letter case.
    pub fn place(&self, table: &str) -> Option<usize> {
        self.node(table)
    }

    /// Lists the keys that touch a table on either side, in catalog order.
    pub fn keys_of(&self, table: &str) -> impl Iterator<Item = &ForeignKey> {
        let touching = self.node(table).and_then(|at| self.touching.get(at));
        touching.into_iter().flatten().filter_map(|at| self.catalog.keys.get(*at))
    }

    /// Lists the keys by which a table points to itself, in catalog order.
    pub fn to_itself(&self, table: &str) -> Vec<&ForeignKey> {
        let own = |key: &&ForeignKey| {
            key.from_table.eq_ignore_ascii_case(table) && key.to_table.eq_ignore_ascii_case(table)
        };
        self.keys_of(table).filter(own).collect()
    }

    /// Lists the keys between two different tables, either way, in catalog order.
    pub fn between(&self, a: &str, b: &str) -> Vec<&ForeignKey> {
        let (Some(a), Some(b)) = (self.node(a), self.node(b)) else { return Vec::new() };
        let around = self.around.get(a).map_or(&[][..], Vec::as_slice);
        around
            .iter()
            .filter(|edge| self.edges.get(**edge).is_some_and(|e| e.other(a) == b))
            .filter_map(|edge| self.key(*edge))
            .collect()
    }

    /// Finds the cheapest trees that connect all `anchors`, all ties (16 at most), best first;
    /// empty when an anchor is unknown or they aren't connected.
    ///
    /// Exact up to 8 anchors; above, one tree grown by shortest paths. Ties are ordered: those
    /// with the fewest chasms first, then more keys of one name on both sides (`t.room_id =
    /// rooms.room_id`), then catalog order.
    pub fn cheapest(&self, anchors: &[String]) -> Vec<JoinTree> {
        let mut nodes = Vec::new();
        for anchor in anchors {
            let Some(node) = self.node(anchor) else { return Vec::new() };
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        let Some(base) = nodes.first().copied() else { return Vec::new() };
        let net = steiner::Net { edges: &self.edges, around: &self.around };
        let mut found: Vec<Vec<usize>> = net.cheapest(&nodes).into_iter().collect();
        found.sort_by_key(|edges| (usize::MAX - self.natural(edges), edges.clone()));
        let mut trees: Vec<JoinTree> = found.iter().map(|edges| self.tree(base, edges)).collect();
        trees.sort_by_cached_key(JoinTree::chasms);
        trees
    }

    /// Counts the keys whose columns have the same names on both sides.
    fn natural(&self, edges: &[usize]) -> usize {
        let same = |key: &&ForeignKey| {
            let pairs = key.from_columns.iter().zip(&key.to_columns);
            pairs.into_iter().all(|(from, to)| from.eq_ignore_ascii_case(to))
        };
        edges.iter().filter_map(|edge| self.key(*edge)).filter(same).count()
    }

    /// Puts the edges of a tree in join order, from its base outward.
    fn tree(&self, base: usize, edges: &[usize]) -> JoinTree {
        let mut tree = JoinTree { tables: vec![self.name(base)], ..JoinTree::default() };
        let mut joined = BTreeSet::from([base]);
        let mut queue = vec![base];
        let mut at = 0;
        let mut cost = 0;
        while let Some(node) = queue.get(at).copied() {
            at += 1;
            for (edge, key) in edges.iter().filter_map(|e| self.edges.get(*e).zip(self.key(*e))) {
                let next = edge.other(node);
                if edge.touches(node) && joined.insert(next) {
                    queue.push(next);
                    cost += edge.cost;
                    tree.tables.push(self.name(next));
                    tree.keys.push(key.clone());
                }
            }
        }
        tree.cost = f64::from(cost) / 10.0;
        tree
    }

    fn name(&self, node: usize) -> String {
        self.catalog.tables.get(node).map_or(String::new(), |table| table.name.clone())
    }
}
