//! Error codes of the wallet's calls.

platform::error_codes! {
    INSUFFICIENT_FUNDS "wallet.insufficient_funds" CONFLICT "Not enough balance"
    KEY_REUSED "wallet.key_reused" CONFLICT "This key was used for another request"
    LIMIT "wallet.limit" CONFLICT "The account cannot hold this amount"
    IMPOSSIBLE "wallet.impossible" CONFLICT "This is not possible any more"
    UNKNOWN_KEY "wallet.unknown_key" NOT_FOUND "Nothing was done under this key"
    NO_PROOF "wallet.no_proof" NOT_FOUND "There is no proof of this day for this account"
    UNKNOWN_TRANSFER "wallet.unknown_transfer" NOT_FOUND "There is no such transfer"
}
