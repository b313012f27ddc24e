//! Rights (permissions) of staff in this domain. Without a role that grants it, a right is denied.

staff::rights! {
    AffiliatesRead "affiliates.read" "Read affiliate applications"
    AffiliatesWrite "affiliates.write" "Decide affiliate applications"
}
