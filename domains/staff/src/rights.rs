//! Rights of staff, which roles grant. A right that no role holds is denied to everybody.
//!
//! Each domain declares its own rights with [`rights!`](crate::rights!) and adds them to its module
//! as the hook [`Rights`].

use serde::{Serialize, Serializer};

/// A right that a role may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Right(&'static str);

impl Right {
    /// Makes a right; called only by [`rights!`](crate::rights!).
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// The right's name in the database and in the API, `domain.action`.
    pub fn text(self) -> &'static str {
        self.0
    }
}

/// A right as a type, so that a handler declares the right it needs in its arguments:
/// `Allowed<GamesRead>`.
pub trait RequiredRight: Send + Sync {
    /// The right.
    const RIGHT: Right;
}

/// Module hook: the rights that a domain declares.
#[derive(Clone, Copy)]
pub struct Rights(pub &'static [Right]);

/// Declares rights, each as a type with its name in the API and a description, and the list `ALL`.
#[macro_export]
macro_rules! rights {
    ($($name:ident $text:literal $sentence:literal)*) => {
        $(
            #[doc = $sentence]
            #[derive(Debug)]
            pub struct $name;

            impl $crate::RequiredRight for $name {
                const RIGHT: $crate::Right = $crate::Right::new($text);
            }
        )*

        /// Every right of this domain.
        pub const ALL: &[$crate::Right] = &[$(<$name as $crate::RequiredRight>::RIGHT,)*];
    };
}

crate::rights! {
    StaffRead "staff.read" "See staff accounts and their roles"
    StaffWrite "staff.write" "Add staff, change their roles, close their accounts"
    RolesWrite "roles.write" "Change the rights of roles"
    AuditLogRead "trail.read" "Read the audit log and verify it"
    AuditLogExport "trail.export" "Export the audit log as a file"
    ApprovalsRead "approvals.read" "See all approval requests and decisions"
}

impl Serialize for Right {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}
