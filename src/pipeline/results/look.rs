//! Looking through a result: the next cell that holds a text, the figures of a column.

use crate::database::results;
use crate::domain::{ColumnSummary, Find, ResultId};

use super::super::session::Session;
use super::thread::beside;

impl Session {
    /// Finds the next cell that holds a text, among the rows that have arrived; goes on at the other
    /// end. Gives row and column, none when no cell holds it or the result is no longer kept.
    /// Dropping the future stops the work.
    pub fn find(
        &self,
        of: &ResultId,
        look: Find,
    ) -> impl Future<Output = Option<(u64, usize)>> + Send + 'static {
        let result = self.result(of);
        async move {
            let result = result?;
            beside(move |stop| results::find(&result, &look, stop)).await?
        }
    }

    /// Sums up a column of the rows that have arrived; none when there is no such result or column.
    /// Dropping the future stops the work.
    pub fn summarize(
        &self,
        of: &ResultId,
        column: usize,
    ) -> impl Future<Output = Option<ColumnSummary>> + Send + 'static {
        let result = self.result(of);
        async move {
            let result = result?;
            beside(move |stop| results::summarize(&result, column, stop)).await?
        }
    }
}
