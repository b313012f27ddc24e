//! Runs a task on a dedicated thread with its own runtime, so that it never waits behind other
//! tasks.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;

use tokio::runtime;
use tokio::sync::oneshot;

/// Resolves when the task has ended, also by a panic.
pub struct Ended(oneshot::Receiver<()>);

impl Future for Ended {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        // Nothing is ever sent: the sender is dropped when the task ends.
        Pin::new(&mut self.0).poll(context).map(drop)
    }
}

/// Runs a task on a new thread with its own runtime. If the thread cannot be started, it counts as
/// ended.
pub fn run(name: String, task: impl Future<Output = ()> + Send + 'static) -> Ended {
    let (running, ended) = oneshot::channel::<()>();
    let thread_name = name.clone();
    let work = move || {
        let _running = running;
        match runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(task),
            Err(error) => tracing::error!(%error, "thread {thread_name} has no runtime"),
        }
    };
    if let Err(error) = thread::Builder::new().name(name).spawn(work) {
        tracing::error!(%error, "a thread cannot be started");
    }
    Ended(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_has_a_thread_of_its_own_and_its_end_is_heard_of() {
        let (tell, told) = oneshot::channel();
        let ended = run("solo".to_owned(), async {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            let _ = tell.send(thread::current().name().map(str::to_owned));
        });
        ended.await;
        assert_eq!(told.await.expect("told before the end").as_deref(), Some("solo"));
    }

    #[tokio::test]
    async fn a_task_that_panics_has_ended() {
        run("panics".to_owned(), async { panic!("on purpose") }).await;
    }
}
