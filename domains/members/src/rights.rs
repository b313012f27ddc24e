//! Rights (permissions) of staff in this domain. Without a role that grants it, a right is denied.

staff::rights! {
    MembersRead "members.read" "Find members and see their accounts"
    MembersWrite "members.write" "Freeze and unfreeze accounts, end sessions, require a new password"
    MembersClose "members.close" "Close accounts for good"
}
