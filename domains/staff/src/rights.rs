//! What people of the office may do. What nobody is named for, nobody may.
//!
//! Each domain declares its own rights with [`rights!`](crate::rights!) and hands them in as the hook
//! [`Rights`] of its module.

use serde::{Serialize, Serializer};

/// Something that a role may be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Right(&'static str);

impl Right {
    /// A right; made by [`rights!`](crate::rights!) alone.
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// As it is stored and on the wire, `domain.action`.
    pub fn text(self) -> &'static str {
        self.0
    }
}

/// A right as a type, so that a call names what it asks for where it takes its arguments.
pub trait Asked: Send + Sync {
    /// Which.
    const RIGHT: Right;
}

/// The rights of a domain: a hook.
#[derive(Clone, Copy)]
pub struct Rights(pub &'static [Right]);

/// Declares rights, each as a type with its name on the wire and what it allows, and `ALL` of them.
#[macro_export]
macro_rules! rights {
    ($($name:ident $text:literal $sentence:literal)*) => {
        $(
            #[doc = $sentence]
            #[derive(Debug)]
            pub struct $name;

            impl $crate::Asked for $name {
                const RIGHT: $crate::Right = $crate::Right::new($text);
            }
        )*

        /// Every right of this domain.
        pub const ALL: &[$crate::Right] = &[$(<$name as $crate::Asked>::RIGHT,)*];
    };
}

crate::rights! {
    StaffRead "staff.read" "See who works here, with which roles"
    StaffWrite "staff.write" "Add people, change their roles, close their accounts"
    RolesWrite "roles.write" "Change what roles may do"
    TrailRead "trail.read" "Read the trail and check it"
    TrailExport "trail.export" "Take the trail away as a file"
    ApprovalsRead "approvals.read" "See everything that was asked for and decided"
}

impl Serialize for Right {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}
