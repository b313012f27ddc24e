//! Rights of office staff in this domain. A role has only the rights that it was given.

staff::rights! {
    RoundsRead "rounds.read" "See the rounds that members played"
}
