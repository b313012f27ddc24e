//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    MembersRead "members.read" "Find members and see their accounts"
    MembersWrite "members.write" "Freeze accounts and open them again, end sessions, ask for a new password"
    MembersClose "members.close" "Close accounts for good"
}
