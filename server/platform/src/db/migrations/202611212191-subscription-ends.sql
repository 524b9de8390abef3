-- What follows a subscription is applied when its last day has passed, and its owner is told, once.

alter table subscriptions
  -- Nothing followed: it was written down that it is over. Goes with the next choice.
  add column ended_at timestamptz(3);
create index subscriptions_by_end on subscriptions (end_date, account_id) where ended_at is null;

-- Accounts whose subscription may be over, by id, from one on. A day is over at different moments around the world: whether
-- it is in the account's own time zone is seen in its scope. It tells where to look only.
create function accounts_with_ending_subscriptions(moment timestamptz, after bigint)
  returns table (account_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select s.account_id from public.subscriptions s
     where s.ended_at is null and s.end_date < ((moment at time zone 'UTC') + interval '14 hours')::date
       and s.account_id > after
     order by s.account_id limit 200
  $$;
revoke execute on function accounts_with_ending_subscriptions(timestamptz, bigint) from public;
grant execute on function accounts_with_ending_subscriptions(timestamptz, bigint) to sightline_app;

-- The mail is written with the change that it tells of, into the account's own scope.
grant insert on mail_outbox to sightline_app;
create policy of_subscriptions on mail_outbox for insert to sightline_app
  with check (account_id = (select current_setting('app.account')::bigint)
    and kind in ('subscriptionProlonged', 'subscriptionChanged', 'subscriptionEnded'));

-- As before, besides that an account whose subscription has ended may hold nothing more than it does.
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
      select count(*) into present from public.cameras c where c.account_id = new.account_id;
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
