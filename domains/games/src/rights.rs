//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    GamesRead "games.read" "See vendors and games, and how each site offers them"
    GamesWrite "games.write" "Show and hide games, put them in order, set limits, maintenance"
}
