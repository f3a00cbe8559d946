//! The question tied to the catalog: tables it is about, the join tree, what may be told.

use std::collections::BTreeMap;

use crate::domain::{
    Catalog, Column, ColumnRef, ForeignKey, Knowledge, Link, LinkTarget, Privacy, Table,
};
use crate::joins::JoinTree;

use super::advice::asks_for_lacking;
use super::privacy::Withheld;
use super::prune::{self, Kept};
use super::{Request, words};

/// Most tables that a join tree is asked to connect. More are linked only by scattered words.
const MOST_ANCHORS: usize = 8;

/// Everything the components look at.
pub(super) struct Scene<'a> {
    /// What was asked for.
    pub(super) request: &'a Request<'a>,
    /// The catalog.
    pub(super) catalog: &'a Catalog,
    /// What people know.
    pub(super) knowledge: &'a Knowledge,
    /// What may leave.
    pub(super) privacy: Privacy,
    /// Columns that stay here.
    pub(super) withheld: Withheld,
    /// Stems of the question's words.
    pub(super) stems: Vec<String>,
    /// Tables the question is surely about, best first, names as in the catalog.
    pub(super) focus: Vec<String>,
    /// All linked tables with their best score, best first.
    pub(super) linked: Vec<String>,
    /// Linked columns and those that hold linked values, with their best score.
    pub(super) columns: BTreeMap<ColumnRef, f32>,
    /// Columns that words of the question speak for, with their rank from 0.
    pub(super) related: BTreeMap<ColumnRef, usize>,
    /// Cheapest join trees over `focus`; empty when it is one table or isn't connected.
    pub(super) trees: Vec<JoinTree>,
    /// What of the schema is told.
    pub(super) kept: Kept,
}

impl<'a> Scene<'a> {
    /// Looks at a request.
    pub(super) fn of(request: &'a Request<'a>) -> Self {
        let facts = request.facts;
        let catalog = &*facts.catalog;
        let mut scene = Scene {
            request,
            catalog,
            knowledge: &facts.knowledge,
            privacy: request.question.options.privacy,
            withheld: Withheld::of(&facts.knowledge, catalog)
                .and(&request.question.switches.without_columns, catalog),
            stems: words::stems(&request.question.text),
            focus: Vec::new(),
            linked: Vec::new(),
            columns: BTreeMap::new(),
            related: related(request),
            trees: Vec::new(),
            kept: Kept::default(),
        };
        scene.read_links();
        if scene.focus.len() > 1 {
            let mut anchors: Vec<String> = scene.focus.iter().take(MOST_ANCHORS).cloned().collect();
            if asks_for_lacking(&scene) {
                // what is asked for comes first, and its rows are to be kept
                anchors.sort_by_key(|table| scene.first_word_of(table));
            }
            scene.trees = request.graph.cheapest(&anchors);
            // of equally short ways those that pair the fewest rows by a common parent only are
            // told, the one whose bridges explain more of the question first
            let fewest = scene.trees.iter().map(JoinTree::chasms).min().unwrap_or(0);
            scene.trees.retain(|tree| tree.chasms() == fewest);
            scene
                .trees
                .sort_by(|a, b| explained_by(request, b).total_cmp(&explained_by(request, a)));
        }
        let limit = prune::LIMIT.min(request.question.options.tokens);
        scene.kept = prune::keep(&scene, limit);
        scene
    }

    /// Finds a table that may be told by its name, ignoring letter case.
    pub(super) fn table(&self, name: &str) -> Option<&'a Table> {
        let at = self.position(name)?;
        self.catalog.tables.get(at)
    }

    /// Finds a column of a table that may be told.
    pub(super) fn column(&self, at: &ColumnRef) -> Option<&'a Column> {
        self.table(&at.table)?.column(&at.column)
    }

    /// Finds a table's place in the catalog, unless it is switched off.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        if !self.may_tell(name) {
            return None;
        }
        self.request.graph.place(name)
    }

    /// Tells whether nobody switched a table off.
    pub(super) fn may_tell(&self, table: &str) -> bool {
        !self.request.question.switches.without_tables.iter().any(|t| same(t, table))
    }

    /// Finds where the question first names a table, or something of it.
    fn first_word_of(&self, table: &str) -> usize {
        let of = |link: &&Link| match &link.target {
            LinkTarget::Table(name) => same(name, table),
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => same(&at.table, table),
            LinkTarget::Metric(_) => false,
        };
        let links = self.request.understanding.links.iter().filter(of);
        links.map(|link| link.span.start).min().unwrap_or(usize::MAX)
    }

    /// Returns the join tree that is told.
    pub(super) fn tree(&self) -> Option<&JoinTree> {
        self.trees.first()
    }

    /// Lists the tables that facts are told about: those in focus and between them; without any,
    /// the only table.
    pub(super) fn told_about(&self) -> Vec<String> {
        let mut tables = self.focus.clone();
        for table in self.tree().map(|tree| tree.tables.as_slice()).unwrap_or_default() {
            if !tables.iter().any(|t| same(t, table)) {
                tables.push(table.clone());
            }
        }
        match self.kept.tables.as_slice() {
            [only] if tables.is_empty() => vec![only.name.clone()],
            _ => tables,
        }
    }

    /// Tells whether no column of a key was switched off.
    pub(super) fn may_join(&self, key: &ForeignKey) -> bool {
        let off = |table: &str, columns: &[String]| {
            columns.iter().any(|column| self.withheld.is_off(table, column))
        };
        !off(&key.from_table, &key.from_columns) && !off(&key.to_table, &key.to_columns)
    }

    /// Lists the steps of the join tree: `a.x = b.y`; those that may be told.
    pub(super) fn join_path(&self) -> Vec<String> {
        let keys = self.tree().map(|tree| tree.keys.as_slice()).unwrap_or_default();
        let keys = keys.iter().filter(|key| self.may_join(key));
        let step = |key: &crate::domain::ForeignKey| {
            let pairs = key.from_columns.iter().zip(&key.to_columns);
            let pairs = pairs
                .map(|(from, to)| format!("{}.{from} = {}.{to}", key.from_table, key.to_table));
            pairs.collect::<Vec<_>>().join(" AND ")
        };
        keys.map(step).collect()
    }

    /// Says what the person should know about this package.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.request.understanding.warnings.clone();
        let (all, told) = (self.catalog.tables.len(), self.kept.count());
        if self.linked.is_empty() && all > 1 {
            let scope = if told < all { "what fits of the schema" } else { "the whole schema" };
            warnings.push(format!("no word of the question is tied to a table: {scope} is told"));
        }
        warnings.extend(self.kept.warning(all));
        if self.trees.len() > 1 {
            let ways = self.trees.len();
            warnings.push(format!("{ways} join paths of the same length connect the tables"));
        }
        warnings.extend(self.keys_off());
        warnings.extend(self.deny_nothing());
        warnings.extend(self.catalog.unreadable.iter().map(|what| format!("not read: {what}")));
        warnings
    }

    /// Says which entries of the deny list fit no column, as one that was renamed does: nothing is
    /// withheld for them.
    fn deny_nothing(&self) -> Option<String> {
        let lost = self.knowledge.deny.iter().filter(|at| self.catalog.column(at).is_none());
        let lost: Vec<String> = lost.map(ToString::to_string).collect();
        (!lost.is_empty()).then(|| {
            format!(
                "deny list: no column is called {}, so nothing is withheld for it",
                lost.join(", ")
            )
        })
    }

    /// Says which key columns were switched off: a query that joins by them can't be written.
    fn keys_off(&self) -> Option<String> {
        let named = |at: &&ColumnRef| {
            let primary = self.catalog.column(at).is_some_and(|column| column.primary);
            let table = at.table.as_str();
            primary || self.catalog.keys_of(table).any(|key| key_names(key, table, &at.column))
        };
        let off = self.request.question.switches.without_columns.iter();
        let off: Vec<String> = off
            .filter(|at| self.may_tell(&at.table))
            .filter(named)
            .map(ColumnRef::to_string)
            .collect();
        let (what, by) =
            if off.len() == 1 { ("key column", "it") } else { ("key columns", "them") };
        let joins = "no join by";
        (!off.is_empty()).then(|| {
            format!("{what} switched off by hand, so {joins} {by} is told: {}", off.join(", "))
        })
    }

    fn read_links(&mut self) {
        let links = &self.request.understanding.links;
        for link in links {
            self.note_column(link);
        }
        let wanted = &self.request.question.switches.with_columns;
        for at in wanted {
            let Some(table) = self.table(&at.table) else { continue };
            let Some(column) = table.column(&at.column) else { continue };
            self.columns.insert(ColumnRef::new(&table.name, &column.name), f32::INFINITY);
        }
        let mut scores: Vec<(String, f32)> = Vec::new();
        let switched = &self.request.question.switches.with_tables;
        let by_column = wanted.iter().map(|at| &at.table);
        let by_hand = switched.iter().chain(by_column).map(|table| (table.clone(), f32::INFINITY));
        let linked = links
            .iter()
            .flat_map(|link| self.tables_of(link).into_iter().map(|table| (table, link.score)));
        for (table, score) in by_hand.chain(linked).collect::<Vec<_>>() {
            let Some(table) = self.table(&table).map(|t| t.name.clone()) else { continue };
            match scores.iter_mut().find(|(t, _)| *t == table) {
                Some((_, best)) => *best = best.max(score),
                None => scores.push((table, score)),
            }
        }
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.focus = self.find_focus();
        self.linked = scores.into_iter().map(|(table, _)| table).collect();
    }

    fn note_column(&mut self, link: &Link) {
        let at = match &link.target {
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => at,
            LinkTarget::Table(_) | LinkTarget::Metric(_) => return,
        };
        let Some(table) = self.table(&at.table) else { return };
        let Some(column) = table.column(&at.column) else { return };
        let best = self.columns.entry(ColumnRef::new(&table.name, &column.name)).or_default();
        *best = best.max(link.score);
    }

    fn tables_of(&self, link: &Link) -> Vec<String> {
        match &link.target {
            LinkTarget::Table(table) => vec![table.clone()],
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
                vec![at.table.clone()]
            }
            LinkTarget::Metric(name) => {
                let metric = self.knowledge.metrics.iter().find(|metric| metric.name == *name);
                metric.map(|metric| metric.tables.clone()).unwrap_or_default()
            }
        }
    }

    /// Picks the tables that the question is about: switched on by hand, then those that intake
    /// found to explain it.
    fn find_focus(&self) -> Vec<String> {
        let mut focus = Focus { scene: self, tables: Vec::new() };
        let switches = &self.request.question.switches;
        let by_column = switches.with_columns.iter().map(|at| &at.table);
        switches.with_tables.iter().chain(by_column).for_each(|table| focus.add(table));
        for table in &self.request.understanding.related.anchors {
            focus.add(table);
        }
        focus.tables
    }
}

/// Sums up how much of the question the tables of a join tree explain.
fn explained_by(request: &Request<'_>, tree: &JoinTree) -> f32 {
    let related = &request.understanding.related.tables;
    let score = |table: &String| {
        related.iter().find(|related| same(&related.table, table)).map_or(0.0, |r| r.score)
    };
    tree.tables.iter().map(score).sum()
}

/// Ranks the columns that words of the question speak for.
fn related(request: &Request<'_>) -> BTreeMap<ColumnRef, usize> {
    let columns = request.understanding.related.columns.iter().enumerate();
    columns.map(|(rank, related)| (related.at.clone(), rank)).collect()
}

/// Tables being picked, each once.
struct Focus<'s, 'a> {
    scene: &'s Scene<'a>,
    tables: Vec<String>,
}

impl Focus<'_, '_> {
    fn has(&self, table: &str) -> bool {
        self.tables.iter().any(|t| same(t, table))
    }

    fn add(&mut self, table: &str) {
        if let Some(table) = self.scene.table(table).filter(|table| !self.has(&table.name)) {
            self.tables.push(table.name.clone());
        }
    }
}

/// Tells whether a key uses a column of a table, on either side.
fn key_names(key: &ForeignKey, table: &str, column: &str) -> bool {
    let on = |side: &str, columns: &[String]| {
        same(side, table) && columns.iter().any(|c| same(c, column))
    };
    on(&key.from_table, &key.from_columns) || on(&key.to_table, &key.to_columns)
}

/// Compares names as catalogs do, ignoring letter case.
pub(super) fn same(a: &str, b: &str) -> bool {
    // asked of thousands of names: plain letters at the ends tell most of them apart
    let differ = |x: Option<&u8>, y: Option<&u8>| {
        x.zip(y).is_some_and(|(x, y)| x.is_ascii() && y.is_ascii() && !x.eq_ignore_ascii_case(y))
    };
    let (x, y) = (a.as_bytes(), b.as_bytes());
    if differ(x.first(), y.first()) || differ(x.last(), y.last()) {
        return false;
    }
    a.eq_ignore_ascii_case(b)
        || (!(a.is_ascii() && b.is_ascii()) && a.to_lowercase() == b.to_lowercase())
}
