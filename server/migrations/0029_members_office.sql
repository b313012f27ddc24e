-- What the office does with members: it finds them, freezes and closes accounts, asks for new passwords.

-- Frozen accounts can be opened again, closed ones are closed for good.
alter table members_profiles
    add column state text not null default 'active'
        constraint members_profiles_state check (state in ('active', 'frozen', 'closed')),
    -- Why, by whom and when the account came into its state; null where it never left the first one.
    add column state_reason text,
    add column state_by text,
    add column state_at timestamptz;

-- Staff asked for another password; nobody but the member chooses it.
alter table members_passwords add column must_change boolean not null default false;

-- As it was when the session began: until there is another password the member neither plays nor moves
-- money.
alter table sessions_tokens add column must_change boolean not null default false;

alter table wallet_holders
    -- The member's own orders are refused, under the lock that decides them.
    add column is_frozen boolean not null default false,
    -- Nothing is posted any more.
    add column is_closed boolean not null default false;

grant update (is_frozen, is_closed) on wallet_holders to capiz_server;

-- Serves the office's list of members: of each merchant, kind and state the newest or the oldest.
create index members_profiles_listed on members_profiles (merchant_id, kind, state, member_id);

-- These serve the office's search by the beginning of a name, number or address, whatever the merchant.
-- Byte by byte, because the database's own order may know no beginnings.
create index members_names_found on members_names (name collate "C", member_id);
create index members_mobiles_found on members_mobiles (mobile collate "C", member_id);
create index members_emails_found on members_emails (email collate "C", member_id);
create index members_profiles_demo_found on members_profiles (account collate "C", member_id)
    where kind = 4;

-- Serves the list of a member's social accounts.
create index sessions_identities_member on sessions_identities (member_id);

-- These serve the search for a round by its number alone, and for the transfers of a moment. Rows are
-- appended in the order of time, so that one note per 32 pages is enough and writing costs next to nothing.
create index games_rounds_found on games_rounds using brin (id)
    with (pages_per_range = 32, autosummarize = on);
create index wallet_transfers_when on wallet_transfers using brin (at)
    with (pages_per_range = 32, autosummarize = on);
