-- What the roles of the beginning may do with settings, members, messages and the service.
update staff_roles set rights = rights || '{members.read,wallet.read,rounds.read}'
    where name = 'cashier';
update staff_roles
    set rights = rights || '{members.read,members.write,wallet.read,rounds.read,outbox.read}'
    where name = 'support';
update staff_roles set rights = rights || '{settings.read}' where name = 'content';
update staff_roles
    set rights = rights
        || '{settings.read,members.read,wallet.read,rounds.read,outbox.read,service.read}'
    where name = 'auditor';
