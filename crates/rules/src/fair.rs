//! Provably fair draws from a committed server seed, a client seed chosen by the player, and a
//! nonce.
//!
//! Block `i` of a round is HMAC-SHA-256 with the server seed as key over `{client
//! seed}:{nonce}:{game}:{i}`, read as eight big-endian words. Numbers below `n` come from those
//! words by rejection sampling, so that all are equally likely.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The length of a server seed in bytes.
pub const SEED_BYTES: usize = 32;
/// The length of a block in bytes.
const BLOCK_BYTES: usize = 32;
/// The length of a word in bytes.
const WORD_BYTES: usize = 4;
/// The number of different words.
const WORDS: u64 = 1 << 32;
/// Each word is accepted with a probability above one half, so this many rejections in a row do not
/// happen.
const MAX_REJECTIONS: u32 = 1_000;

/// The secret that decides the outcome of rounds. It stays secret until the player rotates it.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed([u8; SEED_BYTES]);

impl fmt::Debug for ServerSeed {
    /// Does not print the secret, so that seeds do not get into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(…)")
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a server seed is 64 hexadecimal digits")]
pub struct InvalidSeed;

impl ServerSeed {
    /// A seed from these random bytes.
    pub const fn from_bytes(bytes: [u8; SEED_BYTES]) -> Self {
        Self(bytes)
    }

    /// Parses a revealed seed.
    pub fn from_hex(text: &str) -> Result<Self, InvalidSeed> {
        let mut bytes = [0; SEED_BYTES];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidSeed)?;
        Ok(Self(bytes))
    }

    /// The secret bytes, for storage.
    pub const fn as_bytes(&self) -> &[u8; SEED_BYTES] {
        &self.0
    }

    /// The seed in hexadecimal, to be shown once it no longer decides any round.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// The SHA-256 of the seed, shown to the player before the first round: it commits the house to
    /// the seed.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }
}

/// Why a number could not be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The bound of the draw is zero, or above the number of words.
    #[error("a draw is below 1 to 4294967296")]
    Range,
    /// Practically impossible: see [`MAX_REJECTIONS`].
    #[error("the stream gave no number")]
    Exhausted,
}

/// The random words of one round, in order.
pub struct Stream {
    keyed: Hmac<Sha256>,
    next_block: u64,
    block: [u8; BLOCK_BYTES],
    used: usize,
}

impl Stream {
    /// The stream of one round of one game.
    pub fn new(seed: &ServerSeed, client_seed: &str, nonce: u64, game: &str) -> Self {
        let mut keyed =
            Hmac::new_from_slice(seed.as_bytes()).expect("HMAC takes keys of any length");
        keyed.update(format!("{client_seed}:{nonce}:{game}:").as_bytes());
        Self { keyed, next_block: 0, block: [0; BLOCK_BYTES], used: BLOCK_BYTES }
    }

    /// The next word.
    pub fn next_word(&mut self) -> u32 {
        if self.used == BLOCK_BYTES {
            let number = self.next_block.to_string();
            self.block = self.keyed.clone().chain_update(number).finalize().into_bytes().into();
            // A round never comes near 2^64 blocks, so this never wraps.
            self.next_block = self.next_block.wrapping_add(1);
            self.used = 0;
        }
        let mut word = [0; WORD_BYTES];
        word.copy_from_slice(&self.block[self.used..self.used + WORD_BYTES]);
        self.used += WORD_BYTES;
        u32::from_be_bytes(word)
    }

    /// A number from 0 to `n - 1`; all are equally likely.
    pub fn below(&mut self, n: u64) -> Result<u32, DrawError> {
        if n == 0 || n > WORDS {
            return Err(DrawError::Range);
        }
        // Words above the largest multiple of n would make small results more likely, so they are
        // rejected.
        let limit = WORDS / n * n;
        for _ in 0..MAX_REJECTIONS {
            let word = u64::from(self.next_word());
            if word < limit {
                return u32::try_from(word % n).map_err(|_| DrawError::Range);
            }
        }
        Err(DrawError::Exhausted)
    }
}
