-- A person of a provider is kept under its issuer: another provider in the same settings must not inherit
-- people by their ids. Only people who came through a provider have rows; the issuer of those from before is
-- empty, and is noted when they come the next time.
alter table sessions_identities
    add column issuer text not null default '' check (length(issuer) <= 2048),
    drop constraint sessions_identities_pkey,
    add primary key (merchant_id, provider, issuer, subject);

grant update (issuer) on sessions_identities to capiz_server;
