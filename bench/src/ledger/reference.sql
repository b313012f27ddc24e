-- The reference: the same rows as the writer's, in tables of the same shape, one transaction per
-- round. What it leaves out makes it faster: no random draw, no push events, no house row, no lookup
-- of the idempotency key before the index refuses it, no serialization of the hashed fields.
--
-- The check constraints of the tables are kept, because they are the same guarantee. PostgreSQL
-- prepares them for every statement, so a batch pays for that once and the reference for each round.
create schema reference;

create table reference.wallet_holders (like public.wallet_holders including all)
    with (fillfactor = 50);
create table reference.wallet_transfers (like public.wallet_transfers including all);
create table reference.games_rounds (like public.games_rounds including all);

insert into reference.wallet_holders select * from public.wallet_holders;
insert into reference.wallet_transfers select * from public.wallet_transfers;

-- The update comes first: it locks, checks and hashes in one statement. `head` is the hash of the
-- stake's row, so that a win hashes twice and a loss once, as in the writer.
create function reference.play(
    player uuid, round uuid, played_at timestamptz, stake bigint, payout bigint,
    used_key text, used_body bytea, stake_entry bytea, payout_entry bytea,
    choice text, book text
) returns bigint language plpgsql as $$
declare
    merchant uuid;
    money text;
    balance bigint;
    last_seq bigint;
    head bytea;
    seed uuid;
    turn bigint;
begin
    update reference.wallet_holders h
    set main = h.main - stake + payout,
        seq = h.seq + case when payout > 0 then 2 else 1 end,
        hash = sha256(h.hash || stake_entry),
        desk_count = h.desk_count + 1
    where h.holder_id = player and h.main >= stake
    returning h.merchant_id, h.currency, h.main, h.seq, h.hash, h.desk_ref, h.desk_count - 1
    into merchant, money, balance, last_seq, head, seed, turn;
    if merchant is null then
        raise exception 'not enough balance';
    end if;

    if payout > 0 then
        insert into reference.wallet_transfers
            (holder_id, seq, amount, debit_after, credit_after, at, ref, currency, debit, credit,
             kind, key, body_hash, hash)
        values
            (player, last_seq - 1, stake, balance - payout, null, played_at, round, money,
             'main', 'house:games', 'stake', used_key, used_body, head),
            (player, last_seq, payout, null, balance, played_at, round, money,
             'house:games', 'main', 'payout', null, null, sha256(head || payout_entry));
    else
        insert into reference.wallet_transfers
            (holder_id, seq, amount, debit_after, credit_after, at, ref, currency, debit, credit,
             kind, key, body_hash, hash)
        values
            (player, last_seq, stake, balance, null, played_at, round, money,
             'main', 'house:games', 'stake', used_key, used_body, head);
    end if;

    insert into reference.games_rounds
        (member_id, id, merchant_id, seed_id, nonce, stake, payout, played_at, game_code, currency,
         most, choice, actions, book)
    values
        (player, round, merchant, seed, turn, stake, payout, played_at, 'dice', money,
         10000000000, choice::json, '[]', book::json);
    return balance;
end $$;
