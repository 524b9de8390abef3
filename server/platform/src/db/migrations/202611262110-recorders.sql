-- Multi-channel recorders (docs/decisions/0126). One worker asks each of them; its inputs can be cameras.
alter table devices
  alter column eth_mac_address set default '',
  -- 1 is a camera.
  add column device_type_id integer not null default 2,
  add column address text not null default '',
  -- The port of ONVIF that the customer named. Null: the usual ones.
  add column named_port integer check (named_port between 1 and 65535),
  add column username text,
  add column password_sealed bytea,
  -- The owner's consent to send the password in plain text.
  add column allow_basic boolean not null default false,
  add column brand text,
  add column model text,
  add column firmware_version text,
  add column serial text,
  -- Where it answered ONVIF; null until it did.
  add column onvif_port integer check (onvif_port between 1 and 65535),
  add column onvif_secure boolean not null default false,
  add column onvif_certificate_sha256 bytea check (octet_length(onvif_certificate_sha256) = 32),
  add column addition_status text not null default 'added'
    check (addition_status in ('inProgress', 'validated', 'added', 'failure')),
  add column addition_sub_status text not null default 'none',
  add column addition_started_at timestamptz(3) not null default now(),
  -- The last step that succeeded.
  add column addition_step text check (addition_step in ('reachable', 'identified', 'signedIn', 'streams')),
  -- Address and port as the customer named them: nobody adds the same device twice.
  add column connection_key text;
create unique index devices_by_connection on devices (account_id, connection_key) where connection_key is not null;
create unique index devices_by_id on devices (device_id);

-- The recorder whose input a camera is; it can't be removed while there is one.
alter table cameras
  add column device_id bigint,
  add foreign key (account_id, device_id) references devices;
create unique index cameras_by_device_input on cameras (account_id, device_id, coalesce(input, 1)) where device_id is not null;

-- The inputs of recorders, as they reported them.
create table device_channels (
  account_id bigint not null,
  device_id bigint not null,
  channel smallint not null check (channel between 1 and 256),
  name text not null,
  -- A camera is connected and sends something that can be played.
  online boolean not null,
  -- Port 0: it has no stream, or none that can be played.
  rtsp_port integer not null,
  main_path text not null,
  sub_path text,
  stream_secure boolean not null,
  -- How the device names the input in events; null: it has one input only.
  motion_sources text[],
  -- The profile whose snapshot is shown.
  snapshot_profile text not null,
  primary key (account_id, device_id, channel),
  foreign key (account_id, device_id) references devices on delete cascade
);

create table device_status (
  account_id bigint not null,
  device_id bigint not null,
  online boolean not null,
  last_connection_result text not null,
  last_seen timestamptz(3),
  storage_total_bytes bigint,
  storage_used_bytes bigint,
  changed_at timestamptz(3) not null,
  primary key (account_id, device_id),
  foreign key (account_id, device_id) references devices on delete cascade
);

-- Recorders that are worked on.
create table device_maintenance (
  account_id bigint not null,
  device_id bigint not null,
  -- Null: until somebody says otherwise.
  until timestamptz(3),
  primary key (account_id, device_id),
  foreign key (account_id, device_id) references devices on delete cascade
);

-- Work at recorders that takes a while; the worker of the recorder does it.
create table device_jobs (
  account_id bigint not null,
  device_id bigint not null,
  job_id bigint not null unique,
  type text not null check (type in ('reboot')),
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'canceled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  error text check (length(error) <= 300),
  primary key (account_id, device_id, job_id),
  foreign key (account_id, device_id) references devices on delete cascade
);
create index device_jobs_open on device_jobs (device_id) where state in ('queued', 'running');
create index device_jobs_by_age on device_jobs (created_at);

-- What happened to recorders, in lines for a person; kept for 90 days.
create table device_log (
  account_id bigint not null,
  device_id bigint not null,
  device_log_id bigint generated always as identity,
  at timestamptz(3) not null,
  level text not null check (level in ('info', 'warning', 'error')),
  event text not null,
  detail text not null check (length(detail) <= 300),
  primary key (account_id, device_id, device_log_id),
  foreign key (account_id, device_id) references devices on delete cascade
);
create index device_log_in_order on device_log (account_id, device_id, at, device_log_id);
create index device_log_by_age on device_log (at);

do $$
declare t text;
begin
  foreach t in array array['device_channels', 'device_status', 'device_maintenance', 'device_jobs', 'device_log'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
  end loop;
  foreach t in array array['device_channels', 'device_status', 'device_jobs', 'device_log'] loop
    execute format('create policy media on %I to sightline_media using (true) with check (true)', t);
  end loop;
end $$;
grant select on device_channels, device_status, device_log to sightline_app;
grant select, insert, update on device_maintenance, device_jobs to sightline_app;
grant select, insert, update, delete on device_channels, device_status, device_jobs, device_log to sightline_media;

-- What the recorder says about itself, and how its addition goes.
grant update (eth_mac_address, brand, model, firmware_version, serial, onvif_port, onvif_secure, onvif_certificate_sha256,
  addition_status, addition_sub_status, addition_step) on devices to sightline_media;
create policy media_identifies on devices for update to sightline_media
  using (addition_status <> 'failure') with check (true);
