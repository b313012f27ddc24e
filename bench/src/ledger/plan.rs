//! The loads to measure.

use super::chance::Spread;

/// What processes the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// The reference: one transaction per round.
    Reference,
    /// The writer, in this process.
    Inside,
    /// The server over HTTP; each request is for another member.
    Http,
    /// The server over HTTP; each connection has one member, as in browsers.
    Browser,
}

/// One load: a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Load {
    /// How rounds are distributed over members.
    pub spread: Spread,
    /// What processes the rounds.
    pub who: Who,
    /// The number of concurrent clients or connections.
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

/// The loads of one kind with one distribution.
pub fn loads(who: Who, spread: Spread) -> impl Iterator<Item = Load> {
    let clients: &[usize] = match (who, spread) {
        // The best of these is the reference of the ratios.
        (Who::Reference, _) => &[2, 4, 8, 16, 32, 64],
        (Who::Browser, Spread::Uniform) => &[256],
        (Who::Browser, Spread::Zipf) => &[],
        (_, Spread::Uniform) => &[64, 256, 1024],
        (_, Spread::Zipf) => &[256],
    };
    clients.iter().map(move |clients| Load { spread, who, clients: *clients })
}
