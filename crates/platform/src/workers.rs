//! A small CPU pool for expensive computations (password hashes), with a lower priority than all
//! other work.
//!
//! The number of threads is bounded, so that a burst of such work does not use up CPU and memory. A
//! job whose estimated wait exceeds the queue's limit is rejected; the estimate follows from the
//! recent run times.
//!
//! Jobs go to the *patient* threads, which run with the scheduling policy `SCHED_IDLE`: any other
//! thread that wakes up preempts them at once. On a machine that is never idle they would make no
//! progress, so a job is also given to the *pressing* threads (niceness 10, about a tenth of a busy
//! core) if the patient threads have completed nothing for 200 ms.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, error::RecvError};
use tokio::time::timeout;

use super::error::ApiError;

/// The additional niceness of the pressing threads: they get about a tenth of a busy core.
#[cfg(target_os = "linux")]
const NICER: i32 = 10;

/// How long the patient threads may make no progress before a job goes to the pressing threads too.
const PRESSING_AFTER: Duration = Duration::from_millis(200);

/// The maximum number of running and waiting jobs.
const MOST: u32 = 1_000;

type Task = Box<dyn FnOnce() + Send>;

/// The pool: a few threads and a queue.
pub struct Workers {
    name: &'static str,
    threads: u32,
    max_wait: Duration,
    load: Arc<Load>,
    /// The threads, started with the first job.
    crews: OnceLock<Crews>,
}

/// The queues of the two kinds of threads.
struct Crews {
    patient: Sender<Task>,
    pressing: Sender<Task>,
    /// The number of jobs that the patient threads have completed.
    done: Arc<AtomicU32>,
}

impl Crews {
    /// Waits for the result of a job. None if the patient threads make no progress; if they do,
    /// only the queue is long, and more threads would take cores from other work.
    async fn wait_while_patient<T>(
        &self,
        answer: &mut oneshot::Receiver<T>,
    ) -> Option<Result<T, RecvError>> {
        loop {
            let before = self.done.load(Ordering::Relaxed);
            if let Ok(answer) = timeout(PRESSING_AFTER, &mut *answer).await {
                return Some(answer);
            }
            if self.done.load(Ordering::Relaxed) == before {
                return None;
            }
        }
    }
}

/// Statistics of the pool.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// Running and waiting jobs.
    pub jobs: u32,
    /// The recent average run time of a job.
    pub each: Duration,
    /// The number of threads.
    pub threads: u32,
    /// The estimated wait of a new job.
    pub wait: Duration,
    /// The longest allowed wait.
    pub max_wait: Duration,
}

/// The load of the pool.
struct Load {
    /// Running and waiting jobs.
    jobs: AtomicU32,
    /// The recent average run time of a job.
    micros: AtomicU64,
}

/// One entry of the job counter, until the job is done or dropped.
struct Place(Arc<Load>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.jobs.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A job that may run on several threads; the first result counts.
struct Job<T, F> {
    work: F,
    /// Taken by the first thread that finishes.
    reply: Mutex<Option<oneshot::Sender<T>>>,
    began: OnceLock<Instant>,
    place: Place,
}

impl<T, F: Fn() -> T> Job<T, F> {
    fn run(&self) {
        // The caller may be gone, or has its result already.
        if lock(&self.reply).as_ref().is_none_or(oneshot::Sender::is_closed) {
            return;
        }
        let began = self.began.get_or_init(Instant::now);
        let answer = (self.work)();
        if let Some(reply) = lock(&self.reply).take() {
            let _ = reply.send(answer);
            self.place.0.note(began.elapsed());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Load {
    fn note(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        // A concurrent update may be lost, which is fine for an estimate.
        let before = self.micros.load(Ordering::Relaxed);
        self.micros.store(before - before / 8 + took / 8, Ordering::Relaxed);
    }

    /// The estimated wait behind `jobs` jobs with `threads` threads.
    fn wait(&self, jobs: u32, threads: u32) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed)) * jobs / threads
    }
}

impl Workers {
    /// A pool with so many threads and a longest allowed wait. `usual` is the estimated run time
    /// until it is measured.
    pub fn new(name: &'static str, threads: u32, max_wait: Duration, usual: Duration) -> Self {
        let micros = AtomicU64::new(u64::try_from(usual.as_micros()).unwrap_or(u64::MAX));
        let load = Arc::new(Load { jobs: AtomicU32::new(0), micros });
        Self { name, threads: threads.max(1), max_wait, load, crews: OnceLock::new() }
    }

    /// Runs a job, on a busy machine possibly on two threads at once. A queue that is too long is a
    /// 503.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Fn() -> T + Send + Sync + 'static,
    ) -> Result<T, ApiError> {
        let place = self.take_place()?;
        let (reply, mut done) = oneshot::channel();
        let reply = Mutex::new(Some(reply));
        let job = Arc::new(Job { work, reply, began: OnceLock::new(), place });
        let crews = self.crews.get_or_init(|| start(self.name, self.threads));
        let again = Arc::clone(&job);
        hand(&crews.patient, move || job.run())?;
        let answer = match crews.wait_while_patient(&mut done).await {
            Some(answer) => answer,
            None => {
                hand(&crews.pressing, move || again.run())?;
                done.await
            }
        };
        answer.map_err(|_| ApiError::internal("a job panicked"))
    }

    /// The current statistics.
    pub fn stats(&self) -> Stats {
        let jobs = self.load.jobs.load(Ordering::Relaxed);
        Stats {
            jobs,
            each: Duration::from_micros(self.load.micros.load(Ordering::Relaxed)),
            threads: self.threads,
            wait: self.load.wait(jobs, self.threads),
            max_wait: self.max_wait,
        }
    }

    fn take_place(&self) -> Result<Place, ApiError> {
        let before = self.load.jobs.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.load));
        let wait = self.load.wait(before.saturating_sub(self.threads - 1), self.threads);
        if before >= MOST || wait > self.max_wait {
            return Err(ApiError::unavailable(format!("the queue of {} is full", self.name)));
        }
        Ok(place)
    }
}

fn hand(queue: &Sender<Task>, task: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
    queue.send(Box::new(task)).map_err(|_| ApiError::internal("no thread takes jobs"))
}

/// Starts the threads. They end after the queues are dropped and the last job is done.
fn start(name: &'static str, threads: u32) -> Crews {
    let crew = |give_way: fn(), done: &Arc<AtomicU32>| {
        let (queue, tasks) = mpsc::channel();
        let tasks = Arc::new(Mutex::new(tasks));
        for _ in 0..threads {
            let (tasks, done) = (Arc::clone(&tasks), Arc::clone(done));
            let work = move || {
                give_way();
                work(&tasks, &done);
            };
            if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
                tracing::error!(%error, "a thread for {name} cannot be started");
            }
        }
        queue
    };
    let done = Arc::default();
    let patient = crew(wait_for_idle_cores, &done);
    Crews { patient, pressing: crew(lower_priority, &Arc::default()), done }
}

fn work(tasks: &Mutex<Receiver<Task>>, done: &AtomicU32) {
    loop {
        let next = lock(tasks).recv();
        let Ok(task) = next else { return };
        // A job that panics sends no result, which the caller notices; the thread continues.
        let _ = catch_unwind(AssertUnwindSafe(task));
        done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Sets this thread to `SCHED_IDLE`, so that it runs only on idle cores. The priority is lowered
/// first, in case that is not permitted.
fn wait_for_idle_cores() {
    lower_priority();
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
            set_thread_priority_and_policy, thread_native_id, thread_schedule_policy,
        };
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        // The call also tries to raise the priority, which is usually not permitted and does not
        // matter.
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
        if thread_schedule_policy() != Ok(idle) {
            tracing::warn!(
                "a hashing thread cannot use SCHED_IDLE, so it competes with other work"
            );
        }
    }
}

/// Lowers the priority of this thread. Only on Linux: elsewhere it would affect the whole process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{getpriority_process, setpriority_process};
        let lowered = getpriority_process(None)
            .and_then(|before| setpriority_process(None, (before + NICER).min(19)));
        if let Err(error) = lowered {
            tracing::warn!(%error, "the priority of a thread cannot be lowered");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::codes;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn who_would_wait_for_too_long_is_turned_away() {
        // One second for each job: one is under way, one waits, and the next would for two.
        let workers = Workers::new("test", 1, SECOND, SECOND);
        let (open, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let slow = workers.run(move || lock(&gate).recv().is_err());
        let waiting = workers.run(|| 2);
        let tried = async {
            let refused = workers.run(|| 3).await.unwrap_err();
            drop(open);
            refused.code
        };
        let (slow, waiting, refused) = tokio::join!(slow, waiting, tried);
        assert_eq!((slow.ok(), waiting.ok()), (Some(true), Some(2)));
        assert_eq!(refused, codes::SERVER_UNAVAILABLE);
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
        assert_eq!(failed.code, codes::SERVER_INTERNAL);
        assert_eq!(workers.run(|| 4).await.ok(), Some(4));
        // The counter is decreased a moment after the result was sent.
        while workers.load.jobs.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn what_the_patient_threads_do_not_get_done_is_done_all_the_same() {
        let workers = Workers::new("test", 1, SECOND * 60, SECOND);
        let (open, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(Some(gate));
        // The first thread that takes the job hangs; the second one completes it.
        let stuck = workers.run(move || {
            let gate = lock(&gate).take();
            gate.is_none_or(|gate| gate.recv().is_ok())
        });
        assert_eq!(stuck.await.ok(), Some(true), "by the second thread");
        assert_eq!(workers.run(|| 2).await.ok(), Some(2), "the next one, too");
        drop(open);
        assert_eq!(workers.run(|| 3).await.ok(), Some(3), "and both are there again");
    }

    #[tokio::test]
    async fn a_long_queue_alone_does_not_press() {
        let (patient, pressing) = (mpsc::channel().0, mpsc::channel().0);
        let crews = Crews { patient, pressing, done: Arc::default() };
        let (_reply, mut answer) = oneshot::channel::<()>();
        let presses = Cell::new(false);
        // Checked before each wait continues, so that a stalled machine does not fail the test.
        let others_are_done = async {
            for _ in 0..40 {
                tokio::time::sleep(PRESSING_AFTER / 10).await;
                crews.done.fetch_add(1, Ordering::Relaxed);
                assert!(!presses.get(), "the threads get on");
            }
        };
        let waiting = async {
            assert!(crews.wait_while_patient(&mut answer).await.is_none(), "nobody answers");
            presses.set(true);
        };
        tokio::join!(others_are_done, waiting);
        assert!(presses.get());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_its_own_threads_give_way() {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadSchedulePolicy, thread_schedule_policy,
        };
        let policy = || thread_schedule_policy().ok();
        let normal = |policy| Some(ThreadSchedulePolicy::Normal(policy));
        let workers = Workers::new("test", 1, SECOND, SECOND);
        assert_eq!(workers.run(policy).await.ok(), Some(normal(NormalThreadSchedulePolicy::Idle)));
        assert_eq!(policy(), normal(NormalThreadSchedulePolicy::Other));
    }
}
