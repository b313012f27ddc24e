-- The active pair and the next nonce move from the studio's row of a member to the wallet's, as what
-- the desk remembers of a holder: a round then locks, reads and writes one row instead of two.
alter table wallet_holders
    add column desk_ref uuid,
    add column desk_count bigint not null default 0;

update wallet_holders h
set desk_ref = p.active_id, desk_count = p.next_nonce
from studio_players p
where p.member_id = h.holder_id;

alter table studio_players
    drop column active_id,
    drop column next_nonce;

grant update (desk_ref, desk_count) on wallet_holders to capiz_server;
