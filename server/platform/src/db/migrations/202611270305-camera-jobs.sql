-- Jobs of cameras beside those of recorders, in one table (docs/decisions/0123).
alter table device_jobs
  drop constraint device_jobs_pkey,
  add primary key (account_id, job_id),
  alter column device_id drop not null,
  add column camera_id bigint,
  -- What it does now, in one word.
  add column phase text check (length(phase) <= 32),
  -- A job that hasn't ended by then has failed, whatever became of the worker that did it.
  add column deadline timestamptz(3) not null default now() + interval '10 minutes',
  add foreign key (account_id, camera_id) references cameras on delete cascade,
  add constraint device_jobs_of_one check (num_nonnulls(device_id, camera_id) = 1),
  drop constraint device_jobs_type_check,
  add constraint device_jobs_type_check check (type in ('reboot', 'firmwareUpgrade', 'formatStorage'));
create index device_jobs_by_device on device_jobs (account_id, device_id);
create index device_jobs_by_camera on device_jobs (account_id, camera_id);
-- One at a time: a device that restarts can't be upgraded.
drop index device_jobs_open;
create unique index device_jobs_open on device_jobs (coalesce(device_id, camera_id)) where state in ('queued', 'running');
