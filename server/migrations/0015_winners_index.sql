-- The winners board is read from the end of the index, and written there: a new round has the
-- highest id, and PostgreSQL appends to the last page of an index without looking for it.
drop index games_rounds_winners;
create index games_rounds_winners on games_rounds (merchant_id, id)
    where payout > stake and currency <> 'FUN';
