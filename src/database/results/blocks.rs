//! Rows in blocks: the newest in memory, all others in memory while few, else in a file.

use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::domain::Value;
use crate::domain::counts::count;

use super::encoding::{Reader, RowRef};
use super::spill;

/// How much is held, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Rows of a block; a page decodes at most this many rows more than it shows.
    pub(super) block_rows: u64,
    /// Bytes at which a block is closed early.
    pub(super) block_bytes: usize,
    /// Bytes of closed blocks in memory before they move to the file.
    pub(super) memory: u64,
    /// Bytes in memory when there is no file to move to.
    pub(super) memory_only: u64,
    /// Bytes in the file at most.
    pub(super) file: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            block_rows: 128,
            block_bytes: 64 << 10,
            memory: 4 << 20,
            memory_only: 32 << 20,
            file: 4 << 30,
        }
    }
}

/// Where a closed block begins.
#[derive(Debug)]
struct Place {
    first_row: u64,
    offset: u64,
}

/// All rows of a result.
#[derive(Debug)]
pub(super) struct Blocks {
    bounds: Bounds,
    folder: PathBuf,
    /// Closed blocks, in order; each ends where the next begins.
    places: Vec<Place>,
    /// Closed blocks that are in memory: all of them, or none once the file is used.
    memory: Vec<Arc<Vec<u8>>>,
    file: Option<Arc<File>>,
    /// Why there is no file, once making it failed.
    no_file: Option<String>,
    /// Bytes of all closed blocks.
    closed: u64,
    open: Vec<u8>,
    open_first: u64,
    count: u64,
}

impl Blocks {
    pub(super) fn new(folder: PathBuf, bounds: Bounds) -> Self {
        Blocks {
            bounds,
            folder,
            places: Vec::new(),
            memory: Vec::new(),
            file: None,
            no_file: None,
            closed: 0,
            open: Vec::new(),
            open_first: 0,
            count: 0,
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a row; the error says why there is no room, and the row is not added.
    pub(super) fn push(&mut self, row: &[u8], width: usize) -> Result<(), String> {
        let rows = self.count - self.open_first;
        let full = rows >= self.bounds.block_rows || self.open.len() >= self.bounds.block_bytes;
        if full && width > 0 {
            self.close()?;
        }
        self.open.extend_from_slice(row);
        self.count += 1;
        Ok(())
    }

    /// Closes the open block; when that fails it stays open and readable.
    fn close(&mut self) -> Result<(), String> {
        let size = self.open.len() as u64;
        if self.file.is_none() && self.closed + size > self.bounds.memory {
            self.spill()?;
        }
        match &self.file {
            Some(_) if self.closed + size > self.bounds.file => {
                return Err(format!(
                    "stopped after {}: results are kept up to {} MiB; narrow the query",
                    count(self.count, "row"),
                    self.bounds.file >> 20
                ));
            }
            Some(file) => spill::write_at(file, &self.open, self.closed)
                .map_err(|e| self.unwritable(&e.to_string()))?,
            None if self.closed + size > self.bounds.memory_only => {
                let why = self.no_file.clone().unwrap_or_default();
                return Err(self.unwritable(&why));
            }
            None => self.memory.push(Arc::new(self.open.clone())),
        }
        self.places.push(Place { first_row: self.open_first, offset: self.closed });
        self.closed += size;
        self.open.clear();
        // one huge row must not hold its memory for the rest of the result
        self.open.shrink_to(self.bounds.block_bytes * 2);
        self.open_first = self.count;
        Ok(())
    }

    /// Moves what is in memory into a file; without a file it stays in memory for a while longer.
    fn spill(&mut self) -> Result<(), String> {
        if self.no_file.is_some() {
            return Ok(());
        }
        let file = match spill::unnamed(&self.folder) {
            Ok(file) => file,
            Err(error) => {
                self.no_file = Some(error.to_string());
                return Ok(());
            }
        };
        for (place, block) in self.places.iter().zip(&self.memory) {
            spill::write_at(&file, block, place.offset)
                .map_err(|e| self.unwritable(&e.to_string()))?;
        }
        self.memory = Vec::new();
        self.file = Some(Arc::new(file));
        Ok(())
    }

    fn unwritable(&self, why: &str) -> String {
        format!(
            "stopped after {}: the temporary folder {} can't hold more ({why}); free space \
             there or set TMPDIR",
            count(self.count, "row"),
            self.folder.display()
        )
    }

    /// Finds what holds rows of a range; reading it needs no lock.
    pub(super) fn pieces(&self, range: Range<u64>) -> Vec<Piece> {
        let end = range.end.min(self.count);
        let mut pieces = Vec::new();
        let mut row = range.start;
        let mut block = match self.places.partition_point(|p| p.first_row <= row) {
            _ if row >= self.open_first => self.places.len(),
            after => after.saturating_sub(1),
        };
        while row < end {
            let (first, next) = self.rows_of(block);
            let rows = row..end.min(next);
            row = rows.end;
            pieces.push(Piece { from: self.source(block), first, rows });
            block += 1;
        }
        pieces
    }

    /// Returns the first row of a block and of the one after; the last block is the open one.
    fn rows_of(&self, block: usize) -> (u64, u64) {
        let first = self.places.get(block).map_or(self.open_first, |p| p.first_row);
        let next = match self.places.get(block + 1) {
            Some(place) => place.first_row,
            None if block + 1 == self.places.len() => self.open_first,
            None => self.count,
        };
        (first, next)
    }

    fn source(&self, block: usize) -> Source {
        let Some(place) = self.places.get(block) else {
            return Source::Memory(Arc::new(self.open.clone()));
        };
        if let Some(file) = &self.file {
            let end = self.places.get(block + 1).map_or(self.closed, |p| p.offset);
            return Source::File(Arc::clone(file), place.offset..end);
        }
        Source::Memory(self.memory.get(block).map_or_else(Arc::default, Arc::clone))
    }
}

#[derive(Debug)]
enum Source {
    Memory(Arc<Vec<u8>>),
    File(Arc<File>, Range<u64>),
}

/// Some rows of one block.
#[derive(Debug)]
pub(super) struct Piece {
    from: Source,
    first: u64,
    rows: Range<u64>,
}

impl Piece {
    /// Hands over the rows with their numbers, until one breaks off; none when the bytes of the block
    /// aren't `wanted`. `room` is memory to read into.
    pub(super) fn each<B>(
        &self,
        width: usize,
        room: &mut Vec<u8>,
        wanted: &impl Fn(&[u8]) -> bool,
        each: &mut impl FnMut(u64, RowRef<'_>) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        let bytes = match &self.from {
            Source::Memory(bytes) => bytes.as_slice(),
            Source::File(file, place) => {
                room.resize(usize::try_from(place.end - place.start).unwrap_or(0), 0);
                spill::read_at(file, room, place.start)?;
                room.as_slice()
            }
        };
        if !wanted(bytes) {
            return Ok(ControlFlow::Continue(()));
        }
        let mut reader = Reader::new(bytes);
        let before = usize::try_from(self.rows.start - self.first).unwrap_or(0);
        reader.skip(before * width);
        for number in self.rows.clone() {
            if let ControlFlow::Break(end) = each(number, reader.row(width)) {
                return Ok(ControlFlow::Break(end));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads the rows, each of `width` cells.
    pub(super) fn read_into(&self, width: usize, rows: &mut Vec<Vec<Value>>) {
        let mut add = |_: u64, row: RowRef<'_>| {
            rows.push(row.values());
            ControlFlow::<()>::Continue(())
        };
        if self.each(width, &mut Vec::new(), &|_| true, &mut add).is_err() {
            // a file of our own that can't be read back leaves NULLs, which is all we can show
            let lost = usize::try_from(self.rows.end - self.rows.start).unwrap_or(0);
            rows.extend(vec![vec![Value::Null; width]; lost]);
        }
    }
}
