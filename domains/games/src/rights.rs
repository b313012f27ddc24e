//! The staff rights of this domain. A right that no role holds is denied to everybody.

staff::rights! {
    GamesRead "games.read" "See vendors and games, and how each site offers them"
    GamesWrite "games.write" "Show and hide games, put them in order, set limits, maintenance"
}
