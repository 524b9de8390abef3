-- Which input of a recorder a camera is (docs/decisions/0098), how many the device has, and how it names this one in events.
alter table cameras
  add column input smallint check (input between 1 and 256),
  add column device_inputs smallint not null default 0 check (device_inputs between 0 and 256),
  add column motion_sources text[];
