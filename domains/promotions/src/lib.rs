//! Promotions: the welcome gift that is paid into a new member's wallet.
//!
//! The gift is paid from the merchant's promotions account, in the transaction that creates the
//! member. Demo accounts get demo money from a demo house account.

use capiz_rules::money::Amount;
use futures_util::future::BoxFuture;
use sqlx::PgTransaction;

use members::{MemberKind, NewMember, OnRegistered};
use platform::Core;
use platform::error::ApiError;
use platform::module::Module;
use wallet::{Account, House, Key, Posting, Reason, Transfer};

/// Starting balance of a demo account: 10,000 FUN.
const TRIAL_CREDIT: Amount = Amount::from_units(100_000_000);

/// The domain's module: the hook that pays the gift.
pub fn module() -> Module {
    Module::new("promotions").hook(OnRegistered(on_registered))
}

/// Pays the welcome gift to a new member, in the transaction that creates it.
fn on_registered<'a>(
    _: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    member: &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let profile = &member.profile;
        let amount = match profile.kind {
            MemberKind::Trial => TRIAL_CREDIT,
            _ => member.merchant.welcome_credit,
        };
        if amount == Amount::ZERO {
            return Ok(());
        }
        let posting = Posting {
            holder_id: profile.id,
            key: Key::new("capiz:welcome".to_owned(), "promotions.welcome", ""),
            reference: profile.id,
            transfers: vec![Transfer::new(
                Account::House(House::Promotions),
                Account::Main,
                amount,
                Reason::Welcome,
            )],
        };
        wallet::post_one(tx, posting, profile.registered_at).await?;
        Ok(())
    })
}
