-- Each camera has a mode and a schedule of its own (docs/decisions/0080).
alter table cameras
  add column mode text not null default 'armed' check (mode in ('armed', 'silent', 'disarmed', 'private', 'scheduled')),
  add column recording_mode text not null default 'continuous' check (recording_mode in ('continuous', 'event')),
  -- The mode to return to when private mode is turned off.
  add column mode_before_private text not null default 'armed'
    check (mode_before_private in ('armed', 'silent', 'disarmed', 'scheduled')),
  -- Null: the zone's schedule applies.
  add column schedule jsonb;
update cameras set mode = zones.mode, recording_mode = zones.recording_mode
  from zones where zones.account_id = cameras.account_id and zones.zone_id = cameras.zone_id;
alter table zones
  add column schedule jsonb not null default '{"recording": [], "push": [], "email": []}';
-- No alerts about cameras that are disarmed or private.
grant select (mode) on cameras to sightline_alerts;
