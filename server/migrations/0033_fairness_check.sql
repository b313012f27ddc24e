-- Rounds are played again, too: a sample of them every hour.
alter table service_checks drop constraint service_checks_what_check;
alter table service_checks
    add constraint service_checks_what_check check (what in ('ledger', 'trail', 'rounds'));
