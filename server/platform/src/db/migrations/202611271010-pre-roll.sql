-- Seconds recorded before an event (docs/decisions/0090).
alter table cameras
  add column pre_roll_seconds integer not null default 5 check (pre_roll_seconds between 5 and 30);
