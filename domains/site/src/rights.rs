//! Staff rights of this domain. A role has only the rights that it lists.

staff::rights! {
    SettingsRead "settings.read" "See the settings and how they were before"
    SettingsWrite "settings.write" "Change settings: sites, switches, rules, policies, maintenance"
}
