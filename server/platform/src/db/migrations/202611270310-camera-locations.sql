-- Where each camera is, in decimal degrees; both null where nobody said.
alter table cameras
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add check ((latitude is null) = (longitude is null));

-- A camera's own time zone is that of its schedule (docs/decisions/0120).
grant select (time_zone) on cameras to sightline_alerts;
