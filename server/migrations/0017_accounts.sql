-- What a member may be asked and must prove: rules of registration, policies, contact details,
-- older passwords, log-ins.

-- What each field of the registration form may hold, per merchant. Fields without a row have the
-- server's defaults (site/rules.rs), which new merchants begin with.
create table site_register_rules (
    merchant_id uuid not null references site_merchants (id),
    field text not null check (field ~ '^[A-Za-z]{2,32}$'),
    enabled boolean not null,
    required boolean not null,
    -- In characters.
    min_length smallint not null check (min_length >= 1),
    max_length smallint not null check (max_length <= 1024),
    -- An id of rules::patterns.
    pattern_id text not null constraint site_register_rules_pattern check (pattern_id in (
        'any', 'alphanumeric', 'letter_first', 'chinese_digits', 'email', 'digits',
        'one_uppercase', 'uppercase', 'mixed', 'full_name', 'no_spaces', 'english', 'date_ymd',
        'date_mdy', 'korean', 'thai', 'kanji', 'hiragana', 'full_width', 'mobile'
    )),
    primary key (merchant_id, field),
    constraint site_register_rules_lengths check (min_length <= max_length)
);

-- What the law of a place asks of a merchant. The country `*` is the merchant's default.
create table site_policies (
    merchant_id uuid not null references site_merchants (id),
    country text not null default '*' check (country = '*' or country ~ '^[A-Z]{2}$'),
    -- In years; the server takes it from the birth date.
    minimum_age smallint not null default 21 check (minimum_age between 18 and 99),
    -- After how many days a password has to be changed, where the switch PWDEXPIRY3 is on.
    password_days smallint check (password_days > 0),
    -- Of mobile numbers that come without one.
    dialing_code text not null default '63' check (dialing_code ~ '^[1-9][0-9]{0,2}$'),
    primary key (merchant_id, country)
);

grant select, insert, update on site_register_rules, site_policies to capiz_server;

insert into site_policies (merchant_id) select id from site_merchants;

insert into site_register_rules
select m.id, r.* from site_merchants m cross join (values
    ('username', true, true, 4::smallint, 16::smallint, 'letter_first'),
    ('password', true, true, 8, 64, 'any'),
    ('confirmPassword', true, true, 8, 64, 'any'),
    ('mobileNum', true, false, 7, 14, 'mobile'),
    ('email', true, false, 6, 254, 'email'),
    ('nickname', true, false, 2, 24, 'any'),
    ('payeeName', true, false, 2, 64, 'any'),
    ('paymentPassword', false, true, 6, 6, 'digits'),
    ('affiliateCode', true, false, 4, 16, 'alphanumeric'),
    ('recommenderId', false, false, 4, 32, 'no_spaces'),
    ('referralCode', true, false, 4, 16, 'alphanumeric'),
    ('captcha', false, true, 4, 8, 'alphanumeric'),
    ('verificationCode', true, false, 1, 255, 'any'),
    ('qqNum', false, false, 5, 12, 'digits'),
    ('whatsapp', false, false, 3, 32, 'no_spaces'),
    ('facebook', false, false, 3, 64, 'any'),
    ('telegram', false, false, 3, 64, 'no_spaces'),
    ('zalo', false, false, 3, 32, 'no_spaces'),
    ('line', false, false, 3, 64, 'no_spaces'),
    ('wechat', false, false, 3, 32, 'no_spaces'),
    ('idNumber', false, false, 4, 32, 'any'),
    ('birthday', true, false, 10, 10, 'date_ymd'),
    ('address', false, false, 4, 255, 'any'),
    ('nationality', false, false, 2, 64, 'any'),
    ('occupation', false, false, 2, 64, 'any'),
    ('sourceOfIncome', false, false, 2, 64, 'any'),
    ('domain', true, false, 1, 255, 'no_spaces')
) as r (field, enabled, required, min_length, max_length, pattern_id);

-- The switches that came with them, for merchants that have the switches above them.
insert into site_switches (merchant_id, mod_id, parent_mod_id, position, enabled)
select s.merchant_id, n.mod_id, s.mod_id, n.position, n.enabled
from site_switches s join (values
    ('REGISTER', 'MOBILENUMPASSREG3', 100::smallint, true),
    ('REGISTER', 'REGMOBVERF3', 101, false),
    ('LOGIN', 'PWDEXPIRY3', 102, false)
) as n (parent, mod_id, position, enabled) on n.parent = s.mod_id
on conflict do nothing;

-- Reservations, like that of usernames: what belongs to one member of a merchant at most.
create table members_mobiles (
    merchant_id uuid not null,
    -- As E.164 writes it.
    mobile text not null check (mobile ~ '^\+[1-9][0-9]{4,14}$'),
    member_id uuid not null,
    primary key (merchant_id, mobile)
);

create table members_emails (
    merchant_id uuid not null,
    email text not null check (email = lower(email)),
    member_id uuid not null,
    primary key (merchant_id, email)
);

-- The code that a member invites others with.
create table members_codes (
    merchant_id uuid not null,
    code text not null check (code ~ '^[A-Z0-9]{4,16}$'),
    member_id uuid not null,
    primary key (merchant_id, code)
);

grant select, insert on members_mobiles, members_emails, members_codes to capiz_server;

-- What is known of a person. Apart from the profile, which many lists read. Trials have none.
create table members_details (
    member_id uuid primary key references members_profiles (member_id),
    affiliate_code text not null,
    icon text not null default 'capiz',
    mobile text,
    -- When a code that was sent there came back.
    mobile_verified_at timestamptz,
    email text,
    email_verified_at timestamptz,
    payee_name text,
    birthday date,
    -- Encrypted with a key of the installation and bound to the member.
    id_number bytea,
    -- A keyed hash: finds who else gave the same number.
    id_number_mac bytea check (octet_length(id_number_mac) = 32),
    qq_num text,
    whatsapp text,
    facebook text,
    telegram text,
    zalo text,
    line text,
    wechat text,
    address text,
    nationality text,
    occupation text,
    source_of_income text,
    -- Where the member came from.
    domain text,
    register_url text,
    register_method text,
    constraint members_details_id_number check ((id_number is null) = (id_number_mac is null))
);

-- Serves the search for other members with the same identity.
create index members_details_id_number_mac on members_details (id_number_mac)
    where id_number_mac is not null;

-- Every member has a code from now on; those that exist get one.
insert into members_details (member_id, affiliate_code)
select member_id, upper(substr(md5(member_id::text || random()::text), 1, 12))
from members_profiles where kind <> 4;

insert into members_codes (merchant_id, code, member_id)
select p.merchant_id, d.affiliate_code, p.member_id
from members_details d join members_profiles p using (member_id);

-- The agent above a member, by the invitation code that it registered with.
create table members_uplines (
    member_id uuid primary key references members_profiles (member_id),
    upline_id uuid not null,
    code text not null,
    linked_at timestamptz not null,
    constraint members_uplines_self check (upline_id <> member_id)
);

-- Serves the list of an agent's own downlines.
create index members_uplines_upline on members_uplines (upline_id, member_id);

-- The member that recommended the site to another, for the referral program.
create table members_recommenders (
    member_id uuid primary key references members_profiles (member_id),
    recommender_id uuid not null,
    linked_at timestamptz not null,
    constraint members_recommenders_self check (recommender_id <> member_id)
);

-- Serves the list of those whom a member has recommended the site to.
create index members_recommenders_recommender on members_recommenders (recommender_id, member_id);

grant select, insert, update on members_details to capiz_server;
grant select, insert on members_uplines, members_recommenders to capiz_server;

-- Hashes that came from elsewhere have no pepper until their owner logs in, and only they may be of
-- the well-known first password.
alter table members_passwords
    add column peppered boolean not null default true,
    add column imported boolean not null default false;

-- Passwords that a member has used before, so that a change is one.
create table members_old_passwords (
    member_id uuid not null references members_profiles (member_id),
    id uuid not null,
    hash text not null,
    peppered boolean not null,
    primary key (member_id, id)
);

-- The transaction password.
create table members_payment_passwords (
    member_id uuid primary key references members_profiles (member_id),
    hash text not null,
    changed_at timestamptz not null,
    -- Wrong tries since the last right one; too many lock it for a while.
    failures smallint not null default 0 check (failures >= 0),
    locked_until timestamptz
);

grant select, insert, delete on members_old_passwords to capiz_server;
grant select, insert, update on members_payment_passwords to capiz_server;

-- Where a session was begun from, for the member's own list of devices.
alter table sessions_tokens
    add column address text,
    add column agent text;

-- Every log-in, for the member to look through.
create table sessions_entries (
    member_id uuid not null,
    -- Made in the order of time, so that it is the cursor, too.
    id uuid not null,
    at timestamptz not null,
    method text not null
        constraint sessions_entries_method check (method ~ '^[a-z_]{2,16}$'),
    address text,
    agent text,
    primary key (member_id, id)
);

-- Serves the purge.
create index sessions_entries_at on sessions_entries (at);

grant select, insert, delete on sessions_entries to capiz_server;
