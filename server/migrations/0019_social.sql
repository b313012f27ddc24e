-- Signing in through somebody else: social providers and a service that verifies phone numbers.

-- Who a provider says somebody is, and which member that is here. A reservation, like that of
-- usernames: one subject of a provider is one member of a merchant.
create table sessions_identities (
    merchant_id uuid not null,
    provider text not null check (provider in ('oidc', 'oauth')),
    -- The provider's own id of the person; it never changes, unlike names and e-mails.
    subject text not null check (length(subject) between 1 and 255),
    member_id uuid not null,
    linked_at timestamptz not null,
    primary key (merchant_id, provider, subject)
);

-- Sign-ins that have left for the provider and are not back yet.
create table sessions_social_states (
    state_hash bytea primary key check (octet_length(state_hash) = 32),
    merchant_id uuid not null,
    provider text not null,
    -- The browser that left, by the cookie that comes back with it from another site.
    browser_hash bytea not null check (octet_length(browser_hash) = 32),
    -- The device that the session will be bound to; its cookie stays away on that way back.
    device_hash bytea not null check (octet_length(device_hash) = 32),
    -- Nonce, PKCE verifier and the address to return to, encrypted and bound to the state.
    sealed bytea not null,
    ends_at timestamptz not null
);

create index sessions_social_states_ends_at on sessions_social_states (ends_at);

-- Sign-ins that are back and wait for the page to begin the session.
create table sessions_social_tickets (
    member_id uuid not null,
    ticket_hash bytea not null check (octet_length(ticket_hash) = 32),
    merchant_id uuid not null,
    provider text not null,
    device_hash bytea not null check (octet_length(device_hash) = 32),
    ends_at timestamptz not null,
    primary key (member_id, ticket_hash)
);

create index sessions_social_tickets_ends_at on sessions_social_tickets (ends_at);

-- Id tokens of the phone service that were used: each opens one door once.
create table sessions_phone_tokens (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    ends_at timestamptz not null
);

create index sessions_phone_tokens_ends_at on sessions_phone_tokens (ends_at);

grant select, insert on sessions_identities to capiz_server;
grant select, insert, delete on sessions_social_states, sessions_social_tickets,
    sessions_phone_tokens to capiz_server;

-- The switches of these ways in, off until the operator wants them. They hang under the switch of
-- all log-ins where the merchant has one.
insert into site_switches (merchant_id, mod_id, parent_mod_id, position, enabled)
select m.id, s.mod_id, parent.mod_id, s.position, false
from site_merchants m
cross join (values
    ('SOCIALOIDC3', 100::smallint), ('SOCIALOAUTH3', 101::smallint), ('PHONESERVICE3', 102::smallint)
) as s (mod_id, position)
left join site_switches parent on parent.merchant_id = m.id and parent.mod_id = 'LOGIN'
on conflict do nothing;
