//! The switches (feature flags) of a merchant: their names, their tree (`whitelabel`) and their
//! defaults.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// A switch in the whitelabel tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(no_recursion)]
pub struct SwitchNode {
    /// The name of the switch.
    pub mod_id: String,
    /// `1` on, `0` off.
    pub enabled: &'static str,
    /// Its children, which are off while it is off.
    pub children_nodes: Vec<SwitchNode>,
}

macro_rules! checked_switches {
    ($($variant:ident $mod_id:literal $sentence:literal)*) => {
        /// The switches that the server checks.
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

checked_switches! {
    UsernameLogin "COMM3" "Login by username."
    MobileLogin "MOBILEVERCODELOGIN3" "Login by a code sent to the mobile number."
    Registration "DIRECTREG3" "Registration in any form."
    UsernameRegistration "USERNAMEREG3" "Registration by username."
    MobileRegistration "MOBILENUMREG3" "Registration by mobile number."
    MobileRegistrationPassword "MOBILENUMPASSREG3" "A password in the registration by mobile number."
    RegistrationCode "REGMOBVERF3" "Registration confirms the mobile number by a verification code."
    PasswordExpiry "PWDEXPIRY3" "Passwords expire after the number of days in the policy."
    MobileRecovery "MOBILEFORGOTPASS3" "Password recovery by a code sent to the mobile number."
    UniformRecovery "UNIFORMRECOVERY3" "Password recovery gives the same answer whether the member exists or not."
    SocialOidc "SOCIALOIDC3" "Social login through the OpenID Connect provider."
    SocialOauth "SOCIALOAUTH3" "Social login through the OAuth 2 provider."
    PhoneService "PHONESERVICE3" "Login through the phone verification service."
    RememberedPasswords "REMEMBERPASS3" "The browser may remember a password for a day."
    AutoPlay "AUTOPLAY3" "Automatic play in games."
    Referral "REFERRAL3" "Members invite others by a referral link."
}

/// The definition of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownSwitch {
    pub(super) mod_id: &'static str,
    /// The parent switch. While it is off, this one counts as off.
    pub(super) parent: Option<&'static str>,
    /// The state until an operator sets it.
    pub(super) default: bool,
}

const fn known(mod_id: &'static str, parent: Option<&'static str>, default: bool) -> KnownSwitch {
    KnownSwitch { mod_id, parent, default }
}

const LOGIN: Option<&str> = Some("LOGIN");
const REGISTER: Option<&str> = Some("REGISTER");
const AGENT: Option<&str> = Some("AGENT");
const GAMES: Option<&str> = Some("GAMES");
const PROMO: Option<&str> = Some("PROMO");

/// All switches, parents before their children. By default login by username is open, and so is
/// registration by username and by mobile number, which needs a verification code. A forgotten
/// password is recovered by e-mail or phone.
pub(super) const KNOWN: &[KnownSwitch] = &[
    known("LOGIN", None, true),
    known("COMM3", LOGIN, true),
    known("MOBILEVERCODELOGIN3", LOGIN, true),
    known("SOCIALOIDC3", LOGIN, true),
    known("SOCIALOAUTH3", LOGIN, true),
    // Off by default: pages that see it on use the service instead of our own codes, so the service
    // must be configured first.
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
    // For the agents' center. Nothing checks these switches yet.
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

impl KnownSwitch {
    /// The switch with this name.
    pub(super) fn find(mod_id: &str) -> Option<Self> {
        KNOWN.iter().copied().find(|known| known.mod_id == mod_id)
    }

    /// Whether the server checks it or one of its children.
    pub(super) fn is_checked(self) -> bool {
        let children = || KNOWN.iter().filter(|known| known.parent == Some(self.mod_id));
        Switch::ALL.iter().any(|switch| switch.mod_id() == self.mod_id)
            || children().any(|known| known.is_checked())
    }
}

/// The state of every switch: as stored, otherwise the default. Stored names that no longer exist
/// are ignored.
pub(super) fn all(stored: &BTreeMap<String, bool>) -> BTreeMap<&'static str, bool> {
    let state = |known: &KnownSwitch| stored.get(known.mod_id).copied().unwrap_or(known.default);
    KNOWN.iter().map(|known| (known.mod_id, state(known))).collect()
}

/// The tree of all switches, from the stored states.
pub(super) fn tree(stored: &BTreeMap<String, bool>) -> Vec<SwitchNode> {
    subtree(&all(stored), None)
}

fn subtree(states: &BTreeMap<&'static str, bool>, parent: Option<&str>) -> Vec<SwitchNode> {
    let children = KNOWN.iter().filter(|known| known.parent == parent);
    let node = |known: &KnownSwitch| SwitchNode {
        mod_id: known.mod_id.to_owned(),
        enabled: if states.get(known.mod_id) == Some(&true) { "1" } else { "0" },
        children_nodes: subtree(states, Some(known.mod_id)),
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
            assert!(KnownSwitch::find(name).is_some(), "{name}");
        }
        assert!(KnownSwitch::find("LOGIN").unwrap().is_checked());
        assert!(!KnownSwitch::find("AGENT").unwrap().is_checked());
    }

    #[test]
    fn what_nobody_has_turned_is_as_it_is_by_default() {
        let stored = BTreeMap::from([("COMM3".to_owned(), false), ("GONE".to_owned(), true)]);
        let states = all(&stored);
        assert_eq!((states["COMM3"], states["PWDEXPIRY3"], states["LOGIN"]), (false, false, true));
        assert_eq!(states.len(), KNOWN.len());
        let tree = tree(&stored);
        let login = &tree[0];
        assert_eq!((login.mod_id.as_str(), login.enabled), ("LOGIN", "1"));
        assert_eq!(login.children_nodes[0].enabled, "0");
    }
}
