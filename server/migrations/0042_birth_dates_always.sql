-- Every form of registering asks for the birth date: the minimum age of a policy is nothing without it. A few rows
-- of each merchant's settings at most.
update site_register_rules set enabled = true, required = true where field = 'birthday' and not enabled;
