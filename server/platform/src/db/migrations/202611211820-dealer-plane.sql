-- What staff above the accounts need besides: lines in the logs of whom they act for, and counts of what they may not
-- see itself.

-- Staff who act inside an account or on a reseller write that down in the reseller's or the distributor's log as well, in
-- the transaction of the change. A line can only be added, and only to the logs above what the transaction may see.
create policy staff_writes on audit_log for insert to sightline_app
  with check (
    (select scoped('app.staff')) = 1
    and (
      account_id = (select scoped('app.reseller'))
      or account_id = (select scoped('app.distributor'))
      or account_id in (select r.reseller_id from resellers r where r.distributor_id = (select scoped('app.distributor')))
    )
  );

-- Who works with some accounts only works with those they add.
create policy own_new_account on staff_accounts for insert to sightline_app
  with check (
    (select scoped('app.staff')) = 1
    and user_id = (select scoped('app.user'))
    and account_id = (select scoped('app.account'))
  );

-- One customer there, one here.
create unique index accounts_by_zoho on accounts (reseller_id, zoho_id) where zoho_id is not null;

-- How much each account of the reseller holds: numbers only, its cameras themselves are not seen in that scope.
create function usage_of_accounts(ids bigint[])
  returns table (account_id bigint, sub_users bigint, cameras bigint, online bigint, devices bigint, storage_bytes bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id,
           (select count(*) from public.users u where u.account_id = a.account_id and u.user_id <> u.account_id),
           (select count(*) from public.cameras c where c.account_id = a.account_id),
           (select count(*) from public.camera_status s where s.account_id = a.account_id and s.online),
           (select count(*) from public.devices d where d.account_id = a.account_id),
           (select coalesce(sum(r.bytes), 0)::bigint from public.recording_runs r where r.account_id = a.account_id)
      from public.accounts a
     where a.reseller_id = public.scoped('app.reseller')
       and public.scoped('app.staff') = 1
       and (ids is null or a.account_id = any (ids))
  $$;

create function accounts_of_resellers(ids bigint[])
  returns table (reseller_id bigint, accounts bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.reseller_id, count(*)
      from public.accounts a
      join public.resellers r on r.reseller_id = a.reseller_id
     where a.reseller_id = any (ids)
       and public.scoped('app.staff') = 1
       and (r.reseller_id = public.scoped('app.reseller') or r.distributor_id = public.scoped('app.distributor'))
     group by a.reseller_id
  $$;
revoke execute on function usage_of_accounts(bigint[]), accounts_of_resellers(bigint[]) from public;
grant execute on function usage_of_accounts(bigint[]), accounts_of_resellers(bigint[]) to sightline_app;
