//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    ContentRead "content.read" "See what sites tell their visitors, and how it was before"
    ContentWrite "content.write" "Write banners, announcements, notices, help, pages and promotions; upload files"
}
