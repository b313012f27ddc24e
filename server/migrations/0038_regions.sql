-- Where a merchant is not open at all, and what it does not offer in a place.
alter table site_policies
    -- Visitors from there find a page that says so.
    add column restricted boolean not null default false,
    -- Categories of games that are not offered there.
    add column closed_categories text[] not null default '{}'
        constraint site_policies_closed check (closed_categories <@
            '{RNG,BINGO,LIVE,SPORTS,ESPORTS,COCKFIGHT,PVP,FISH,LOTT,ELOTT}'::text[]);
