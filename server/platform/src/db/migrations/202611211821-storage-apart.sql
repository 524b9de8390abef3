-- How much footage an account has is summed over its recordings, thousands of rows each; lists of accounts, which do not
-- show it, need not wait for that.
drop function usage_of_accounts(bigint[]);
create function usage_of_accounts(ids bigint[])
  returns table (account_id bigint, sub_users bigint, cameras bigint, online bigint, devices bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id,
           (select count(*) from public.users u where u.account_id = a.account_id and u.user_id <> u.account_id),
           (select count(*) from public.cameras c where c.account_id = a.account_id),
           (select count(*) from public.camera_status s where s.account_id = a.account_id and s.online),
           (select count(*) from public.devices d where d.account_id = a.account_id)
      from public.accounts a
     where a.reseller_id = public.scoped('app.reseller')
       and public.scoped('app.staff') = 1
       and (ids is null or a.account_id = any (ids))
  $$;
create function storage_of_accounts(ids bigint[]) returns bigint
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(sum(r.bytes), 0)::bigint
      from public.accounts a join public.recording_runs r on r.account_id = a.account_id
     where a.reseller_id = public.scoped('app.reseller')
       and public.scoped('app.staff') = 1
       and (ids is null or a.account_id = any (ids))
  $$;
revoke execute on function usage_of_accounts(bigint[]), storage_of_accounts(bigint[]) from public;
grant execute on function usage_of_accounts(bigint[]), storage_of_accounts(bigint[]) to sightline_app;
