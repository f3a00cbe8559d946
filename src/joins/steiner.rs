//! Minimum-cost Steiner trees: the cheapest trees that connect given nodes.
//!
//! Exact by the dynamic programme of Dreyfus and Wagner (Networks 1, 1971) in the form of
//! Erickson, Monma and Veinott: for each set of terminals and each node the cost of the cheapest
//! tree that holds them all. Walking the table back gives every optimal tree.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Terminals up to which the search is exact: 2^7 sets of the others at 8.
const EXACT: usize = 8;
/// Optimal trees returned at most.
const TIES: usize = 16;
/// A cost that no tree has; twice it still fits.
const NEVER: u32 = u32::MAX / 4;

/// An edge between two different nodes; its cost is above 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) ends: (usize, usize),
    pub(super) cost: u32,
}

impl Edge {
    /// Returns the end that is not `node`.
    pub(super) fn other(&self, node: usize) -> usize {
        if self.ends.0 == node { self.ends.1 } else { self.ends.0 }
    }

    /// Tells whether it ends at a node.
    pub(super) fn touches(&self, node: usize) -> bool {
        self.ends.0 == node || self.ends.1 == node
    }
}

/// Edges, and for each node those that touch it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Net<'a> {
    pub(super) edges: &'a [Edge],
    pub(super) around: &'a [Vec<usize>],
}

/// A tree as its edges in order.
type Tree = Vec<usize>;

impl Net<'_> {
    /// Finds all cheapest trees that connect the terminals, each once.
    pub(super) fn cheapest(&self, terminals: &[usize]) -> BTreeSet<Tree> {
        match terminals {
            [] => BTreeSet::new(),
            [_] => BTreeSet::from([Tree::new()]),
            _ if !self.connected(terminals) => BTreeSet::new(),
            [root, others @ ..] if terminals.len() <= EXACT => {
                let table = Table::fill(*self, others);
                let whole = (1 << others.len()) - 1;
                Walk { table: &table, known: BTreeMap::new() }.trees(whole, *root)
            }
            _ => BTreeSet::from([self.grown(terminals)]),
        }
    }

    fn next(&self, node: usize) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        let around = self.around.get(node).map_or(&[][..], Vec::as_slice);
        around.iter().filter_map(move |at| {
            let edge = self.edges.get(*at)?;
            Some((*at, edge.other(node), edge.cost))
        })
    }

    fn connected(&self, terminals: &[usize]) -> bool {
        let Some(first) = terminals.first() else { return true };
        let mut seen = BTreeSet::from([*first]);
        let mut stack = vec![*first];
        while let Some(node) = stack.pop() {
            stack
                .extend(self.next(node).map(|(_, next, _)| next).filter(|next| seen.insert(*next)));
        }
        terminals.iter().all(|terminal| seen.contains(terminal))
    }

    /// Relaxes costs along edges until none gets cheaper.
    fn relax(&self, costs: &mut [u32]) {
        let mut heap: BinaryHeap<Reverse<(u32, usize)>> = costs
            .iter()
            .enumerate()
            .filter(|(_, cost)| **cost < NEVER)
            .map(|(node, cost)| Reverse((*cost, node)))
            .collect();
        while let Some(Reverse((cost, node))) = heap.pop() {
            if costs.get(node).is_none_or(|known| *known < cost) {
                continue;
            }
            for (_, next, step) in self.next(node) {
                if let Some(known) = costs.get_mut(next).filter(|known| **known > cost + step) {
                    *known = cost + step;
                    heap.push(Reverse((cost + step, next)));
                }
            }
        }
    }

    /// Grows one tree from the first terminal, each time to the nearest terminal left.
    fn grown(&self, terminals: &[usize]) -> Tree {
        let mut inside: BTreeSet<usize> = terminals.iter().take(1).copied().collect();
        let mut tree = Tree::new();
        loop {
            let mut costs = vec![NEVER; self.around.len()];
            for node in &inside {
                if let Some(cost) = costs.get_mut(*node) {
                    *cost = 0;
                }
            }
            self.relax(&mut costs);
            let cost = |node: usize| costs.get(node).copied().unwrap_or(NEVER);
            let left = terminals.iter().copied().filter(|node| !inside.contains(node));
            let Some(mut node) = left.min_by_key(|node| (cost(*node), *node)) else { break };
            while cost(node) > 0 {
                let back = self.next(node).find(|(_, next, step)| cost(*next) + step == cost(node));
                let Some((edge, next, _)) = back else { break };
                tree.push(edge);
                inside.insert(node);
                node = next;
            }
        }
        tree.sort_unstable();
        tree
    }
}

/// For each set of terminals (a mask) and each node: the cost of the cheapest tree of both.
struct Table<'a> {
    net: Net<'a>,
    costs: Vec<Vec<u32>>,
}

impl<'a> Table<'a> {
    fn fill(net: Net<'a>, terminals: &'a [usize]) -> Self {
        let nodes = net.around.len();
        let costs = vec![Vec::new(); 1 << terminals.len()];
        let mut table = Table { net, costs };
        for mask in 1usize..1 << terminals.len() {
            let mut row = vec![NEVER; nodes];
            if mask.is_power_of_two() {
                let terminal = terminals.get(mask.trailing_zeros() as usize);
                if let Some(cost) = terminal.and_then(|node| row.get_mut(*node)) {
                    *cost = 0;
                }
            } else {
                for part in parts(mask) {
                    table.merge(part, mask ^ part, &mut row);
                }
            }
            net.relax(&mut row);
            if let Some(costs) = table.costs.get_mut(mask) {
                *costs = row;
            }
        }
        table
    }

    fn merge(&self, part: usize, rest: usize, row: &mut [u32]) {
        let (Some(a), Some(b)) = (self.costs.get(part), self.costs.get(rest)) else { return };
        for (cost, (a, b)) in row.iter_mut().zip(a.iter().zip(b)) {
            *cost = (*cost).min(a + b);
        }
    }

    fn cost(&self, mask: usize, node: usize) -> u32 {
        self.costs.get(mask).and_then(|row| row.get(node)).copied().unwrap_or(NEVER)
    }
}

/// Lists the parts of a set that hold its lowest member and are not the whole: each split once.
fn parts(mask: usize) -> impl Iterator<Item = usize> {
    let lowest = mask & mask.wrapping_neg();
    let mut part = mask;
    std::iter::from_fn(move || {
        loop {
            part = part.checked_sub(1)? & mask;
            if part == 0 {
                return None;
            }
            if part & lowest != 0 {
                return Some(part);
            }
        }
    })
}

/// Reads all optimal trees back from the table.
struct Walk<'a> {
    table: &'a Table<'a>,
    known: BTreeMap<(usize, usize), BTreeSet<Tree>>,
}

impl Walk<'_> {
    fn trees(&mut self, mask: usize, node: usize) -> BTreeSet<Tree> {
        if let Some(known) = self.known.get(&(mask, node)) {
            return known.clone();
        }
        let trees = self.find(mask, node);
        self.known.insert((mask, node), trees.clone());
        trees
    }

    fn find(&mut self, mask: usize, node: usize) -> BTreeSet<Tree> {
        let table = self.table;
        let cost = table.cost(mask, node);
        let mut trees = BTreeSet::new();
        if cost == 0 && mask.is_power_of_two() {
            return BTreeSet::from([Tree::new()]);
        }
        for part in parts(mask) {
            if table.cost(part, node) + table.cost(mask ^ part, node) == cost {
                let (one, other) = (self.trees(part, node), self.trees(mask ^ part, node));
                for (a, b) in one.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                    add(&mut trees, a.iter().chain(b).copied());
                }
            }
        }
        for (edge, next, step) in table.net.next(node) {
            if table.cost(mask, next) + step == cost {
                for tree in self.trees(mask, next) {
                    add(&mut trees, tree.into_iter().chain([edge]));
                }
            }
        }
        trees
    }
}

fn add(trees: &mut BTreeSet<Tree>, edges: impl Iterator<Item = usize>) {
    let mut tree: Tree = edges.collect();
    tree.sort_unstable();
    trees.insert(tree);
    // the last in order goes, so that what stays doesn't depend on the way it was found
    if trees.len() > TIES {
        trees.pop_last();
    }
}
