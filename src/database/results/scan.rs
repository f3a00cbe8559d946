//! Stepping through all rows of a result, a few blocks at a time.

use std::io;
use std::ops::{ControlFlow, Range};

use super::ResultStore;
use super::encoding::RowRef;

/// Rows whose places are looked up under one lock.
const STRIDE: u64 = 4096;

impl ResultStore {
    /// Hands over rows of a range in order, with their numbers, until one breaks off.
    ///
    /// Rows beyond those that have arrived are left out. An error is one of reading back the
    /// temporary file.
    pub fn scan<B>(
        &self,
        range: Range<u64>,
        each: impl FnMut(u64, RowRef<'_>) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        self.scan_where(range, |_| true, each)
    }

    /// The same, without the rows of blocks whose bytes aren't `wanted`.
    pub(super) fn scan_where<B>(
        &self,
        range: Range<u64>,
        wanted: impl Fn(&[u8]) -> bool,
        mut each: impl FnMut(u64, RowRef<'_>) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        let mut room = Vec::new();
        let mut from = range.start;
        while from < range.end {
            let until = range.end.min(from.saturating_add(STRIDE));
            let (width, count, pieces) = {
                let state = self.lock();
                let (width, count) = (state.columns.len(), state.blocks.count());
                (width, count, state.blocks.pieces(from..until))
            };
            for piece in pieces {
                if let ControlFlow::Break(end) = piece.each(width, &mut room, &wanted, &mut each)? {
                    return Ok(ControlFlow::Break(end));
                }
            }
            if until >= count {
                break;
            }
            from = until;
        }
        Ok(ControlFlow::Continue(()))
    }
}
