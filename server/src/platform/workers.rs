//! Threads for heavy computing, which give way to whatever else the machine does.
//!
//! They are few, so that a storm of such work takes neither the processor nor the memory. Whoever
//! would wait for longer than the queue's patience is told to come back instead: how long that is
//! follows from how long the last jobs took, on a machine that may be busy with other things.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::error::ApiError;

/// By how much the threads are nicer to others than the rest of the process: on a busy core they
/// get a tenth of it, and leave it at once when somebody else wakes up.
#[cfg(target_os = "linux")]
const NICER: i32 = 10;

/// Jobs that may be under way or wait, however short they are.
const MOST: u32 = 1_000;

type Job = Box<dyn FnOnce() + Send>;

/// A few threads with a queue.
pub struct Workers {
    name: &'static str,
    threads: u32,
    patience: Duration,
    load: Arc<Load>,
    /// The threads begin with the first job.
    queue: OnceLock<Sender<Job>>,
}

/// How the threads do.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// Jobs that are under way or wait.
    pub jobs: u32,
    /// How long one takes, of late.
    pub each: Duration,
    /// The threads.
    pub threads: u32,
    /// How long somebody may have to wait.
    pub patience: Duration,
}

/// What is going on.
struct Load {
    /// Jobs that are under way or wait.
    jobs: AtomicU32,
    /// How long one takes, of late.
    micros: AtomicU64,
}

/// A place in the queue, until the job is done or given up.
struct Place(Arc<Load>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.jobs.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Load {
    fn note(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        // Two threads at once may lose one of the two: it is an estimate.
        let before = self.micros.load(Ordering::Relaxed);
        self.micros.store(before - before / 8 + took / 8, Ordering::Relaxed);
    }

    /// How long a job waits before which so many are done by so many threads.
    fn wait(&self, jobs: u32, threads: u32) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed)) * jobs / threads
    }
}

impl Workers {
    /// So many threads before which nobody waits for longer than this. A job takes `usual` until
    /// it is known better.
    pub fn new(name: &'static str, threads: u32, patience: Duration, usual: Duration) -> Self {
        let micros = AtomicU64::new(u64::try_from(usual.as_micros()).unwrap_or(u64::MAX));
        let load = Arc::new(Load { jobs: AtomicU32::new(0), micros });
        Self { name, threads: threads.max(1), patience, load, queue: OnceLock::new() }
    }

    /// Does a job on one of the threads. A queue that is too long is a 503.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = self.take_place()?;
        let (reply, done) = oneshot::channel();
        let job = move || {
            // Whoever asked may have gone away while the job waited.
            if !reply.is_closed() {
                let began = Instant::now();
                let _ = reply.send(job());
                place.0.note(began.elapsed());
            }
        };
        let queue = self.queue.get_or_init(|| start(self.name, self.threads));
        queue.send(Box::new(job)).map_err(|_| ApiError::internal("no thread takes jobs"))?;
        done.await.map_err(|_| ApiError::internal("a job panicked"))
    }

    /// How many jobs are under way or wait, how long one takes of late, and the threads.
    pub fn pulse(&self) -> Pulse {
        Pulse {
            jobs: self.load.jobs.load(Ordering::Relaxed),
            each: Duration::from_micros(self.load.micros.load(Ordering::Relaxed)),
            threads: self.threads,
            patience: self.patience,
        }
    }

    fn take_place(&self) -> Result<Place, ApiError> {
        let before = self.load.jobs.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.load));
        let wait = self.load.wait(before.saturating_sub(self.threads - 1), self.threads);
        if before >= MOST || wait > self.patience {
            return Err(ApiError::unavailable(format!("the queue of {} is long", self.name)));
        }
        Ok(place)
    }
}

/// Starts the threads. They end when the last job is done after the queue was dropped.
fn start(name: &'static str, threads: u32) -> Sender<Job> {
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
    {
        use rustix::process::{getpriority_process, setpriority_process};
        let lowered = getpriority_process(None)
            .and_then(|before| setpriority_process(None, (before + NICER).min(19)));
        if let Err(error) = lowered {
            tracing::warn!(%error, "the priority of a thread could not be lowered");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::ErrorCode;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn who_would_wait_for_too_long_is_turned_away() {
        // One second for each job: one is under way, one waits, and the next would for two.
        let workers = Workers::new("test", 1, SECOND, SECOND);
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

    #[test]
    fn the_wait_follows_from_the_last_jobs_and_the_threads() {
        let load = Load { jobs: AtomicU32::new(0), micros: AtomicU64::new(80_000) };
        assert_eq!(load.wait(10, 2), Duration::from_millis(400));
        (0..100).for_each(|_| load.note(Duration::from_millis(800)));
        assert!(load.wait(10, 2) > Duration::from_millis(3_900));
        (0..100).for_each(|_| load.note(Duration::from_millis(8)));
        assert!(load.wait(10, 2) < Duration::from_millis(45));
    }

    #[tokio::test]
    async fn a_thread_outlives_a_job_that_panics() {
        let workers = Workers::new("test", 1, SECOND, SECOND);
        let failed = workers.run(|| assert_eq!(1, 2, "on purpose")).await.unwrap_err();
        assert_eq!(failed.code, ErrorCode::ServerInternal);
        assert_eq!(workers.run(|| 4).await.ok(), Some(4));
        // The last place is given back a moment after its answer.
        while workers.load.jobs.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_its_own_threads_give_way() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let workers = Workers::new("test", 1, SECOND, SECOND);
        let here = niceness();
        assert_eq!(workers.run(niceness).await.ok(), Some((here + NICER).min(19)));
        assert_eq!(niceness(), here);
    }
}
