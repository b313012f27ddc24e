//! Why money moves: the one catalogue of reasons, and between which accounts each may move it.
//!
//! The account record explains each reason to the member, in every language of the site, by its
//! name (`web/src/locales/*/ledger.json`).

use super::model::{Account, House};

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident $name:literal: $sides:pat,)*) => {
        /// Why money moved.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$doc])* $variant,)*
        }

        impl Reason {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The reason's name in a transfer.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Whether it moves money between such accounts.
            pub fn allows(self, debit: &Account, credit: &Account) -> bool {
                match self { $(Self::$variant => matches!((debit, credit), $sides),)* }
            }
        }
    };
}

use Account::{Bonus, Held, House as Of, Main, Points, Vendor};
use House::{
    Agents, Bank, Corrections, Games, Jackpots, Loyalty, Points as PointsOf, Promotions, Provider,
    Transit,
};

reasons! {
    /// The gift that a new member finds.
    Welcome "welcome": (Of(Promotions), Main),
    /// What a round cost.
    Stake "stake": (Main | Bonus | Held, Of(Games | Provider(_))),
    /// What a round paid.
    Payout "payout": (Of(Games | Provider(_)), Main | Bonus),
    /// Money came in.
    Deposit "deposit": (Of(Bank), Main),
    /// Money that was set aside went out.
    Withdrawal "withdrawal": (Held, Of(Bank)),
    /// Money was set aside.
    Hold "hold": (Main, Held),
    /// Money that was set aside came back.
    Release "release": (Held, Main),
    /// To another holder.
    Send "send": (Main, Of(Transit)),
    /// From another holder.
    Receive "receive": (Of(Transit), Main),
    /// To a wallet at a vendor.
    VendorIn "vendor_in": (Main, Vendor(_)),
    /// Back from a wallet at a vendor.
    VendorOut "vendor_out": (Vendor(_), Main),
    /// A gift whose conditions are not met yet.
    Bonus "bonus": (Of(Promotions), Bonus),
    /// A gift whose conditions are met.
    BonusPaid "bonus_paid": (Bonus, Main),
    /// A gift that has lapsed.
    BonusEnded "bonus_ended": (Bonus, Of(Promotions)),
    /// Points for play.
    PointsEarned "points_earned": (Of(PointsOf), Points),
    /// Points that were spent.
    PointsSpent "points_spent": (Points, Of(PointsOf)),
    /// Money for points.
    PointsPaid "points_paid": (Of(Loyalty), Main),
    /// A part of what was played.
    Rebate "rebate": (Of(Loyalty), Main),
    /// An agent's share.
    Commission "commission": (Of(Agents), Main),
    /// Staff put something right.
    Correction "correction": (Of(Corrections), Main) | (Main, Of(Corrections)),
    /// An earlier transfer is undone.
    Reversal "reversal": _,
    /// Into a pool.
    PoolIn "pool_in": (Main, Of(Transit)),
    /// Out of a pool.
    PoolOut "pool_out": (Of(Transit), Main),
    /// A part of what was played goes into a jackpot, or the house begins one.
    JackpotFed "jackpot_fed": (Of(Jackpots), Main),
    /// A jackpot was won.
    Jackpot "jackpot": (Of(Transit), Main),
}

impl Reason {
    /// The reason of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| reason.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_names_of_their_own() {
        for reason in Reason::ALL {
            assert_eq!(Reason::parse(reason.name()), Some(*reason));
        }
        assert_eq!(Reason::parse("theft"), None);
    }

    #[test]
    fn a_reason_moves_money_only_where_it_may() {
        assert!(Reason::Stake.allows(&Main, &Of(Games)));
        assert!(!Reason::Stake.allows(&Of(Games), &Main));
        assert!(!Reason::Payout.allows(&Of(Promotions), &Main));
        assert!(!Reason::Withdrawal.allows(&Main, &Of(Bank)));
    }
}
