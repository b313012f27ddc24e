//! The error codes of this domain.

platform::error_codes! {
    UNKNOWN_GAME "games.unknown_game" NOT_FOUND "There is no such game"
    UNKNOWN_ROUND "games.unknown_round" NOT_FOUND "There is no such round"
    STAKE_OUT_OF_RANGE "games.stake_out_of_range" BAD_REQUEST "The stake is outside the limits of this game"
    PAYOUT_TOO_LARGE "games.payout_too_large" BAD_REQUEST "The possible payout is above the limit of this game"
    CHOICE_INVALID "games.choice_invalid" BAD_REQUEST "This choice cannot be played"
    ACTION_INVALID "games.action_invalid" BAD_REQUEST "This is not possible in the round now"
    ROUND_OPEN "games.round_open" CONFLICT "A round is still open: finish it first"
    ROUND_MOVED_ON "games.round_moved_on" CONFLICT "The round has moved on: look at it again"
    MAINTENANCE "games.maintenance" CONFLICT "This game is under maintenance, please try another one"
    UNKNOWN_VENDOR "games.unknown_vendor" NOT_FOUND "There is no such vendor"
    FAVORITES_FULL "games.favorites_full" CONFLICT "You have as many favorites as there can be, take one away first"
}
