//! Threads for heavy computing, which give way to whatever else the machine does.
//!
//! They are few, so that a storm of such work takes neither the processor nor the memory. Whoever
//! would wait for longer than the queue's patience is told to come back instead: how long that is
//! follows from how long the last jobs took, on a machine that may be busy with other things.
//!
//! A job is given to the *patient* threads, which compute only where a core has nothing else to do:
//! a round that wakes up takes their core at once. On a machine that is never idle they would come to
//! nothing, so a job during which they have done nothing for a while is done by the *pressing* threads
//! as well, which have a tenth of a busy core.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, error::RecvError};
use tokio::time::timeout;

use super::error::ApiError;

/// By how much the pressing threads are nicer to others than the rest of the process: on a busy core
/// they get a tenth of it.
#[cfg(target_os = "linux")]
const NICER: i32 = 10;

/// For how long the patient threads may get nothing done.
const PRESSING_AFTER: Duration = Duration::from_millis(200);

/// Jobs that may be under way or wait, however short they are.
const MOST: u32 = 1_000;

type Task = Box<dyn FnOnce() + Send>;

/// A few threads with a queue.
pub struct Workers {
    name: &'static str,
    threads: u32,
    patience: Duration,
    load: Arc<Load>,
    /// The threads begin with the first job.
    crews: OnceLock<Crews>,
}

/// The queues of the two kinds of threads.
struct Crews {
    patient: Sender<Task>,
    pressing: Sender<Task>,
    /// Jobs that the patient threads have done.
    done: Arc<AtomicU32>,
}

impl Crews {
    /// The answer to a job, or nothing as soon as the patient threads do not get on. Where they do,
    /// only the queue is long, and more threads would take the cores that others need.
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

/// How the threads do.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// Jobs that are under way or wait.
    pub jobs: u32,
    /// How long one takes, of late.
    pub each: Duration,
    /// The threads.
    pub threads: u32,
    /// How long one that is given now waits, about.
    pub wait: Duration,
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

/// A job that several threads may do; the first answer counts.
struct Job<T, F> {
    work: F,
    /// Taken by the first answer.
    reply: Mutex<Option<oneshot::Sender<T>>>,
    began: OnceLock<Instant>,
    place: Place,
}

impl<T, F: Fn() -> T> Job<T, F> {
    fn run(&self) {
        // Whoever asked may have gone away, or have the answer by now.
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
        Self { name, threads: threads.max(1), patience, load, crews: OnceLock::new() }
    }

    /// Does a job on one of the threads, on a busy machine perhaps on two. A queue that is too long is a
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

    /// How many jobs are under way or wait, how long one takes of late, and the threads.
    pub fn pulse(&self) -> Pulse {
        let jobs = self.load.jobs.load(Ordering::Relaxed);
        Pulse {
            jobs,
            each: Duration::from_micros(self.load.micros.load(Ordering::Relaxed)),
            threads: self.threads,
            wait: self.load.wait(jobs, self.threads),
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

fn hand(queue: &Sender<Task>, task: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
    queue.send(Box::new(task)).map_err(|_| ApiError::internal("no thread takes jobs"))
}

/// Starts the threads. They end when the last job is done after the queues were dropped.
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
                tracing::error!(%error, "a thread for {name} could not be started");
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
        // A job that panics gives no reply, which says so in the end; the thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(task));
        done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Lets this thread run only on cores that have nothing else to do. Its priority is lowered before,
/// for where that is not allowed.
fn wait_for_idle_cores() {
    lower_priority();
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
            set_thread_priority_and_policy, thread_native_id, thread_schedule_policy,
        };
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        // It also raises the priority, which does not matter here and is mostly not allowed.
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
        if thread_schedule_policy() != Ok(idle) {
            tracing::warn!("a thread could not be told to wait for idle cores");
        }
    }
}

/// Lowers the priority of this thread. Linux takes it for the thread alone; elsewhere it would be
/// the whole process.
fn lower_priority() {
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
        // The last place is given back a moment after its answer.
        while workers.load.jobs.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn what_the_patient_threads_do_not_get_done_is_done_all_the_same() {
        let workers = Workers::new("test", 1, SECOND * 60, SECOND);
        let (open, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(Some(gate));
        // The first thread that takes the job comes to nothing; whoever is the second does not.
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
        // Looked at before the waiting goes on, so that a machine that stands still is no matter.
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
