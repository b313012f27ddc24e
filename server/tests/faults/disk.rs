//! A full disk: the database of a complete installation on a small file system that fills up.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::chance::Chance;
use crate::play::{Game, Players};
use crate::process::{Scratch, Site};
use crate::{bounded, cycles};

/// Enough for a new database and its write-ahead log, and little more.
const SIZE: &str = "size=256m";
/// The space that the ballast file leaves for play to fill.
const LEFT_BYTES: usize = 1 << 20;
/// How long the service may take to recover once there is space.
const RECOVERY: Duration = Duration::from_secs(30);

/// A small file system in memory; unmounted when dropped.
struct Mount<'a>(&'a Path);

impl<'a> Mount<'a> {
    /// Returns the system's message if mounting is not permitted.
    fn new(folder: &'a Path) -> Result<Self, String> {
        std::fs::create_dir(folder).expect("a new directory");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(folder);
        match command.output() {
            Ok(output) if output.status.success() => Ok(Self(folder)),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        // A lazy unmount: processes that still run there keep it until they end.
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
        // The scratch directory could not be removed while this was mounted in it.
        let _ = self.0.parent().map(std::fs::remove_dir_all);
    }
}

/// Fills the file system except for a little space.
fn fill(ballast: &Path) -> io::Result<usize> {
    let mut file = File::create(ballast)?;
    let block = vec![1; 1 << 16];
    let mut written = 0;
    while file.write_all(&block).is_ok() {
        written += block.len();
    }
    let kept = written.saturating_sub(LEFT_BYTES);
    file.set_len(u64::try_from(kept).expect("a length"))?;
    Ok(kept)
}

/// Waits until the site is ready and every member plays.
async fn recover(site: &Site, game: &Game) -> Duration {
    let began = Instant::now();
    let healthy = async {
        while !site.node.is_ready().await {
            sleep(Duration::from_millis(50)).await;
        }
        game.wait_for_rounds(40).await;
    };
    let in_time = tokio::time::timeout(RECOVERY, healthy).await;
    assert!(
        in_time.is_ok(),
        "not well again {RECOVERY:?} after there was room: {}",
        game.figures()
    );
    began.elapsed()
}

#[tokio::test]
async fn a_full_disk_is_told_and_survived() {
    bounded(cycles() * 2, async {
        let chance = Chance::new("a full disk");
        let scratch = Scratch::new();
        let folder = scratch.0.join("var");
        let mount = match Mount::new(&folder) {
            Ok(mount) => mount,
            Err(why) => return println!("  SKIPPED, a file system cannot be mounted: {why}"),
        };
        let mut site = Site::start_in(scratch).await;
        let mut players = Players::register(&[site.node.address], &chance).await;
        let game = Game::default();
        tokio::join!(players.play(&game), async {
            for cycle in 1..=cycles().div_ceil(5) {
                game.wait_for_rounds(40).await;
                let ballast = folder.join("ballast");
                let bytes = fill(&ballast).expect("a file");
                let before = game.acknowledged.get();
                game.wait_for_refusals(100).await;
                let played = game.acknowledged.get() - before;
                std::fs::remove_file(ballast).expect("room");
                let took = recover(&site, &game).await;
                assert!(site.node.is_running(), "the server ended");
                println!(
                    "  fill {cycle}: {bytes} bytes of ballast, {played} rounds until it was full; \
                     well again after {took:.1?}"
                );
            }
            game.over.set(true);
        });
        println!("  {}", game.figures());
        players.send_again().await;
        players.check().await;
        site.stop().await;
        println!("  {} distinct keys. {}", players.accepted(), site.audit().await);
        drop(site);
        drop(mount);
    })
    .await;
}
