//! Sorting more rows than fit into memory: sorted runs in a temporary file, merged in one pass.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use super::encoding::RowRef;
use super::spill;

/// Bytes read of a run at once: a few hundred runs together stay within some ten MiB.
const READ: usize = 64 << 10;
/// Bytes written at once.
const WRITE: usize = 1 << 20;

/// Rows in memory, on their way to be sorted.
pub(super) struct Chunk {
    limit: usize,
    keys: Vec<u8>,
    rows: Vec<u8>,
    places: Vec<Place>,
}

/// A row of a chunk. Places are in the order in which rows came, which breaks ties.
#[derive(Clone)]
struct Place {
    /// The key's first bytes: most comparisons end here.
    start: u64,
    key: Range<usize>,
    row: Range<usize>,
}

impl Chunk {
    pub(super) fn new(limit: usize) -> Self {
        Chunk { limit, keys: Vec::new(), rows: Vec::new(), places: Vec::new() }
    }

    pub(super) fn is_full(&self) -> bool {
        let places = self.places.len() * size_of::<Place>();
        !self.places.is_empty() && self.keys.len() + self.rows.len() + places >= self.limit
    }

    /// Adds a row and what it is sorted by.
    pub(super) fn push(&mut self, row: RowRef<'_>, key: impl FnOnce(&mut Vec<u8>)) {
        let (key_start, row_start) = (self.keys.len(), self.rows.len());
        key(&mut self.keys);
        self.rows.extend_from_slice(row.as_bytes());
        let key = key_start..self.keys.len();
        let start = beginning(self.keys.get(key.clone()).unwrap_or_default());
        self.places.push(Place { start, key, row: row_start..self.rows.len() });
    }

    pub(super) fn sort(&mut self) {
        let Chunk { keys, places, .. } = self;
        let key = |place: &Place| keys.get(place.key.clone()).unwrap_or_default();
        // places in the order of coming, so that this is stable without more memory
        places.sort_unstable_by(|a, b| {
            let keys = a.start.cmp(&b.start).then_with(|| key(a).cmp(key(b)));
            keys.then_with(|| a.row.start.cmp(&b.row.start))
        });
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().map(|place| self.rows.get(place.row.clone()).unwrap_or_default())
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.rows.clear();
        self.places.clear();
    }
}

/// The first eight bytes of a key as a number of the same order.
fn beginning(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(key) {
        *to = *from;
    }
    u64::from_be_bytes(bytes)
}

/// Sorted runs, one after the other in a file without a name.
pub(super) struct Runs {
    folder: PathBuf,
    file: Option<File>,
    places: Vec<Range<u64>>,
    end: u64,
}

impl Runs {
    pub(super) fn new(folder: PathBuf) -> Self {
        Runs { folder, file: None, places: Vec::new(), end: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Sorts a chunk and writes it as a run; each row after its length. The chunk is then empty.
    pub(super) fn write(&mut self, chunk: &mut Chunk) -> io::Result<()> {
        chunk.sort();
        let file = match self.file.take() {
            Some(file) => file,
            None => spill::unnamed(&self.folder)?,
        };
        let start = self.end;
        let mut bytes = Vec::with_capacity(WRITE);
        for row in chunk.rows() {
            let length = u32::try_from(row.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(row);
            if bytes.len() >= WRITE {
                spill::write_at(&file, &bytes, self.end)?;
                self.end += bytes.len() as u64;
                bytes.clear();
            }
        }
        spill::write_at(&file, &bytes, self.end)?;
        self.end += bytes.len() as u64;
        self.file = Some(file);
        self.places.push(start..self.end);
        chunk.clear();
        Ok(())
    }

    /// Reads all runs as one, in the order of the keys that `key` makes of rows.
    pub(super) fn merged<K: Fn(&[u8], &mut Vec<u8>)>(self, key: K) -> io::Result<Merged<K>> {
        let Some(file) = self.file else {
            return Ok(Merged { file: None, runs: Vec::new(), heads: BinaryHeap::new(), key });
        };
        let mut runs: Vec<Run> = self.places.into_iter().map(Run::new).collect();
        let mut heads = BinaryHeap::new();
        for (at, run) in runs.iter_mut().enumerate() {
            if run.advance(&file)? {
                let mut bytes = Vec::new();
                key(run.row(), &mut bytes);
                heads.push(Reverse((bytes, at)));
            }
        }
        Ok(Merged { file: Some(file), runs, heads, key })
    }
}

/// All runs as one.
pub(super) struct Merged<K> {
    file: Option<File>,
    runs: Vec<Run>,
    /// The key of each run's next row; of equal keys that of the earlier run comes first.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    key: K,
}

impl<K: Fn(&[u8], &mut Vec<u8>)> Merged<K> {
    /// Returns the row that comes next.
    pub(super) fn row(&self) -> Option<&[u8]> {
        let Reverse((_, run)) = self.heads.peek()?;
        Some(self.runs.get(*run)?.row())
    }

    /// Goes on to the row after it.
    pub(super) fn next(&mut self) -> io::Result<()> {
        let (Some(mut head), Some(file)) = (self.heads.peek_mut(), &self.file) else {
            return Ok(());
        };
        let Reverse((key, at)) = &mut *head;
        let Some(run) = self.runs.get_mut(*at) else { return Ok(()) };
        if run.advance(file)? {
            key.clear();
            (self.key)(run.row(), key);
        } else {
            PeekMut::pop(head);
        }
        Ok(())
    }
}

/// One run as it is read.
struct Run {
    /// What is still in the file.
    left: Range<u64>,
    bytes: Vec<u8>,
    row: Range<usize>,
}

impl Run {
    fn new(left: Range<u64>) -> Self {
        Run { left, bytes: Vec::new(), row: 0..0 }
    }

    fn row(&self) -> &[u8] {
        self.bytes.get(self.row.clone()).unwrap_or_default()
    }

    /// Goes on to the next row; false at the end.
    fn advance(&mut self, file: &File) -> io::Result<bool> {
        let start = self.row.end;
        if start == self.bytes.len() && self.left.is_empty() {
            return Ok(false);
        }
        self.row = start..start;
        self.hold(4, file)?;
        let start = self.row.start;
        let length = self.bytes.get(start..start + 4).and_then(|b| b.first_chunk::<4>());
        let length = length.map_or(0, |b| u32::from_le_bytes(*b)) as usize;
        self.row = start + 4..start + 4;
        self.hold(length, file)?;
        self.row.end = self.row.start + length;
        Ok(true)
    }

    /// Sees to it that so many bytes from the start of the row on are in memory.
    fn hold(&mut self, length: usize, file: &File) -> io::Result<()> {
        let start = self.row.start;
        if self.bytes.len() - start >= length {
            return Ok(());
        }
        self.bytes.drain(..start);
        self.row = 0..0;
        let had = self.bytes.len();
        let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
        let more = left.min(READ.max(length - had));
        self.bytes.resize(had + more, 0);
        spill::read_at(file, self.bytes.get_mut(had..).unwrap_or_default(), self.left.start)?;
        self.left.start += more as u64;
        if self.bytes.len() < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // a huge row must not hold its memory for the rest of the run
        self.bytes.shrink_to(READ * 2);
        Ok(())
    }
}
