-- When people signed in last, and lists of them in any order without reading them all.

alter table users add column last_login_at timestamptz(3);

update users u set last_login_at = l.at
  from (select account_id, user_id, max(at) as at from audit_log
         where action = 'login' and user_id is not null and staff_id is null group by account_id, user_id) l
 where l.account_id = u.account_id and l.user_id = u.user_id;

-- The line of the sign-in is the one place that every way of signing in passes.
create function remember_sign_in() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  update public.users set last_login_at = greatest(last_login_at, new.at)
   where account_id = new.account_id and user_id = new.user_id;
  return null;
end $$;
create trigger remember_sign_in after insert on audit_log
  for each row when (new.action = 'login' and new.user_id is not null and new.staff_id is null)
  execute function remember_sign_in();

drop index users_by_account_name;
create index users_by_name on users (account_id, lower(last_name || ' ' || first_name), user_id);
create index users_by_email on users (account_id, email_folded, user_id);
create index users_by_profile on users (account_id, permission_profile_id) where permission_profile_id is not null;
