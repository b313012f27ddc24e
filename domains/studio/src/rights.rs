//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    RoundsRead "rounds.read" "See the rounds that members played"
}
