//! What people of the office may do. What nobody is named for, nobody may.

use serde::{Serialize, Serializer};

macro_rules! rights {
    ($($variant:ident $text:literal $sentence:literal)*) => {
        /// Something that a role may be allowed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Right {
            $(#[doc = $sentence] $variant,)*
        }

        impl Right {
            /// Every right.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// As it is stored and on the wire, `domain.action`.
            pub fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        /// Each right as a type, so that a call names what it asks for where it takes its
        /// arguments.
        pub mod asked {
            use super::{Asked, Right};

            $(
                #[doc = $sentence]
                #[derive(Debug)]
                pub struct $variant;

                impl Asked for $variant {
                    const RIGHT: Right = Right::$variant;
                }
            )*
        }
    };
}

/// A right as a type.
pub trait Asked: Send + Sync {
    /// Which.
    const RIGHT: Right;
}

rights! {
    StaffRead "staff.read" "See who works here, with which roles"
    StaffWrite "staff.write" "Add people, change their roles, close their accounts"
    RolesWrite "roles.write" "Change what roles may do"
    TrailRead "trail.read" "Read the trail and check it"
    TrailExport "trail.export" "Take the trail away as a file"
    SettingsRead "settings.read" "See the settings and how they were before"
    SettingsWrite "settings.write" "Change settings: sites, switches, rules, policies, maintenance"
    MembersRead "members.read" "Find members and see their accounts"
    MembersWrite "members.write" "Freeze accounts and open them again, end sessions, ask for a new password"
    MembersClose "members.close" "Close accounts for good"
    WalletRead "wallet.read" "See balances of members, and every movement behind them"
    RoundsRead "rounds.read" "See the rounds that members played"
    OutboxRead "outbox.read" "See which messages went out, and what became of them"
    OutboxOpen "outbox.open" "Read messages, with the codes and links in them"
    ServiceRead "service.read" "See how the house runs: health and jobs"
    ServiceWrite "service.write" "Run failed jobs again, and try outside services"
    ApprovalsRead "approvals.read" "See everything that was asked for and decided"
    WalletCorrect "wallet.correct" "Ask for a correction of a member's balance"
    WalletApprove "wallet.approve" "Decide on corrections that somebody else asked for"
    GamesRead "games.read" "See vendors and games, and how each site offers them"
    GamesWrite "games.write" "Show and hide games, put them in order, set limits, maintenance"
    FeedbackRead "feedback.read" "Read what members and visitors wrote to the house"
    FeedbackWrite "feedback.write" "Answer feedback, and close it"
    AffiliatesRead "affiliates.read" "See who wants to become an affiliate"
    AffiliatesWrite "affiliates.write" "Decide on who becomes an affiliate"
    ContentRead "content.read" "See what sites tell their visitors, and how it was before"
    ContentWrite "content.write" "Write banners, announcements, notices, help, pages and promotions; upload files"
}

impl Right {
    /// The right of a name; what an older or newer version stored may be unknown.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|right| right.text() == text)
    }
}

impl Serialize for Right {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}
