//! The switches: every one that there is, where it stands in the whitelabel tree, and how it is
//! until somebody turns it.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// A module of the whitelabel tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(no_recursion)]
pub struct SwitchNode {
    /// The switch's name.
    pub mod_id: String,
    /// `1` on, `0` off.
    pub enabled: &'static str,
    /// The switches under it.
    pub children_nodes: Vec<SwitchNode>,
}

macro_rules! asked {
    ($($variant:ident $mod_id:literal $sentence:literal)*) => {
        /// The switches that the server asks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Switch {
            $(#[doc = $sentence] $variant,)*
        }

        impl Switch {
            const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in the tree.
            pub fn mod_id(self) -> &'static str {
                match self { $(Self::$variant => $mod_id,)* }
            }
        }
    };
}

asked! {
    UsernameLogin "COMM3" "Login by username."
    MobileLogin "MOBILEVERCODELOGIN3" "Login by a code to the phone."
    Registration "DIRECTREG3" "Registration at all."
    UsernameRegistration "USERNAMEREG3" "Registration by username."
    MobileRegistration "MOBILENUMREG3" "Registration by mobile number."
    MobileRegistrationPassword "MOBILENUMPASSREG3" "A password in the registration by mobile number."
    RegistrationCode "REGMOBVERF3" "A code sent to the mobile number of whoever registers."
    PasswordExpiry "PWDEXPIRY3" "Passwords that have grown too old must be changed."
    MobileRecovery "MOBILEFORGOTPASS3" "A new password by a code to the phone."
    UniformRecovery "UNIFORMRECOVERY3" "Asking for a forgotten password has one answer, whether the member exists or not."
    SocialOidc "SOCIALOIDC3" "Sign-in through the provider that speaks OpenID Connect."
    SocialOauth "SOCIALOAUTH3" "Sign-in through the provider that speaks OAuth 2."
    PhoneService "PHONESERVICE3" "Login through the service that verifies phone numbers."
    RememberedPasswords "REMEMBERPASS3" "Passwords that a browser remembers for a day."
    AutoPlay "AUTOPLAY3" "Games that a player lets play on by themselves."
    Referral "REFERRAL3" "Members invite others by a link of their own."
}

/// A switch that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) mod_id: &'static str,
    /// The switch above it; while that is off, this one is.
    pub(super) parent: Option<&'static str>,
    /// How it is where nobody has turned it.
    pub(super) default: bool,
}

const fn known(mod_id: &'static str, parent: Option<&'static str>, default: bool) -> Known {
    Known { mod_id, parent, default }
}

const LOGIN: Option<&str> = Some("LOGIN");
const REGISTER: Option<&str> = Some("REGISTER");
const AGENT: Option<&str> = Some("AGENT");
const GAMES: Option<&str> = Some("GAMES");
const PROMO: Option<&str> = Some("PROMO");

/// The tree, parents before their children. Login by username is open, and registration by
/// username and by mobile number, which a code has to confirm. A forgotten password is replaced
/// by mail or phone.
pub(super) const KNOWN: &[Known] = &[
    known("LOGIN", None, true),
    known("COMM3", LOGIN, true),
    known("MOBILEVERCODELOGIN3", LOGIN, true),
    known("SOCIALOIDC3", LOGIN, true),
    known("SOCIALOAUTH3", LOGIN, true),
    // Pages that see it on use the service instead of our own codes, so it must exist first.
    known("PHONESERVICE3", LOGIN, false),
    known("REGISTER", None, true),
    known("DIRECTREG3", REGISTER, true),
    known("USERNAMEREG3", REGISTER, true),
    known("MOBILENUMREG3", REGISTER, true),
    known("MOBILENUMPASSREG3", REGISTER, true),
    known("REGMOBVERF3", REGISTER, true),
    known("PWDEXPIRY3", LOGIN, false),
    known("MOBILEFORGOTPASS3", LOGIN, true),
    known("UNIFORMRECOVERY3", LOGIN, false),
    known("REMEMBERPASS3", LOGIN, true),
    // Of the agents' center, which nothing asks for before there is one.
    known("AGENT", None, true),
    known("AGENTPOLICY3", AGENT, false),
    known("enableCt", AGENT, false),
    known("salary", AGENT, false),
    known("hourSalary", AGENT, false),
    known("agentRealtimeSalary", AGENT, false),
    known("GAMES", None, true),
    known("AUTOPLAY3", GAMES, true),
    known("PROMO", None, true),
    known("REFERRAL3", PROMO, true),
];

impl Known {
    /// The switch of a name.
    pub(super) fn find(mod_id: &str) -> Option<Self> {
        KNOWN.iter().copied().find(|known| known.mod_id == mod_id)
    }

    /// Whether anything asks for it, or for a switch under it.
    pub(super) fn is_asked(self) -> bool {
        let below = || KNOWN.iter().filter(|known| known.parent == Some(self.mod_id));
        Switch::ALL.iter().any(|switch| switch.mod_id() == self.mod_id)
            || below().any(|known| known.is_asked())
    }
}

/// Every switch as it is, where these were turned. Names that there are not any more count for
/// nothing.
pub(super) fn all(turned: &BTreeMap<String, bool>) -> BTreeMap<&'static str, bool> {
    let state = |known: &Known| turned.get(known.mod_id).copied().unwrap_or(known.default);
    KNOWN.iter().map(|known| (known.mod_id, state(known))).collect()
}

/// The tree of all switches.
pub(super) fn tree(turned: &BTreeMap<String, bool>) -> Vec<SwitchNode> {
    branch(&all(turned), None)
}

fn branch(states: &BTreeMap<&'static str, bool>, parent: Option<&str>) -> Vec<SwitchNode> {
    let children = KNOWN.iter().filter(|known| known.parent == parent);
    let node = |known: &Known| SwitchNode {
        mod_id: known.mod_id.to_owned(),
        enabled: if states.get(known.mod_id) == Some(&true) { "1" } else { "0" },
        children_nodes: branch(states, Some(known.mod_id)),
    };
    children.map(node).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_switch_stands_in_the_tree_once_below_one_that_comes_before() {
        let mut seen = BTreeSet::new();
        for known in KNOWN {
            assert!(known.parent.is_none_or(|parent| seen.contains(parent)), "{}", known.mod_id);
            assert!(seen.insert(known.mod_id), "{} twice", known.mod_id);
        }
        for switch in Switch::ALL {
            assert!(seen.contains(switch.mod_id()), "{switch:?} is in the tree");
        }
    }

    #[test]
    fn the_names_of_the_specification_are_all_there() {
        for name in [
            "COMM3",
            "MOBILEVERCODELOGIN3",
            "DIRECTREG3",
            "USERNAMEREG3",
            "MOBILENUMREG3",
            "MOBILENUMPASSREG3",
            "REGMOBVERF3",
            "AGENTPOLICY3",
            "enableCt",
            "salary",
            "hourSalary",
            "agentRealtimeSalary",
        ] {
            assert!(Known::find(name).is_some(), "{name}");
        }
        assert!(Known::find("LOGIN").unwrap().is_asked());
        assert!(!Known::find("AGENT").unwrap().is_asked());
    }

    #[test]
    fn what_nobody_has_turned_is_as_it_is_by_default() {
        let turned = BTreeMap::from([("COMM3".to_owned(), false), ("GONE".to_owned(), true)]);
        let states = all(&turned);
        assert_eq!((states["COMM3"], states["PWDEXPIRY3"], states["LOGIN"]), (false, false, true));
        assert_eq!(states.len(), KNOWN.len());
        let tree = tree(&turned);
        let login = &tree[0];
        assert_eq!((login.mod_id.as_str(), login.enabled), ("LOGIN", "1"));
        assert_eq!(login.children_nodes[0].enabled, "0");
    }
}
