//! What is measured.

use super::chance::Spread;

/// Who works the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// One transaction per round.
    Reference,
    /// The writer, in this process.
    Inside,
    /// The server; each request is for another member.
    Http,
    /// The server; each connection has a member of its own, as browsers do.
    Browser,
}

/// One load: a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Load {
    /// Over which members.
    pub spread: Spread,
    /// By whom.
    pub who: Who,
    /// Clients, or connections, at once.
    pub clients: usize,
}

impl Load {
    /// The name of its ratio.
    pub fn name(self) -> String {
        let who = match self.who {
            Who::Reference => "reference",
            Who::Inside => "in_process",
            Who::Http => "http",
            Who::Browser => "http_own",
        };
        let spread = match self.spread {
            Spread::Uniform => "",
            Spread::Zipf => "_zipf",
        };
        format!("ledger_{who}_{}{spread}", self.clients)
    }
}

/// The loads of one worker over one spread.
pub fn loads(who: Who, spread: Spread) -> impl Iterator<Item = Load> {
    let clients: &[usize] = match (who, spread) {
        // The best of these is what ours is held against.
        (Who::Reference, _) => &[2, 4, 8, 16, 32, 64],
        (Who::Browser, Spread::Uniform) => &[256],
        (Who::Browser, Spread::Zipf) => &[],
        (_, Spread::Uniform) => &[64, 256, 1024],
        (_, Spread::Zipf) => &[256],
    };
    clients.iter().map(move |clients| Load { spread, who, clients: *clients })
}
