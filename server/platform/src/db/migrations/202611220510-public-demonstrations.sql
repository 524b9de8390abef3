-- An account that is a demonstration and public can be looked at by anybody, without a password. Whoever does so acts for its
-- owner and is marked as a visitor.

alter table accounts add constraint only_demonstrations_are_public check (not public_demo or user_type = 'demo');
create index accounts_public_demo on accounts (reseller_id, lower(name), account_id) where public_demo;

-- What is no demonstration any more, or is another brand's, has to be made public anew.
create function close_demonstration() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
begin
  new.public_demo := false;
  return new;
end $$;
create trigger public_demo_ends before update of user_type, reseller_id on accounts for each row
  when (old.public_demo and (new.user_type <> 'demo' or new.reseller_id <> old.reseller_id))
  execute function close_demonstration();

alter table auth.access_sessions add column visitor boolean not null default false;
alter table auth.user_sessions add column visitor boolean not null default false;

alter table auth.sign_in_history drop constraint sign_in_history_method_check;
alter table auth.sign_in_history add constraint sign_in_history_method_check
  check (method in ('password', 'passwordAndCode', 'passkey', 'visit'));

-- What may be looked at by visitors at this moment.
create view auth.demonstrations as
  select a.account_id, a.reseller_id, a.name
    from accounts a
    join users u on u.account_id = a.account_id and u.user_id = a.account_id
   where a.public_demo and a.user_type = 'demo' and a.status = 'active' and not u.blocked
     and not exists (select from auth.lockdowns l where l.user_id = u.user_id);
grant select on auth.demonstrations to sightline_auth;

-- The same of one account, which then stays so until the transaction is over: whoever lets a visitor in and whoever ends
-- that wait for each other.
create function auth.hold_demonstration(account bigint) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from public.accounts a where a.account_id = account for share;
  return exists (select from auth.demonstrations d where d.account_id = account);
end $$;
revoke execute on function auth.hold_demonstration(bigint) from public;
grant execute on function auth.hold_demonstration(bigint) to sightline_auth;

-- Browsers first, then what came from them, as whoever lets somebody in locks them. 0 is the class of a sign-in by which
-- nobody showed who they are (OpenID Connect Core, section 2).
create function auth.end_visits() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  with gone as (
    delete from auth.provider_records
     where kind = 'Session' and payload ->> 'acr' = '0'
       and payload ->> 'accountId' = new.account_id::text and payload ? 'accountId'
    returning uid)
  delete from auth.provider_records r using gone where r.uid = gone.uid and r.kind <> 'Session';
  delete from auth.access_sessions where account_id = new.account_id and visitor;
  delete from auth.user_sessions where account_id = new.account_id and visitor;
  return null;
end $$;
create trigger end_visits after update of public_demo, user_type, status, reseller_id on accounts for each row
  when (old.public_demo and (not new.public_demo or new.status <> 'active'))
  execute function auth.end_visits();

-- Whether the token is a visitor's.
create or replace view sessions as
  select s.token_sha256, s.token_id, s.user_id, s.account_id, s.client_id, s.app_id, s.scopes, s.expires_at,
         c.api_key_id, c.allowed_addresses,
         u.first_name || ' ' || u.last_name as name, u.language, u.blocked, u.rights as grants,
         u.reseller_id, r.distributor_id, r.modules,
         u.all_cameras,
         case when u.all_cameras or u.user_id = u.account_id then null else array(
           select x.camera_id from user_cameras x where x.account_id = u.account_id and x.user_id = u.user_id) end
           as camera_ids,
         case when u.all_cameras or u.user_id = u.account_id then null else array(
           select x.zone_id from user_zones x where x.account_id = u.account_id and x.user_id = u.user_id) end
           as zone_ids,
         a.status as account_status, a.user_type, a.prevent_edit_user_details, a.user_self_service_management,
         s.support_staff_id, t.first_name || ' ' || t.last_name as support_name, t.permissions as support_grants,
         not t.blocked
           and (t.level = 'admin' or t.reseller_id = u.reseller_id
             or (t.level = 'distributor' and t.distributor_id = r.distributor_id))
           and (t.all_accounts or exists (
             select from staff_accounts x where x.user_id = t.user_id and x.account_id = u.account_id))
           as support_reaches,
         a.helpdesk_expires_at, a.helpdesk_show_video,
         null::text as level, null::boolean as all_accounts, null::bigint[] as account_ids,
         coalesce(c.provisioning, false) as provisioning,
         a.sub_users_barred and u.user_id <> u.account_id as barred,
         case when r.asks_for_agreement then array(
           select g.version from agreements g where g.account_id = u.account_id and g.user_id = u.user_id) end
           as accepted_agreements,
         s.visitor
    from auth.access_sessions s
    join users u on u.account_id = s.account_id and u.user_id = s.user_id
    join accounts a on a.account_id = s.account_id
    join resellers r on r.reseller_id = u.reseller_id
    left join auth.clients c on c.client_id = s.client_id
    left join staff t on t.user_id = s.support_staff_id
   where s.expires_at > now() and (c.expires_at is null or c.expires_at > now())
  union all
  select s.token_sha256, s.token_id, s.user_id, s.account_id, s.client_id, s.app_id, s.scopes, s.expires_at,
         c.api_key_id, c.allowed_addresses,
         t.first_name || ' ' || t.last_name, t.language, t.blocked, t.permissions,
         t.reseller_id, t.distributor_id, r.modules,
         null, null, null, null, null, null, null,
         null, null, null, null, null, null,
         t.level, t.all_accounts,
         case when t.all_accounts then null else array(
           select x.account_id from staff_accounts x where x.user_id = t.user_id) end,
         coalesce(c.provisioning, false), false, null,
         false
    from auth.access_sessions s
    join staff t on t.user_id = s.user_id and t.organisation_id = s.account_id
    left join resellers r on r.reseller_id = t.reseller_id
    left join auth.clients c on c.client_id = s.client_id
   where s.expires_at > now() and (c.expires_at is null or c.expires_at > now());
