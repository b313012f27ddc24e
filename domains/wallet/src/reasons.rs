//! The list of reasons why money moves, and the accounts between which each reason may move it.
//!
//! The account history explains each reason to the member in every language of the site; the texts
//! are found by the reason's name (`web/src/locales/*/ledger.json`).

use super::model::{Account, House};

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident $name:literal: $sides:pat,)*) => {
        /// Why money moved.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$doc])* $variant,)*
        }

        impl Reason {
            /// All reasons.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The reason's name in a transfer.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Whether the reason may move money between these accounts.
            pub fn allows(self, debit: &Account, credit: &Account) -> bool {
                match self { $(Self::$variant => matches!((debit, credit), $sides),)* }
            }
        }
    };
}

use Account::{Bonus, Held, House as HouseAccount, Main, Points, Vendor};
use House::{
    Agents, Bank, Corrections, Games, Jackpots, Loyalty, Points as PointsAccount, Promotions,
    Provider, Transit,
};

reasons! {
    /// The welcome gift of a new member.
    Welcome "welcome": (HouseAccount(Promotions), Main),
    /// The stake of a round.
    Stake "stake": (Main | Bonus | Held, HouseAccount(Games | Provider(_))),
    /// The payout of a round.
    Payout "payout": (HouseAccount(Games | Provider(_)), Main | Bonus),
    /// Money was deposited.
    Deposit "deposit": (HouseAccount(Bank), Main),
    /// Held money was withdrawn.
    Withdrawal "withdrawal": (Held, HouseAccount(Bank)),
    /// Money was put on hold.
    Hold "hold": (Main, Held),
    /// Held money was released to the main account.
    Release "release": (Held, Main),
    /// Sent to another holder.
    Send "send": (Main, HouseAccount(Transit)),
    /// Received from another holder.
    Receive "receive": (HouseAccount(Transit), Main),
    /// Moved to the holder's wallet at a vendor.
    VendorIn "vendor_in": (Main, Vendor(_)),
    /// Moved back from the holder's wallet at a vendor.
    VendorOut "vendor_out": (Vendor(_), Main),
    /// A bonus was granted; its conditions are not met yet.
    Bonus "bonus": (HouseAccount(Promotions), Bonus),
    /// A bonus was paid out because its conditions are met.
    BonusPaid "bonus_paid": (Bonus, Main),
    /// A bonus expired.
    BonusEnded "bonus_ended": (Bonus, HouseAccount(Promotions)),
    /// Points were earned by playing.
    PointsEarned "points_earned": (HouseAccount(PointsAccount), Points),
    /// Points were spent.
    PointsSpent "points_spent": (Points, HouseAccount(PointsAccount)),
    /// Points were redeemed for money.
    PointsPaid "points_paid": (HouseAccount(Loyalty), Main),
    /// A rebate on stakes.
    Rebate "rebate": (HouseAccount(Loyalty), Main),
    /// An agent's commission.
    Commission "commission": (HouseAccount(Agents), Main),
    /// A correction by staff.
    Correction "correction": (HouseAccount(Corrections), Main) | (Main, HouseAccount(Corrections)),
    /// The reversal of an earlier transfer.
    Reversal "reversal": _,
    /// Paid into a pool.
    PoolIn "pool_in": (Main, HouseAccount(Transit)),
    /// Paid out of a pool.
    PoolOut "pool_out": (HouseAccount(Transit), Main),
    /// A share of stakes goes into a jackpot, or the house funds a new generation of it.
    JackpotFed "jackpot_fed": (HouseAccount(Jackpots), Main),
    /// A jackpot was won.
    Jackpot "jackpot": (HouseAccount(Transit), Main),
}

impl Reason {
    /// Parses a reason's name.
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
        assert!(Reason::Stake.allows(&Main, &HouseAccount(Games)));
        assert!(!Reason::Stake.allows(&HouseAccount(Games), &Main));
        assert!(!Reason::Payout.allows(&HouseAccount(Promotions), &Main));
        assert!(!Reason::Withdrawal.allows(&Main, &HouseAccount(Bank)));
    }
}
