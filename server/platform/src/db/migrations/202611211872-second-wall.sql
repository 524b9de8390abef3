-- The second wall where it stood open: an account's scope could change what its dealer decides, a reseller's was there
-- without staff, and the scope of one account held every account of the reseller for the sake of a line in a log.

do $$
declare t text;
begin
  foreach t in array array['accounts', 'users', 'subscriptions', 'subscription_packages'] loop
    execute format('drop policy reseller on %I', t);
    execute format($p$create policy reseller on %I to sightline_app
      using (reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1)
      with check (reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1)$p$, t);
  end loop;
end $$;
alter policy provider on distributors
  using ((select scoped('app.provider')) = 1 and (select scoped('app.staff')) = 1)
  with check ((select scoped('app.provider')) = 1 and (select scoped('app.staff')) = 1);
alter policy distributor on resellers
  using (distributor_id = (select scoped('app.distributor')) and (select scoped('app.staff')) = 1)
  with check (distributor_id = (select scoped('app.distributor')) and (select scoped('app.staff')) = 1);
alter policy own_reseller on resellers
  using (reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1)
  with check (reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1);

-- Accounts come and go by staff.
create policy staff_adds on accounts as restrictive for insert to sightline_app
  with check ((select scoped('app.staff')) = 1);
create policy staff_removes on accounts as restrictive for delete to sightline_app
  using ((select scoped('app.staff')) = 1);

-- What a dealer decides is not changed in an account's own scope. A limit that is above that of the package goes with the
-- choice of the package, which owners may make.
create function keep_what_staff_decide() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
declare
  free text[] := array['name', 'time_zone', 'language', 'contact_details', 'helpdesk_expires_at', 'helpdesk_show_video'];
begin
  -- Other roles, triggers under the owner's rights among them, have rules of their own.
  if current_user <> 'sightline_app' or public.scoped('app.staff') = 1 then return new; end if;
  if tg_table_name = 'users' then
    if (new.account_id, new.user_id, new.reseller_id) is distinct from (old.account_id, old.user_id, old.reseller_id) then
      raise exception 'user % stays where it is', old.user_id using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if new.max_cameras is null and old.max_cameras > (select p.max_cameras from public.subscriptions s
      join public.subscription_packages p
        on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
     where s.account_id = old.account_id) then free := free || 'max_cameras'::text; end if;
  if new.max_devices is null and old.max_devices > (select p.max_devices from public.subscriptions s
      join public.subscription_packages p
        on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
     where s.account_id = old.account_id) then free := free || 'max_devices'::text; end if;
  if to_jsonb(new) - free <> to_jsonb(old) - free then
    raise exception 'what staff decide of account % stays', old.account_id using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_what_staff_decide before update on accounts for each row execute function keep_what_staff_decide();
create trigger keep_what_staff_decide before update of account_id, user_id, reseller_id on users for each row
  execute function keep_what_staff_decide();

-- A line in a reseller's log, without the sight of its accounts.
alter policy staff_writes on audit_log
  with check (
    (select scoped('app.staff')) = 1
    and (
      account_id = (select scoped('app.reseller'))
      or account_id = (select scoped('app.reseller_log'))
      or account_id = (select scoped('app.distributor'))
      or account_id in (select r.reseller_id from resellers r where r.distributor_id = (select scoped('app.distributor')))
    )
  );

-- Of one account in its own scope as well.
create or replace function usage_of_accounts(ids bigint[])
  returns table (account_id bigint, sub_users bigint, cameras bigint, online bigint, devices bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id,
           (select count(*) from public.users u where u.account_id = a.account_id and u.user_id <> u.account_id),
           (select count(*) from public.cameras c where c.account_id = a.account_id),
           (select count(*) from public.camera_status s where s.account_id = a.account_id and s.online),
           (select count(*) from public.devices d where d.account_id = a.account_id)
      from public.accounts a
     where (a.reseller_id = public.scoped('app.reseller') or a.account_id = public.scoped('app.account'))
       and public.scoped('app.staff') = 1
       and (ids is null or a.account_id = any (ids))
  $$;

-- Who is behind an organisation, and how to reach them, is no business of the planes that know its look and modules.
revoke select on distributors, resellers from sightline_auth, sightline_media;
grant select (distributor_id, name, theme, created_at) on distributors to sightline_auth, sightline_media;
grant select (reseller_id, distributor_id, name, modules, theme, created_at) on resellers to sightline_auth, sightline_media;
