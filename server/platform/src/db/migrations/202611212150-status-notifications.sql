-- Who is told of cameras that stay offline, and how; what was told already, so that nobody is told twice.

-- Since when the workers that look for a camera find it away; null while it is there, and where nobody has looked since it
-- was. That nobody looks (a restart) is no absence of the camera.
alter table camera_status add column offline_since timestamptz(3);
create index camera_status_away on camera_status (offline_since) where offline_since is not null;

create table notification_settings (
  account_id bigint not null,
  user_id bigint not null,
  type text not null check (type in ('cameraDown')),
  enabled boolean not null,
  alert_by_email boolean not null,
  alert_by_push boolean not null,
  alert_delay_minutes integer not null check (alert_delay_minutes > 0),
  -- 0: never.
  alert_repeat_minutes integer not null check (alert_repeat_minutes >= 0),
  primary key (account_id, user_id, type),
  foreign key (account_id, user_id) references users on delete cascade
);

-- Cameras that are worked on: nobody is told of them meanwhile.
create table camera_maintenance (
  account_id bigint not null,
  camera_id bigint not null,
  -- Null: until somebody says otherwise. Passed: it is over, and an absence counts from then.
  until timestamptz(3),
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

-- Browsers that take messages for somebody (RFC 8030).
create table push_devices (
  account_id bigint not null,
  push_device_id bigint not null unique,
  user_id bigint not null,
  platform text not null check (platform in ('web')),
  -- A browser is one person's at a time, whatever account they are of.
  endpoint_sha256 bytea not null unique check (octet_length(endpoint_sha256) = 32),
  -- Whoever knows the address and the keys may write to the browser: sealed under the account's key.
  subscription_sealed bytea not null,
  app_version text,
  locale text,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  tested_at timestamptz(3),
  primary key (account_id, push_device_id),
  foreign key (account_id, user_id) references users on delete cascade
);
create index push_devices_by_user on push_devices (account_id, user_id, seen_at);

-- Messages that wait to be handed to the service of a browser; gone with the device.
create table push_messages (
  account_id bigint not null,
  push_message_id bigint not null unique,
  push_device_id bigint not null,
  content_sealed bytea not null,
  -- A later message of the same topic takes the place of one that was not fetched.
  topic text not null,
  give_up_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  tries integer not null default 0,
  primary key (account_id, push_message_id),
  foreign key (account_id, push_device_id) references push_devices on delete cascade
);
create index push_messages_due on push_messages (next_try_at);
create index push_messages_by_device on push_messages (account_id, push_device_id);

-- Whom we told that a camera is away, and of which absence of it; gone once they are told that it is back.
create table camera_alerts (
  account_id bigint not null,
  user_id bigint not null,
  camera_id bigint not null,
  offline_since timestamptz(3) not null,
  told_at timestamptz(3) not null,
  primary key (account_id, user_id, camera_id),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index camera_alerts_by_camera on camera_alerts (account_id, camera_id);

grant select, insert, update on notification_settings to sightline_app;
grant select, insert, update on camera_maintenance to sightline_app;
grant select, insert, update, delete on push_devices to sightline_app;

-- A browser that somebody else signed in to is theirs from now on, also where it was registered in another account. The
-- address, which the caller proves to know, is the browser's own secret.
create function free_push_endpoint(endpoint bytea, owner bigint) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ delete from public.push_devices where endpoint_sha256 = endpoint and user_id <> owner $$;
revoke execute on function free_push_endpoint(bytea, bigint) from public;
grant execute on function free_push_endpoint(bytea, bigint) to sightline_app;

-- What tells people sees who they are and what they reach, in every account, and changes nothing of it.
grant usage on schema public to sightline_alerts;
grant select on installation to sightline_alerts;
grant select, update on id_blocks to sightline_alerts;
grant select (reseller_id, modules) on resellers to sightline_alerts;
grant select on brand_hosts to sightline_alerts;
grant select (account_id, reseller_id, status, user_type, time_zone, sub_users_barred) on accounts to sightline_alerts;
grant select (account_id, user_id, reseller_id, email, language, rights, all_cameras, blocked) on users to sightline_alerts;
grant select (account_id, camera_id, zone_id, name) on cameras to sightline_alerts;
grant select on user_cameras, user_zones, camera_status, camera_maintenance, notification_settings to sightline_alerts;
grant select, delete on push_devices to sightline_alerts;
grant select, insert, update, delete on camera_alerts, push_messages to sightline_alerts;
grant insert on mail_outbox to sightline_alerts;

do $$
declare t text;
begin
  foreach t in array array['notification_settings', 'camera_maintenance', 'push_devices'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
  end loop;
  foreach t in array array['camera_alerts', 'push_messages'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy alerts on %I to sightline_alerts using (true) with check (true)', t);
  end loop;
  foreach t in array array['accounts', 'users', 'cameras', 'user_cameras', 'user_zones', 'camera_status',
      'camera_maintenance', 'notification_settings'] loop
    execute format('create policy alerts_reads on %I for select to sightline_alerts using (true)', t);
  end loop;
end $$;
create policy alerts on push_devices to sightline_alerts using (true) with check (true);
create policy alerts on mail_outbox for insert to sightline_alerts
  with check (kind in ('cameraDown', 'cameraStillDown', 'cameraUp'));
