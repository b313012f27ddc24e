//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    SettingsRead "settings.read" "See the settings and how they were before"
    SettingsWrite "settings.write" "Change settings: sites, switches, rules, policies, maintenance"
}
