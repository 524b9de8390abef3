-- Support sessions end for good with each thing they stand on, and an account in which its owner can change nothing is
-- closed to support: whoever makes it so is often the one who is let in.

create function auth.close_to_support() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  -- Its trigger end_support ends the sessions.
  update public.accounts set helpdesk_expires_at = null
   where account_id = new.account_id and helpdesk_expires_at is not null;
  delete from auth.access_sessions where account_id = new.account_id and support_staff_id is not null;
  return null;
end $$;
create trigger close_to_support after update of user_type, status, reseller_id on accounts for each row
  when ((new.user_type = 'demo' and old.user_type <> 'demo')
    or (new.status = 'suspended' and old.status <> 'suspended')
    or new.reseller_id <> old.reseller_id)
  execute function auth.close_to_support();

-- What staff may, and where: what is left is begun anew.
create trigger end_support_of_less after update of permissions, all_accounts, level, organisation_id on staff for each row
  when (('generateAccessToken' = any (old.permissions) and not 'generateAccessToken' = any (new.permissions))
    or (old.all_accounts and not new.all_accounts)
    or new.level <> old.level or new.organisation_id <> old.organisation_id)
  execute function auth.end_support_by_person();

create function auth.end_support_in_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from auth.access_sessions where account_id = old.account_id and support_staff_id = old.user_id
     and not exists (select from public.staff s where s.user_id = old.user_id and s.all_accounts)
     and not exists (select from public.staff_accounts x where x.user_id = old.user_id and x.account_id = old.account_id);
  return null;
end $$;
-- At the end of the transaction: a list that is written anew has most of its accounts again.
create constraint trigger end_support after delete on staff_accounts deferrable initially deferred
  for each row execute function auth.end_support_in_account();

create function auth.end_support_of_brand() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from auth.access_sessions s using public.accounts a
   where a.reseller_id = new.reseller_id and s.account_id = a.account_id and s.support_staff_id is not null;
  return null;
end $$;
create trigger end_support after update of modules on resellers for each row
  when (old.modules -> 'generateAccessToken' is distinct from new.modules -> 'generateAccessToken')
  execute function auth.end_support_of_brand();

-- As before; held so that one beginning after the other counts how many there are.
create or replace function auth.hold_support_grant(account bigint) returns timestamptz
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ select helpdesk_expires_at from public.accounts where account_id = account for no key update $$;
