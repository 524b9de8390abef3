-- A camera that could not be added takes no slot until it is tried again; beyond 50 of them they do, so that nobody keeps trying
-- without end. As before besides (202611271030).
create or replace function hold_limit() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  most integer;
  present bigint;
begin
  perform from public.accounts a where a.account_id = new.account_id for no key update;
  case tg_argv[0]
    when 'sub_users' then
      if new.user_id = new.account_id then return new; end if;
      select coalesce(a.max_sub_users, r.max_sub_users) into most
        from public.accounts a join public.resellers r on r.reseller_id = a.reseller_id where a.account_id = new.account_id;
      select count(*) into present from public.users u where u.account_id = new.account_id and u.user_id <> u.account_id;
    when 'cameras' then
      select case when s.ended_at is not null then 0 else coalesce(a.max_cameras, p.max_cameras) end into most
        from public.accounts a
        left join public.subscriptions s on s.account_id = a.account_id
        left join public.subscription_packages p
          on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
       where a.account_id = new.account_id;
      select count(*) filter (where c.addition_status <> 'failure')
             + greatest(0, count(*) filter (where c.addition_status = 'failure') - 50) into present
        from public.cameras c
       where c.account_id = new.account_id and c.transferred_at is null;
    else
      select case when s.ended_at is not null then 0 else coalesce(a.max_devices, p.max_devices) end into most
        from public.accounts a
        left join public.subscriptions s on s.account_id = a.account_id
        left join public.subscription_packages p
          on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
       where a.account_id = new.account_id;
      select count(*) into present from public.devices d where d.account_id = new.account_id;
  end case;
  if present >= most then
    raise exception 'account % may hold % %', new.account_id, most, tg_argv[0]
      using errcode = 'check_violation', constraint = 'limit_of_' || tg_argv[0], table = tg_table_name;
  end if;
  return new;
end $$;
create or replace function usage_of_accounts(ids bigint[])
  returns table (account_id bigint, sub_users bigint, cameras bigint, online bigint, devices bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id,
           (select count(*) from public.users u where u.account_id = a.account_id and u.user_id <> u.account_id),
           (select count(*) from public.cameras c where c.account_id = a.account_id and c.transferred_at is null
              and c.addition_status <> 'failure'),
           (select count(*) from public.camera_status s where s.account_id = a.account_id and s.online),
           (select count(*) from public.devices d where d.account_id = a.account_id)
      from public.accounts a
     where (a.reseller_id = public.scoped('app.reseller') or a.account_id = public.scoped('app.account'))
       and public.scoped('app.staff') = 1
       and (ids is null or a.account_id = any (ids))
  $$;

-- Trying again takes a slot.
create trigger limit_of_retried_cameras before update of addition_status on cameras
  for each row when (old.addition_status = 'failure' and new.addition_status <> 'failure')
  execute function hold_limit('cameras');
