//! Several pieces of work at once, their results in the order in which they were begun.

use std::collections::VecDeque;

use tokio::task::JoinHandle;

/// Work under way, oldest first. Dropping it stops all of it.
#[derive(Debug)]
pub struct Abreast<T> {
    tasks: VecDeque<JoinHandle<T>>,
    most: usize,
}

impl<T: Send + 'static> Abreast<T> {
    /// Makes room for as much work as the machine does at once, within reason.
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Abreast { tasks: VecDeque::new(), most: cores.clamp(1, 4) }
    }

    /// Begins a piece of work; when there is no room, waits for the oldest first and returns it.
    pub async fn begin(&mut self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let oldest = if self.tasks.len() < self.most { None } else { self.next().await };
        self.tasks.push_back(tokio::spawn(work));
        oldest
    }

    /// Waits for the oldest piece; none when nothing is under way.
    pub async fn next(&mut self) -> Option<T> {
        while let Some(task) = self.tasks.pop_front() {
            // one that panicked has nothing to give, and the panic was told
            if let Ok(done) = task.await {
                return Some(done);
            }
        }
        None
    }
}

impl<T: Send + 'static> Default for Abreast<T> {
    fn default() -> Self {
        Abreast::new()
    }
}

impl<T> Drop for Abreast<T> {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn results_come_in_the_order_of_the_beginning() {
        let mut abreast = Abreast { tasks: VecDeque::new(), most: 3 };
        let mut got = Vec::new();
        for n in 0..20_u32 {
            let work = async move {
                // later ones are ready sooner
                for _ in 0..(20 - n) {
                    tokio::task::yield_now().await;
                }
                n
            };
            got.extend(abreast.begin(work).await);
        }
        while let Some(n) = abreast.next().await {
            got.push(n);
        }
        assert_eq!(got, (0..20).collect::<Vec<_>>());
    }
}
