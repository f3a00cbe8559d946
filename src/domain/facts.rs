//! What Gather reads before thinking starts: catalog, statistics, samples, knowledge, history.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::counts::{count, grouped};
use super::knowledge::{Example, Knowledge};
use super::rows::Value;
use super::schema::{Catalog, ColumnRef, RowCount};

/// Everything known about a database when a question is thought about; given as a value.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Structure.
    pub catalog: Arc<Catalog>,
    /// Statistics of the columns measured so far.
    pub statistics: Vec<ColumnStats>,
    /// Stored values of text-like columns.
    pub values: Arc<Vec<ValueList>>,
    /// Where each table's lists stand among them; empty when nobody made it.
    pub places: Arc<ValuePlaces>,
    /// Literals of the question that were looked up in the data, because lists hold only a part.
    pub looked_up: Vec<LookedUp>,
    /// First rows of linked tables.
    pub samples: Vec<Sample>,
    /// What people know.
    pub knowledge: Arc<Knowledge>,
    /// Verified past runs, newest first.
    pub history: Vec<Example>,
}

impl Facts {
    /// Returns the stored values of a column, where they were read; letter case is ignored.
    pub fn values_of<'a>(&'a self, at: &ColumnRef) -> Option<&'a ValueList> {
        let place = self.place_of(&at.table);
        let mut lists = self.values.get(place).unwrap_or_default().iter();
        lists.find(|l| alike(&l.at.column, &at.column) && alike(&l.at.table, &at.table))
    }

    /// Lists the stored values of a table's columns; letter case is ignored.
    pub fn lists_of<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a ValueList> {
        let lists = self.values.get(self.place_of(table)).unwrap_or_default();
        lists.iter().filter(move |list| alike(&list.at.table, table))
    }

    /// Returns where the lists of a table stand, or all of them where no places were made.
    fn place_of(&self, table: &str) -> Range<usize> {
        if self.places.0.is_empty() {
            return 0..self.values.len();
        }
        self.places.0.get(&table.to_lowercase()).cloned().unwrap_or_default()
    }
}

fn alike(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
        || (!(a.is_ascii() && b.is_ascii()) && a.to_lowercase() == b.to_lowercase())
}

/// Where the lists of each table stand among all: tens of thousands are not gone through for one.
#[derive(Debug, Default)]
pub struct ValuePlaces(BTreeMap<String, Range<usize>>);

impl ValuePlaces {
    /// Finds the places of lists that stand together by table, as drivers read them.
    pub fn of(lists: &[ValueList]) -> Self {
        let mut places: BTreeMap<String, Range<usize>> = BTreeMap::new();
        let mut begin = 0;
        for together in lists.chunk_by(|a, b| a.at.table == b.at.table) {
            let end = begin + together.len();
            let table = together.first().map(|list| list.at.table.to_lowercase());
            // names that differ only in letter case share the stretch that holds both
            let place = places.entry(table.unwrap_or_default()).or_insert(begin..end);
            *place = place.start.min(begin)..place.end.max(end);
            begin = end;
        }
        ValuePlaces(places)
    }
}

/// What was measured of one column, from a bounded, fixed sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnStats {
    /// The column.
    pub at: ColumnRef,
    /// Rows looked at.
    pub rows_read: u64,
    /// True when these are all rows of the table.
    pub complete: bool,
    /// NULLs among the rows read.
    pub nulls: u64,
    /// Distinct values among the rows read, NULL left out.
    pub distinct: u64,
    /// Smallest value that is not NULL.
    pub min: Option<Value>,
    /// Largest value that is not NULL.
    pub max: Option<Value>,
    /// Most frequent values with their counts, at most 5.
    pub top: Vec<(Value, u64)>,
    /// False when a time bound ended the measuring: all else is then unknown.
    pub known: bool,
}

/// The stored values of one text-like column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct ValueList {
    /// The column.
    pub at: ColumnRef,
    /// Distinct values as stored, sorted.
    pub values: Texts,
    /// True when these are all values of the column.
    pub complete: bool,
    /// How far the table was read for it.
    #[serde(default)]
    pub reach: Reach,
}

impl ValueList {
    /// Says whether the list is complete, and if not, how far it goes: `list complete`, `list not
    /// complete: 20,000 of ~1,000,000 rows read`.
    pub fn completeness(&self) -> String {
        if self.complete {
            return "list complete".to_owned();
        }
        let Reach { read, of } = self.reach;
        let why = match of {
            // made by hand, or by a form of the cache that did not say
            None if read == 0 => return "list not complete".to_owned(),
            None => format!("{} read", count(read, "row")),
            Some(_) if read == 0 => "no rows read yet".to_owned(),
            Some(of) if of.exact && read >= of.count => {
                format!("{} kept, all rows read", count(self.values.len(), "value"))
            }
            Some(of) => format!("{} of {} read", grouped(read), of.words()),
        };
        format!("list not complete: {why}")
    }
}

/// How many rows were read, of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Reach {
    /// Rows read.
    pub read: u64,
    /// Rows of the table, where known.
    pub of: Option<RowCount>,
}

/// Stored spellings; a clone shares them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Texts(Arc<Vec<String>>);

impl Texts {
    /// Tells cheaply whether both are the same list in memory.
    pub fn is_same(&self, other: &Texts) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for Texts {
    type Target = Vec<String>;

    fn deref(&self) -> &Vec<String> {
        &self.0
    }
}

impl From<Vec<String>> for Texts {
    fn from(texts: Vec<String>) -> Self {
        Texts(Arc::new(texts))
    }
}

impl From<Texts> for Vec<String> {
    fn from(texts: Texts) -> Self {
        Arc::unwrap_or_clone(texts.0)
    }
}

impl FromIterator<String> for Texts {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Self {
        Texts::from(Vec::from_iter(texts))
    }
}

impl<'a> IntoIterator for &'a Texts {
    type Item = &'a String;
    type IntoIter = std::slice::Iter<'a, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<const N: usize> PartialEq<[&str; N]> for Texts {
    fn eq(&self, other: &[&str; N]) -> bool {
        self.0.as_slice() == other.as_slice()
    }
}

/// What a look at the data said of one literal of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookedUp {
    /// The words of the question.
    pub words: String,
    /// Where it is stored, with its spelling; empty when it was not found.
    pub found: Vec<(ColumnRef, String)>,
    /// Columns that were read to their end without finding it.
    pub lacking: Vec<ColumnRef>,
    /// Columns that could not be read to their end within the bounds.
    pub unsettled: Vec<ColumnRef>,
}

/// First rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The table.
    pub table: String,
    /// Column names.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_a_table_are_found_with_and_without_places() {
        let list = |table: &str, column: &str| ValueList {
            at: ColumnRef::new(table, column),
            ..ValueList::default()
        };
        let lists = vec![list("a", "x"), list("b", "x"), list("b", "y"), list("c", "x")];
        let places = Arc::new(ValuePlaces::of(&lists));
        let without = Facts { values: Arc::new(lists), ..Facts::default() };
        let with = Facts { places, ..without.clone() };
        for facts in [with, without] {
            let found: Vec<&str> = facts.lists_of("B").map(|l| l.at.column.as_str()).collect();
            assert_eq!(found, ["x", "y"]);
            assert!(facts.values_of(&ColumnRef::new("B", "Y")).is_some());
            assert_eq!(facts.values_of(&ColumnRef::new("d", "x")), None);
        }
    }

    #[test]
    fn a_list_says_how_far_it_goes() {
        let told = |complete, read, of: Option<(u64, bool)>| {
            let of = of.map(|(count, exact)| RowCount { count, exact });
            let reach = Reach { read, of };
            let values = vec!["a".to_owned()].into();
            ValueList { values, complete, reach, ..ValueList::default() }.completeness()
        };
        assert_eq!(told(true, 9, Some((9, true))), "list complete");
        assert_eq!(told(false, 0, None), "list not complete");
        assert_eq!(told(false, 0, Some((9, true))), "list not complete: no rows read yet");
        assert_eq!(
            told(false, 9, Some((9, true))),
            "list not complete: 1 value kept, all rows read"
        );
        assert_eq!(
            told(false, 20_000, Some((1_000_000, false))),
            "list not complete: 20,000 of ~1,000,000 rows read"
        );
    }
}
