//! Rights of office staff in this domain. A role has only the rights that it was given.

staff::rights! {
    WalletRead "wallet.read" "See balances of members, and every movement behind them"
    WalletCorrect "wallet.correct" "Ask for a correction of a member's balance"
    WalletApprove "wallet.approve" "Decide on corrections that somebody else asked for"
}
