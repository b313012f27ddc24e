//! Threads for heavy computing, which give way to whatever else the machine does.
//!
//! They are few, so that a storm of such work takes neither the processor nor the memory, and the
//! queue before them is short, so that whoever would wait for long is told to come back instead.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use tokio::sync::{Semaphore, oneshot};

use super::error::ApiError;

/// How nice the threads are to others, from 0 to 19: on a busy core they get a tenth of it, and
/// leave it at once when somebody else wakes up.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

/// A few threads with a queue.
pub struct Workers {
    name: &'static str,
    threads: usize,
    admitted: Arc<Semaphore>,
    /// The threads begin with the first job.
    queue: OnceLock<Sender<Job>>,
}

impl Workers {
    /// So many threads, before each of which so many jobs may wait.
    pub fn new(name: &'static str, threads: usize, waiting: usize) -> Self {
        let admitted = Arc::new(Semaphore::new(threads * (1 + waiting)));
        Self { name, threads, admitted, queue: OnceLock::new() }
    }

    /// Does a job on one of the threads. A full queue is a 503.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = Arc::clone(&self.admitted).try_acquire_owned();
        let place = place.map_err(ApiError::unavailable)?;
        let (reply, done) = oneshot::channel();
        let job = move || {
            // Whoever asked may have gone away while the job waited.
            if !reply.is_closed() {
                let _ = reply.send(job());
            }
            drop(place);
        };
        let queue = self.queue.get_or_init(|| start(self.name, self.threads));
        queue.send(Box::new(job)).map_err(|_| ApiError::internal("no thread takes jobs"))?;
        done.await.map_err(|_| ApiError::internal("a job panicked"))
    }
}

/// Starts the threads. They end when the last job is done after the queue was dropped.
fn start(name: &'static str, threads: usize) -> Sender<Job> {
    let (queue, jobs) = mpsc::channel();
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..threads {
        let jobs = Arc::clone(&jobs);
        let started = thread::Builder::new().name(name.to_owned()).spawn(move || work(&jobs));
        if let Err(error) = started {
            tracing::error!(%error, "a thread for {name} could not be started");
        }
    }
    queue
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    give_way();
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A job that panics has dropped its reply, which says so; the thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

/// Lowers the priority of this thread. Linux takes it for the thread alone; elsewhere it would be
/// the whole process.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::warn!(%error, "the priority of a thread could not be lowered");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::ErrorCode;

    #[tokio::test]
    async fn a_full_queue_turns_newcomers_away_and_empties_again() {
        let workers = Workers::new("test", 1, 1);
        let (open, gate) = mpsc::channel::<()>();
        let slow = workers.run(move || gate.recv().is_err());
        let waiting = workers.run(|| 2);
        let tried = async {
            let refused = workers.run(|| 3).await.unwrap_err();
            drop(open);
            refused.code
        };
        let (slow, waiting, refused) = tokio::join!(slow, waiting, tried);
        assert_eq!((slow.ok(), waiting.ok()), (Some(true), Some(2)));
        assert_eq!(refused, ErrorCode::ServerUnavailable);
        assert_eq!(workers.run(|| 4).await.ok(), Some(4));
    }

    #[tokio::test]
    async fn a_thread_outlives_a_job_that_panics() {
        let workers = Workers::new("test", 1, 1);
        let failed = workers.run(|| assert_eq!(1, 2, "on purpose")).await.unwrap_err();
        assert_eq!(failed.code, ErrorCode::ServerInternal);
        assert_eq!(workers.run(|| 4).await.ok(), Some(4));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_its_own_threads_give_way() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let workers = Workers::new("test", 1, 1);
        let here = niceness();
        assert_eq!(workers.run(niceness).await.ok(), Some(NICENESS.max(here)));
        assert_eq!(niceness(), here);
    }
}
