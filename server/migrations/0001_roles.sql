-- The role that the server works as. Migrations run as the owner of the schema; the server
-- only ever has the rights that the migrations grant to this role, so that not even a bug
-- of ours can edit what is append-only.
do $$
begin
    if not exists (select from pg_roles where rolname = 'capiz_server') then
        create role capiz_server nologin;
    end if;
exception
    -- Two databases of one cluster may be migrated at the same moment.
    when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
    -- Since version 16 a role's maker is its member without the right to act as it.
    if not pg_has_role(
        current_user, 'capiz_server',
        case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end
    ) then
        execute format('grant capiz_server to %I', current_user);
    end if;
end
$$;

grant usage on schema public to capiz_server;
