-- Distributors, resellers, accounts and users share one id space (docs/decisions/0003). Every table of a tenant has
-- account_id first in its key, so that it can be spread over machines by account later.

do $$
declare name text;
begin
  foreach name in array array['sightline_app', 'sightline_auth', 'sightline_media'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I login', name);
      exception when duplicate_object or unique_violation then null; -- another database of this server was first
      end;
    end if;
  end loop;
end $$;

create schema auth;
grant usage on schema public to sightline_app, sightline_auth, sightline_media;
grant usage on schema auth to sightline_auth;

create table installation (
  key text primary key,
  value text not null
);
grant select on installation to sightline_app, sightline_auth, sightline_media;

create table id_blocks (
  name text primary key,
  next bigint not null
);
insert into id_blocks values ('id', 0);
grant select, update on id_blocks to sightline_app, sightline_auth, sightline_media;

create table distributors (
  distributor_id bigint primary key,
  name text not null,
  created_at timestamptz(3) not null default now()
);

create table resellers (
  reseller_id bigint primary key,
  distributor_id bigint not null references distributors,
  name text not null,
  modules jsonb not null default '{}',
  -- Brand: company name, colours, logo, links; shape in contract/src/theme.
  theme jsonb not null default '{}',
  created_at timestamptz(3) not null default now()
);

create table brand_hosts (
  -- As in the Host header, lower case, with the port when it is not the scheme's own.
  host text primary key,
  reseller_id bigint not null references resellers
);
grant select on distributors, resellers, brand_hosts to sightline_app, sightline_auth, sightline_media;

create table accounts (
  account_id bigint primary key,
  reseller_id bigint not null references resellers,
  name text not null,
  status text not null default 'active' check (status in ('active', 'inactive', 'suspended')),
  user_type text not null default 'regular' check (user_type in ('regular', 'trial', 'demo')),
  time_zone text not null default 'UTC',
  user_self_service_management boolean not null default false,
  prevent_edit_user_details boolean not null default false,
  -- The owner's grant to the helpdesk: null is closed, 9999-12-31 is always.
  helpdesk_expires_at timestamptz(3),
  helpdesk_show_video boolean not null default false,
  created_at timestamptz(3) not null default now()
);

create table users (
  account_id bigint not null references accounts,
  user_id bigint not null unique,
  reseller_id bigint not null references resellers,
  email text not null,
  -- Case-folded and normalised (NFKC); what uniqueness and sign-in compare.
  email_folded text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  company_name text,
  country text,
  language text not null default 'en',
  address text,
  city text,
  region text,
  postal_code text,
  secondary_phone text,
  -- Only rights that are on, as keys; a super user's rights are implied, not stored.
  rights text[] not null default '{}',
  -- Counts up whenever rights or access change, so that open streams notice.
  rights_version integer not null default 1,
  all_cameras boolean not null default false,
  blocked boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, user_id),
  unique (reseller_id, email_folded)
);

create table zones (
  account_id bigint not null references accounts,
  zone_id bigint not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, zone_id)
);

create table cameras (
  account_id bigint not null references accounts,
  camera_id bigint not null,
  zone_id bigint not null,
  name text not null,
  device_type_id integer not null default 0,
  eth_mac_address text not null,
  brand text,
  model text,
  firmware_version text,
  serial text,
  -- Where the camera answers, from the server's point of view.
  address text not null,
  rtsp_port integer not null,
  main_path text not null,
  sub_path text,
  username text,
  -- AEAD under the account's key, bound to this row and column.
  password_sealed bytea,
  retention_hours integer not null default 168,
  time_zone text,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, camera_id),
  foreign key (account_id, zone_id) references zones
);

-- What a sub-user may reach besides users.all_cameras.
create table user_cameras (
  account_id bigint not null,
  user_id bigint not null,
  camera_id bigint not null,
  primary key (account_id, user_id, camera_id),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create table user_zones (
  account_id bigint not null,
  user_id bigint not null,
  zone_id bigint not null,
  primary key (account_id, user_id, zone_id),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, zone_id) references zones on delete cascade
);

create table audit_log (
  account_id bigint not null,
  audit_log_id bigint not null,
  at timestamptz(3) not null default now(),
  user_id bigint,
  client_id text,
  action text not null,
  target_kind text,
  target_id bigint,
  before jsonb,
  after jsonb,
  address text,
  primary key (account_id, audit_log_id)
);
create index audit_log_by_time on audit_log (account_id, at desc);

-- Nobody but the owner of the schema may change or remove a line of the audit log.
grant select, insert on audit_log to sightline_app, sightline_auth, sightline_media;

grant select, update on accounts, users to sightline_app;
grant select, insert, update, delete on zones, cameras, user_cameras, user_zones to sightline_app;
grant select on accounts, users to sightline_auth;
grant select on accounts, users, zones, cameras, user_cameras, user_zones to sightline_media;

-- The second wall. The API's role sees one account at a time and nothing without a tenant scope (current_setting
-- raises an error when app.account is not set). The auth plane finds people of every account, the media plane serves
-- cameras of every account; neither can write to these tables.
do $$
declare t text;
begin
  foreach t in array array['accounts', 'users', 'zones', 'cameras', 'user_cameras', 'user_zones', 'audit_log'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
  end loop;
  foreach t in array array['accounts', 'users'] loop
    execute format('create policy auth_reads on %I for select to sightline_auth using (true)', t);
  end loop;
  foreach t in array array['accounts', 'users', 'zones', 'cameras', 'user_cameras', 'user_zones'] loop
    execute format('create policy media_reads on %I for select to sightline_media using (true)', t);
  end loop;
  foreach t in array array['sightline_auth', 'sightline_media'] loop
    execute format('create policy %I on audit_log for insert to %I with check (true)', t || '_writes', t);
  end loop;
end $$;
