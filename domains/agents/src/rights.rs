//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    AffiliatesRead "affiliates.read" "See who wants to become an affiliate"
    AffiliatesWrite "affiliates.write" "Decide on who becomes an affiliate"
}
