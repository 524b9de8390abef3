-- Who may do what: staff above the accounts, profiles of rights, what a brand has, what an account may hold, keys.
-- Everything that has a name for others has an id of the one id space (docs/decisions/0003); the provider itself is 2.

alter table distributors
  add column email text,
  add column country text,
  add column contact_details jsonb not null default '{}',
  add column theme jsonb not null default '{}';
create unique index distributors_by_name on distributors (lower(name));

alter table resellers
  add column contact_details jsonb not null default '{}',
  add column zoho_id text,
  add column time_zone text not null default 'UTC',
  -- Of each account, unless the account has a limit of its own.
  add column max_sub_users integer not null default 100 check (max_sub_users >= 0);
create unique index resellers_by_name on resellers (distributor_id, lower(name));
-- Brands that were there before modules decided anything have what they could do until now.
update resellers set modules = '{"generateAccessToken": true, "selfServiceManagement": true, "deviceIO": true, "bodyCams": true, "mobileSubscriptions": true, "reports": true, "whiteLabel": true}'
  where modules = '{}';

create table staff (
  user_id bigint primary key,
  level text not null check (level in ('reseller', 'distributor', 'admin')),
  -- Whose staff: the reseller, the distributor or the provider; the audit log of what they do there.
  organisation_id bigint not null,
  distributor_id bigint references distributors,
  reseller_id bigint references resellers,
  email text not null,
  email_folded text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  language text not null default 'en',
  permissions text[] not null default '{}',
  permission_profile_id bigint,
  -- False: the accounts in staff_accounts only.
  all_accounts boolean not null default true,
  blocked boolean not null default false,
  created_at timestamptz(3) not null default now(),
  unique (organisation_id, email_folded),
  check ((level = 'reseller') = (reseller_id is not null)),
  check ((level = 'admin') = (distributor_id is null)),
  check (organisation_id = coalesce(reseller_id, distributor_id, 2))
);
create table staff_accounts (
  user_id bigint not null references staff on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  primary key (user_id, account_id)
);
create index staff_accounts_by_account on staff_accounts (account_id);

-- What can be subscribed to, of each reseller; null of sku, quality or retention is a custom one (specification §3).
create table subscription_packages (
  reseller_id bigint not null references resellers,
  subscription_package_id bigint not null,
  name text not null,
  sku text,
  quality text check (quality in ('SD1', 'HD1', 'HD2', 'CM10')),
  retention_hours integer check (retention_hours >= 0),
  max_cameras integer check (max_cameras >= 0),
  max_devices integer check (max_devices >= 0),
  available boolean not null default true,
  valid boolean not null default true,
  price_reference text,
  sort_order integer not null default 0,
  primary key (reseller_id, subscription_package_id)
);

create table subscriptions (
  account_id bigint primary key references accounts on delete cascade,
  reseller_id bigint not null,
  subscription_package_id bigint not null,
  -- Null: it is not prolonged.
  next_subscription_package_id bigint,
  start_date date not null,
  end_date date not null,
  contract_period_months integer not null default 12,
  foreign key (reseller_id, subscription_package_id) references subscription_packages,
  foreign key (reseller_id, next_subscription_package_id) references subscription_packages
);

alter table accounts
  add column language text not null default 'en',
  add column contact_details jsonb not null default '{}',
  add column zoho_id text,
  -- Null: as the reseller says.
  add column max_sub_users integer check (max_sub_users >= 0),
  -- Null: as the package says; without a subscription nothing says.
  add column max_cameras integer check (max_cameras >= 0),
  add column max_devices integer check (max_devices >= 0),
  -- Sub-users of it do not get into the Web App (decision 25).
  add column sub_users_barred boolean not null default false,
  add column public_demo boolean not null default false;
create index accounts_by_reseller on accounts (reseller_id, lower(name), account_id);

-- Rights under a name: of an account for its users, of a reseller or distributor for staff. Those of the provider (2)
-- are built in and everybody's.
create table permission_profiles (
  organisation_id bigint not null,
  permission_profile_id bigint not null unique,
  scope text not null check (scope in ('account', 'reseller', 'distributor')),
  name text not null,
  grants text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, permission_profile_id)
);
create unique index permission_profiles_by_name on permission_profiles (organisation_id, scope, lower(name));

alter table users
  -- As long as the rights are those of the profile; switching one by hand leaves it.
  add column permission_profile_id bigint;
create index users_by_account_name on users (account_id, lower(last_name), lower(first_name), user_id);

alter table zones
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add column time_zone text,
  add column mode text not null default 'armed' check (mode in ('armed', 'silent', 'disarmed', 'private', 'scheduled')),
  add column recording_mode text not null default 'continuous' check (recording_mode in ('continuous', 'event')),
  add check ((latitude is null) = (longitude is null));
create unique index cameras_by_id on cameras (camera_id);
create index cameras_by_zone on cameras (account_id, zone_id);

-- Multi-channel recorders; an account's slots for them are counted like those for cameras.
create table devices (
  account_id bigint not null references accounts,
  device_id bigint not null,
  zone_id bigint not null,
  name text not null,
  eth_mac_address text not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, device_id),
  foreign key (account_id, zone_id) references zones
);
create index devices_by_zone on devices (account_id, zone_id);

-- Limits hold whoever adds, and however many at once: the account's row is taken first. It must not be `for update`,
-- with which each of two transactions that refer to the account already would wait for the other.
create function hold_limit() returns trigger
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
      select coalesce(a.max_cameras, p.max_cameras) into most
        from public.accounts a
        left join public.subscriptions s on s.account_id = a.account_id
        left join public.subscription_packages p
          on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
       where a.account_id = new.account_id;
      select count(*) into present from public.cameras c where c.account_id = new.account_id;
    else
      select coalesce(a.max_devices, p.max_devices) into most
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
create trigger limit_of_sub_users before insert on users for each row execute function hold_limit('sub_users');
create trigger limit_of_cameras before insert on cameras for each row execute function hold_limit('cameras');
create trigger limit_of_devices before insert on devices for each row execute function hold_limit('devices');

-- A token of a support session stands for a user of the account and names the member of staff.
alter table auth.access_sessions add column support_staff_id bigint references staff on delete cascade;
create index access_sessions_of_support on auth.access_sessions (account_id) where support_staff_id is not null;

-- An API key is a client of its own kind: it belongs to an account's owner or to staff and acts as them.
alter table auth.clients
  add column api_key_id bigint unique,
  -- Account or organisation.
  add column account_id bigint,
  add column created_by bigint,
  add column provisioning boolean not null default false,
  add column expires_at timestamptz(3),
  add column allowed_addresses text[] not null default '{}',
  -- After a change of the secret the one before it goes on for a day.
  add column previous_secret_sha256 bytea check (octet_length(previous_secret_sha256) = 32),
  add column previous_secret_until timestamptz(3),
  add column last_used_at timestamptz(3),
  add check ((api_key_id is null) = (account_id is null)),
  add check (api_key_id is null or (kind = 'confidential' and user_id is not null));
create unique index api_keys_by_name on auth.clients (account_id, lower(name)) where api_key_id is not null;
-- The authorization server may write keys; every other client is the operator's.
alter table auth.clients enable row level security;
create policy auth_reads on auth.clients for select to sightline_auth using (true);
create policy auth_keeps_keys on auth.clients to sightline_auth
  using (api_key_id is not null) with check (api_key_id is not null);
grant insert, update, delete on auth.clients to sightline_auth;

-- Everybody who may sign in: users of accounts and staff, whose account is the organisation they belong to.
create view auth.people as
  select u.user_id, u.account_id, u.reseller_id, u.email, u.email_folded, u.first_name || ' ' || u.last_name as name,
         u.language, u.blocked or a.status = 'suspended' as barred, u.created_at,
         a.name as account_name, r.name as reseller_name, false as is_staff
    from users u
    join accounts a on a.account_id = u.account_id
    join resellers r on r.reseller_id = u.reseller_id
  union all
  select s.user_id, s.organisation_id, s.reseller_id, s.email, s.email_folded, s.first_name || ' ' || s.last_name,
         s.language, s.blocked, s.created_at,
         coalesce(r.name, d.name, 'Provider'), coalesce(r.name, d.name, 'Provider'), true
    from staff s
    left join resellers r on r.reseller_id = s.reseller_id
    left join distributors d on d.distributor_id = s.distributor_id;
grant select on auth.people to sightline_auth;

-- What API and media plane may know of a token: who it stands for and what that person may do at this moment.
drop view sessions;
-- Open streams decide anew each second.
alter table users drop column rights_version;
create view sessions as
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
         null::text as level, null::boolean as all_accounts, null::bigint[] as account_ids
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
           select x.account_id from staff_accounts x where x.user_id = t.user_id) end
    from auth.access_sessions s
    join staff t on t.user_id = s.user_id and t.organisation_id = s.account_id
    left join resellers r on r.reseller_id = t.reseller_id
    left join auth.clients c on c.client_id = s.client_id
   where s.expires_at > now() and (c.expires_at is null or c.expires_at > now());
grant select on sessions to sightline_app, sightline_media;

-- Keys of staff are kept as well, who are no users of an account; rows go with their day.
alter table idempotency_keys drop constraint idempotency_keys_account_id_user_id_fkey;

grant insert, update, delete on users, accounts to sightline_app;
grant select, insert, update, delete on
  staff, staff_accounts, subscription_packages, subscriptions, permission_profiles, devices to sightline_app;
grant insert, update, delete on distributors, resellers to sightline_app;
grant select on staff, subscription_packages, subscriptions to sightline_auth;
grant select on devices to sightline_media;

-- The second wall. In an account's scope (app.account) only that account is there; in an organisation's scope
-- (app.reseller, app.distributor, app.provider besides) what belongs to that reseller, distributor or to all.
create function scoped(name text) returns bigint
  language sql stable set search_path = pg_catalog, pg_temp
  as $$ select nullif(current_setting(name, true), '')::bigint $$;

do $$
declare t text;
begin
  foreach t in array array['subscriptions', 'devices'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
  end loop;
  foreach t in array array['accounts', 'users', 'subscriptions', 'subscription_packages'] loop
    execute format('create policy reseller on %I to sightline_app
      using (reseller_id = (select scoped(''app.reseller''))) with check (reseller_id = (select scoped(''app.reseller'')))', t);
  end loop;
  foreach t in array array['staff', 'staff_accounts', 'subscription_packages', 'permission_profiles', 'distributors', 'resellers'] loop
    execute format('alter table %I enable row level security', t);
  end loop;
  -- Themes, names and modules of brands are known to every plane.
  foreach t in array array['distributors', 'resellers'] loop
    execute format('create policy everybody_reads on %I for select using (true)', t);
  end loop;
end $$;
create policy provider on distributors to sightline_app
  using ((select scoped('app.provider')) = 1) with check ((select scoped('app.provider')) = 1);
create policy distributor on resellers to sightline_app
  using (distributor_id = (select scoped('app.distributor'))) with check (distributor_id = (select scoped('app.distributor')));
create policy own_reseller on resellers for update to sightline_app
  using (reseller_id = (select scoped('app.reseller'))) with check (reseller_id = (select scoped('app.reseller')));
create policy organisation on staff to sightline_app
  using (organisation_id = (select current_setting('app.account')::bigint) and scoped('app.staff') = 1)
  with check (organisation_id = (select current_setting('app.account')::bigint) and scoped('app.staff') = 1);
create policy organisation on staff_accounts to sightline_app
  using (exists (select from staff s where s.user_id = staff_accounts.user_id))
  with check (exists (select from staff s where s.user_id = staff_accounts.user_id));
create policy own on permission_profiles to sightline_app
  using (organisation_id = (select current_setting('app.account')::bigint))
  with check (organisation_id = (select current_setting('app.account')::bigint));
create policy built_in on permission_profiles for select to sightline_app using (organisation_id = 2);
-- An account sees what its own reseller offers.
create policy offered on subscription_packages for select to sightline_app
  using (reseller_id = (select a.reseller_id from accounts a where a.account_id = (select current_setting('app.account')::bigint)));
create policy auth_reads on staff for select to sightline_auth using (true);
create policy auth_reads on subscriptions for select to sightline_auth using (true);
create policy auth_reads on subscription_packages for select to sightline_auth using (true);
create policy media_reads on devices for select to sightline_media using (true);

-- Profiles that every account and every reseller begins with.
insert into permission_profiles (organisation_id, permission_profile_id, scope, name, grants) values
  (2, 11, 'account', 'Viewer', array['LiveCamera', 'CameraView', 'ZonesView']),
  (2, 12, 'account', 'Guard', array['LiveCamera', 'CameraView', 'ZonesView', 'ptz', 'playback', 'export', 'lockRecording', 'receiveCameraAlerts']),
  (2, 13, 'account', 'Manager', array['LiveCamera', 'CameraView', 'ZonesView', 'ptz', 'microphone', 'playback', 'deleteRecording',
    'lockRecording', 'export', 'addSequence', 'editSequence', 'deleteSequence', 'addZone', 'editZone', 'deleteZone',
    'addCameraGroup', 'editCameraGroup', 'deleteCameraGroup', 'editCamera', 'editSchedule', 'receiveCameraAlerts',
    'motionDetection', 'audioPIR', 'cameraExposureControl', 'cameraPrivacyButton', 'cameraIllumination', 'addUser',
    'editUser', 'blockUser', 'viewUserSettings', 'storageUsage', 'logFiles', 'userSettings']),
  (2, 21, 'reseller', 'Support', array['viewAccounts', 'generateAccessToken']),
  (2, 22, 'reseller', 'Sales', array['viewAccounts', 'addAccount', 'editAccount', 'manageSubscriptions', 'viewInsights']),
  (2, 23, 'reseller', 'Administrator', array['viewAccounts', 'addAccount', 'editAccount', 'deleteAccount',
    'editAccountUsers', 'manageSubscriptions', 'generateAccessToken', 'manageUsers', 'manageApiKeys', 'viewAuditLogs',
    'viewInsights', 'whiteLabel']);
