-- PIR sensors of cameras, and alerts about loud sounds (docs/decisions/0095, 0114).
alter table cameras
  add column pir_detection jsonb not null default '{"enabled": false, "inputs": []}';

alter table notification_settings drop constraint notification_settings_type_check;
alter table notification_settings add constraint notification_settings_type_check
  check (type in ('cameraDown', 'cameraUp', 'motion', 'audio', 'deviceTampered', 'storageFull', 'deviceTrouble'));
alter table alert_events drop constraint alert_events_type_check;
alter table alert_events add constraint alert_events_type_check
  check (type in ('cameraUp', 'motion', 'audio', 'deviceTampered'));

create or replace function queue_alert_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  alert text := case new.type when 'cameraOnline' then 'cameraUp' when 'tampered' then 'deviceTampered'
    when 'audio' then 'audio' else 'motion' end;
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
drop trigger queue_alert_event on events;
create trigger queue_alert_event after insert on events for each row
  when (new.camera_id is not null
    and new.type in ('motion', 'pir', 'intrusion', 'tripwire', 'object', 'audio', 'tampered', 'cameraOnline'))
  execute function queue_alert_event();

drop policy alerts on mail_outbox;
create policy alerts on mail_outbox for insert to sightline_alerts
  with check (kind in ('cameraDown', 'cameraStillDown', 'cameraUp', 'motion', 'audio', 'deviceTampered', 'storageFull',
    'deviceTrouble'));
