-- A browser that takes messages for somebody is one of whoever was signed in with it: a lockdown forgets them all.

create function auth.forget_push_devices(person bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  -- Whoever registers one has the person's row: it is in before this, or finds itself signed out.
  perform from public.users where user_id = person for no key update;
  delete from public.push_devices d using public.users u
   where u.user_id = person and d.account_id = u.account_id and d.user_id = u.user_id;
end $$;
revoke execute on function auth.forget_push_devices(bigint) from public;
grant execute on function auth.forget_push_devices(bigint) to sightline_auth;

create function auth.push_devices_of(person bigint) returns integer
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select count(*)::integer from public.push_devices d
      join public.users u on u.account_id = d.account_id and u.user_id = d.user_id
     where u.user_id = person
  $$;
revoke execute on function auth.push_devices_of(bigint) from public;
grant execute on function auth.push_devices_of(bigint) to sightline_auth;
