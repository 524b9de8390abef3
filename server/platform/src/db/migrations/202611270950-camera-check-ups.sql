-- The last check-up of each camera, by the worker that measured it (docs/decisions/0113).
create table camera_check_ups (
  account_id bigint not null,
  camera_id bigint not null,
  checked_at timestamptz(3) not null,
  findings jsonb not null,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

alter table camera_check_ups enable row level security;
create policy tenant on camera_check_ups to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on camera_check_ups to sightline_media using (true) with check (true);
grant select on camera_check_ups to sightline_app;
grant select, insert, update on camera_check_ups to sightline_media;

alter table device_jobs
  drop constraint device_jobs_type_check,
  add constraint device_jobs_type_check check (type in ('reboot', 'firmwareUpgrade', 'formatStorage', 'checkUp'));
