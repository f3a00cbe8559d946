//! What is asked of a result beside its pages: arranging, finding, summing up, exporting, copying.
//!
//! A later wish of a kind replaces the former one; dropping its task stops its work.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::domain::ResultId;
use crate::domain::counts::count;
use crate::pipeline::{Export, Exported, Session};
use crate::render::table::table_text;

use super::super::effect::{CopyTable, Effect};
use super::super::msg::Msg;
use super::super::overlays::copying::COPIED_AT_MOST;
use super::sentence;

/// Rows read at once for a copy.
const READ_AT_ONCE: u64 = 4_096;

/// Work on results that can be stopped.
#[derive(Default)]
pub(super) struct Results {
    arranging: Option<AbortHandle>,
    finding: Option<AbortHandle>,
    summing: Option<AbortHandle>,
    exporting: Option<AbortHandle>,
    copying: Option<AbortHandle>,
}

/// Where answers go.
pub(super) struct Outlet<'a> {
    /// Tasks of the workbench.
    pub(super) tasks: &'a mut JoinSet<()>,
    /// Its inbox.
    pub(super) sender: &'a mpsc::Sender<Msg>,
}

impl Outlet<'_> {
    fn spawn(
        &mut self,
        former: &mut Option<AbortHandle>,
        work: impl Future<Output = Msg> + Send + 'static,
    ) {
        stop(former);
        let sender = self.sender.clone();
        *former = Some(self.tasks.spawn(async move {
            let msg = work.await;
            // without a receiver nobody is left to tell
            let _ = sender.send(msg).await;
        }));
    }
}

fn stop(task: &mut Option<AbortHandle>) {
    if let Some(task) = task.take() {
        task.abort();
    }
}

impl Results {
    /// Does what is asked of a result that `session` keeps; gives back what isn't.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all else isn't asked of a result")]
    pub(super) fn perform(
        &mut self,
        session: &Arc<Session>,
        effect: Effect,
        mut outlet: Outlet<'_>,
    ) -> Option<Effect> {
        let session = session.clone();
        match effect {
            Effect::Arrange(of, view) => outlet.spawn(&mut self.arranging, async move {
                let made = session.arrange(&of, view.clone()).await.map_err(|e| sentence(&e));
                Msg::Arranged(of, view, made)
            }),
            Effect::Find(of, look) => outlet.spawn(&mut self.finding, async move {
                let at = session.find(&of, look.clone()).await;
                Msg::Found(of, look, at)
            }),
            Effect::Summarize(of, col) => outlet.spawn(&mut self.summing, async move {
                let summary = session.summarize(&of, col).await;
                Msg::Summarized(of, col, summary.map(Box::new))
            }),
            Effect::Export(of, export) => self.export(session, of, *export, &mut outlet),
            Effect::CopyTable(table) => outlet.spawn(&mut self.copying, copy(session, *table)),
            Effect::StopArranging => stop(&mut self.arranging),
            Effect::StopFinding => stop(&mut self.finding),
            Effect::StopSummarizing => stop(&mut self.summing),
            Effect::StopExport => stop(&mut self.exporting),
            other => return Some(other),
        }
        None
    }

    fn export(
        &mut self,
        session: Arc<Session>,
        of: ResultId,
        mut export: Export,
        outlet: &mut Outlet<'_>,
    ) {
        stop(&mut self.exporting);
        let sender = outlet.sender.clone();
        self.exporting = Some(outlet.tasks.spawn(async move {
            export.path = whole(&export.path);
            let mut exporting = session.export(&of, export);
            while let Some(told) = exporting.next().await {
                let last = matches!(told, Exported::Ended(_));
                let sent = sender.send(Msg::Exported(of.clone(), told)).await;
                if last || sent.is_err() {
                    return;
                }
            }
        }));
    }
}

/// Makes a path whole: `~/` is the home folder, all else is seen from the working folder.
fn whole(path: &std::path::Path) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let path = match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        (Ok(_) | Err(_), _) => path.to_owned(),
    };
    std::path::absolute(&path).unwrap_or(path)
}

/// Reads rows, writes them as text and offers it to the clipboards.
async fn copy(session: Arc<Session>, table: CopyTable) -> Msg {
    let rows = table.rows.end.saturating_sub(table.rows.start);
    let cells = format!("{} × {}", count(rows, "row"), count(table.columns.len() as u64, "column"));
    let made = tokio::task::spawn_blocking(move || text(&session, &table)).await;
    match made {
        Ok(Ok(text)) => {
            let words = format!("Copied {cells}, {}", count(text.len() as u64, "byte"));
            Msg::CopyText(text, words)
        }
        Ok(Err(words)) => Msg::Trouble(words),
        Err(_) => Msg::Trouble("Copying broke off.".to_owned()),
    }
}

/// Makes the text of a part of a result; refuses one that no clipboard takes.
fn text(session: &Session, table: &CopyTable) -> Result<String, String> {
    let gone = || "Its rows are no longer kept; run the query again.".to_owned();
    let mut picked = Vec::new();
    let mut columns = Vec::new();
    let mut bytes = 0;
    let mut from = table.rows.start;
    while from < table.rows.end || columns.is_empty() {
        let range = from..(from + READ_AT_ONCE).min(table.rows.end);
        let page = session.page(&table.result, range).ok_or_else(gone)?;
        if columns.is_empty() {
            columns = table.columns.iter().filter_map(|c| page.columns.get(*c).cloned()).collect();
        }
        if page.rows.is_empty() {
            break;
        }
        from += page.rows.len() as u64;
        for row in page.rows {
            let cells: Vec<_> =
                table.columns.iter().map(|c| row.get(*c).cloned().unwrap_or_default()).collect();
            bytes += cells.iter().map(size_of_cell).sum::<u64>();
            picked.push(cells);
        }
        if bytes > COPIED_AT_MOST {
            return Err(
                "That is more than 8 MB, too much for a clipboard. Export it: E.".to_owned()
            );
        }
    }
    let text = table_text(table.form, &columns, &picked, None);
    if text.len() as u64 > COPIED_AT_MOST {
        return Err("That is more than 8 MB, too much for a clipboard. Export it: E.".to_owned());
    }
    Ok(text)
}

fn size_of_cell(value: &crate::domain::Value) -> u64 {
    use crate::domain::Value;
    let bytes = match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 8,
        Value::Text(text) => text.len(),
        Value::Blob(bytes) | Value::Malformed(bytes) => bytes.len(),
    };
    bytes as u64 + 1
}
