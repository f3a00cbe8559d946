//! What helps a person who writes SQL by hand: what could stand at the cursor, and how the engine
//! would run it.

use crate::database::Trouble;
use crate::domain::engine_plan::{Access, EnginePlan};
use crate::sql::complete::{self, Offers, Typed};
use crate::sql::{ReadQuery, bind};

use super::session::Session;

impl Session {
    /// Lists what could stand at a cursor (a byte of the text); stored values are read only where
    /// the cursor stands in a text that is compared with a column.
    pub async fn complete_sql(&self, sql: &str, cursor: usize, asked: bool) -> Offers {
        let catalog = self.catalog();
        let values = match complete::compared(sql, cursor, &catalog) {
            Some(_) => self.values().await,
            None => std::sync::Arc::default(),
        };
        complete::complete(&Typed { sql, cursor, asked, catalog: &catalog, values: &values })
    }

    /// Asks the engine how it would run a statement, without running it; trouble is a sentence.
    pub async fn explain(&self, sql: &str) -> Result<EnginePlan, String> {
        let mut plan = self.database.plan(sql).await.map_err(|trouble| match trouble {
            Trouble::Query(failure) => failure.message(),
            Trouble::Database(error) => error.to_string(),
        })?;
        let catalog = self.catalog();
        let binding =
            ReadQuery::parse(sql, catalog.dialect).ok().map(|query| bind(&query, &catalog));
        let scopes = binding.iter().flat_map(|binding| &binding.scopes);
        let relations: Vec<_> = scopes.flat_map(|scope| &scope.relations).collect();
        let table_of = |called: &str| {
            let bound = relations.iter().find(|one| one.name.eq_ignore_ascii_case(called));
            let name = bound.and_then(|relation| relation.table()).unwrap_or(called);
            catalog.table(name)
        };
        plan.each(&mut |step| match &mut step.access {
            Access::Scan { relation, table, rows, .. } => {
                if let Some(found) = table_of(relation) {
                    *table = Some(found.name.clone());
                    *rows = found.rows;
                }
            }
            Access::Search { relation, table, .. } => {
                *table = table_of(relation).map(|found| found.name.clone());
            }
            Access::Sort(_) | Access::Other => {}
        });
        Ok(plan)
    }
}
