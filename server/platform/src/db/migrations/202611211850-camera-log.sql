-- What happened to the connection and the recording of each camera, in lines for a person; kept for 90 days.
create table camera_log (
  account_id bigint not null,
  camera_id bigint not null,
  camera_log_id bigint generated always as identity,
  at timestamptz(3) not null,
  level text not null check (level in ('info', 'warning', 'error')),
  event text not null,
  detail text not null check (length(detail) <= 300),
  primary key (account_id, camera_id, camera_log_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index camera_log_in_order on camera_log (account_id, camera_id, at, camera_log_id);
create index camera_log_by_age on camera_log (at);

alter table camera_log enable row level security;
create policy tenant on camera_log to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on camera_log to sightline_media using (true) with check (true);
grant select on camera_log to sightline_app;
grant select, insert, delete on camera_log to sightline_media;
