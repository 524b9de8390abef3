-- What arrived from each camera, by minutes for a day and by quarters of an hour for a week (docs/decisions/0129).
create table camera_statistics (
  account_id bigint not null,
  camera_id bigint not null,
  seconds smallint not null check (seconds in (60, 900)),
  at timestamptz(3) not null,
  bytes bigint not null,
  dropped integer not null,
  -- Null: too few keyframes came to tell.
  latency_ms real,
  latency_max_ms real,
  buffer_bytes bigint not null,
  primary key (account_id, camera_id, seconds, at),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index camera_statistics_by_age on camera_statistics (seconds, at);

alter table camera_statistics enable row level security;
create policy tenant on camera_statistics to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on camera_statistics to sightline_media using (true) with check (true);
grant select on camera_statistics to sightline_app;
grant select, insert, delete on camera_statistics to sightline_media;
