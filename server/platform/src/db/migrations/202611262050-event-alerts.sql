-- Alerts about what happens at cameras besides being offline (docs/decisions/0114).

alter table notification_settings drop constraint notification_settings_type_check;
alter table notification_settings add constraint notification_settings_type_check
  check (type in ('cameraDown', 'cameraUp', 'motion', 'deviceTampered', 'storageFull', 'deviceTrouble'));
alter table notification_settings drop constraint notification_settings_alert_delay_minutes_check;
alter table notification_settings add constraint notification_settings_alert_delay_minutes_check
  check (alert_delay_minutes >= 0);
alter table notification_settings
  add column cooldown_minutes integer not null default 0 check (cooldown_minutes >= 0),
  add column include_picture boolean not null default true,
  -- HH:mm in the account's time zone; null: no quiet hours.
  add column quiet_from text,
  add column quiet_to text,
  add column all_cameras boolean not null default true,
  -- If not all: cameras of these, that still exist and that the user still has access to.
  add column camera_ids bigint[] not null default '{}',
  add column zone_ids bigint[] not null default '{}',
  add constraint quiet_hours check ((quiet_from is null) = (quiet_to is null));

-- Events that someone of their account wants to be notified about, from their insertion until they are handled. Both are in
-- one transaction with what they cause, so none is lost and none counts twice.
create table alert_events (
  account_id bigint not null,
  alert_event_id bigint generated always as identity,
  camera_id bigint not null,
  type text not null check (type in ('cameraUp', 'motion', 'deviceTampered')),
  event_id bigint not null,
  at timestamptz(3) not null,
  primary key (account_id, alert_event_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index alert_events_by_camera on alert_events (account_id, camera_id);

-- The camera's mode when it happened decides, and once more the mode when the alert is written.
create function queue_alert_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  alert text := case new.type when 'cameraOnline' then 'cameraUp' when 'tampered' then 'deviceTampered' else 'motion' end;
begin
  insert into public.alert_events (account_id, camera_id, type, event_id, at)
  select c.account_id, c.camera_id, alert, new.event_id, new.at
    from public.cameras c
   where c.account_id = new.account_id and c.camera_id = new.camera_id and c.mode in ('armed', 'scheduled')
     -- What was learned too late is no news.
     and new.at > now() - interval '1 hour'
     and exists (select from public.notification_settings n
       where n.account_id = new.account_id and n.type = alert and n.enabled and (n.alert_by_email or n.alert_by_push));
  return null;
end $$;
create trigger queue_alert_event after insert on events for each row
  when (new.camera_id is not null
    and new.type in ('motion', 'pir', 'intrusion', 'tripwire', 'object', 'tampered', 'cameraOnline'))
  execute function queue_alert_event();

-- For each user and camera: what waits until the next alert, and when the last one was.
create table event_alerts (
  account_id bigint not null,
  user_id bigint not null,
  camera_id bigint not null,
  type text not null,
  -- Events since the last alert, the first of them, and when they were.
  waiting integer not null default 0 check (waiting >= 0),
  event_id bigint,
  first_at timestamptz(3),
  last_at timestamptz(3),
  told_at timestamptz(3),
  primary key (account_id, user_id, camera_id, type),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index event_alerts_by_camera on event_alerts (account_id, camera_id);
create index event_alerts_waiting on event_alerts (account_id, user_id) where waiting > 0;

-- Alerts that are decided and not yet written as an email and messages, because pictures take their time.
create table alert_messages (
  account_id bigint not null,
  alert_message_id bigint not null unique,
  user_id bigint not null,
  type text not null,
  -- What happened, by camera, and how to tell it.
  content jsonb not null,
  created_at timestamptz(3) not null,
  primary key (account_id, alert_message_id),
  foreign key (account_id, user_id) references users on delete cascade
);
create index alert_messages_by_user on alert_messages (account_id, user_id);

-- What is wrong with a camera since when, besides its connection, until it is right again. Of `storageFull`, footage was
-- deleted early at `last_at`; it is over a day after that.
create table camera_warnings (
  account_id bigint not null,
  camera_id bigint not null,
  warning text not null check (warning in ('clockWrong', 'eventsLost', 'storageFull')),
  since timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (account_id, camera_id, warning),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

create function note_full_storage() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.camera_warnings (account_id, camera_id, warning, since, last_at)
  select c.account_id, c.camera_id, 'storageFull', new.deleted_at, new.deleted_at from public.cameras c
   where c.account_id = new.account_id and c.camera_id = new.camera_id
  on conflict (account_id, camera_id, warning) do update
    set since = case when camera_warnings.last_at < excluded.last_at - interval '1 day' then excluded.since
      else camera_warnings.since end,
      last_at = greatest(camera_warnings.last_at, excluded.last_at);
  return null;
end $$;
create trigger note_full_storage after insert on footage_deletions for each row
  when (new.reason = 'quota') execute function note_full_storage();

-- Whom we told of which trouble of a camera, and since when it lasted.
create table trouble_alerts (
  account_id bigint not null,
  user_id bigint not null,
  camera_id bigint not null,
  trouble text not null,
  since timestamptz(3) not null,
  told_at timestamptz(3) not null,
  primary key (account_id, user_id, camera_id, trouble),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index trouble_alerts_by_camera on trouble_alerts (account_id, camera_id);

-- Warnings that a user doesn't want to see again.
create table dismissed_warnings (
  account_id bigint not null,
  user_id bigint not null,
  camera_id bigint not null,
  warning text not null,
  dismissed_at timestamptz(3) not null,
  primary key (account_id, user_id, camera_id, warning),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index dismissed_warnings_by_camera on dismissed_warnings (account_id, camera_id);

grant select, insert, update, delete on event_alerts, alert_messages, trouble_alerts to sightline_alerts;
-- Updates nothing: rows are locked for their removal.
grant select, update (at), delete on alert_events to sightline_alerts;
grant select on camera_warnings, dismissed_warnings to sightline_alerts;
grant select (schedule) on cameras to sightline_alerts;
grant select (account_id, zone_id, time_zone, schedule) on zones to sightline_alerts;
grant select (account_id, event_id, at, ended_at, camera_id, type) on events to sightline_alerts;
grant select, insert, update, delete on camera_warnings to sightline_media;
grant select on camera_warnings to sightline_app;
grant select, insert, delete on dismissed_warnings to sightline_app;

do $$
declare t text;
begin
  foreach t in array array['alert_events', 'event_alerts', 'alert_messages', 'trouble_alerts'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy alerts on %I to sightline_alerts using (true) with check (true)', t);
  end loop;
  foreach t in array array['camera_warnings', 'dismissed_warnings'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
  end loop;
  foreach t in array array['camera_warnings', 'dismissed_warnings', 'zones', 'events'] loop
    execute format('create policy alerts_reads on %I for select to sightline_alerts using (true)', t);
  end loop;
end $$;
create policy media on camera_warnings to sightline_media using (true) with check (true);
drop policy alerts on mail_outbox;
create policy alerts on mail_outbox for insert to sightline_alerts
  with check (kind in ('cameraDown', 'cameraStillDown', 'cameraUp', 'motion', 'deviceTampered', 'storageFull',
    'deviceTrouble'));

insert into job_tasks (task, enqueued_by) values ('writeAlert', '{sightline_alerts}');
