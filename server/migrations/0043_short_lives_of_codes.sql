-- Codes that people type live for ten minutes at most. One row a merchant.
update site_merchants set code_minutes = 10 where code_minutes > 10;
