//! Staff rights of this domain. A role has only the rights that it lists.

staff::rights! {
    ContentRead "content.read" "See what sites tell their visitors, and how it was before"
    ContentWrite "content.write" "Write banners, announcements, notices, help, pages and promotions; upload files"
}
