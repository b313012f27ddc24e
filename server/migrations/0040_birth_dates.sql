-- Fields that must be filled in wherever a form has them: the rules say so, too. Some rows of each
-- merchant's settings.
update site_register_rules set required = true
where field in ('birthday', 'captcha', 'paymentPassword') and not required;
