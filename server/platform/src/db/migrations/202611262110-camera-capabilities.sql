-- What each camera said that it can do, as its worker last found out (docs/decisions/0118).
create table camera_capabilities (
  account_id bigint not null,
  camera_id bigint not null,
  asked_at timestamptz(3) not null,
  abilities jsonb not null,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

alter table camera_capabilities enable row level security;
create policy tenant on camera_capabilities to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on camera_capabilities to sightline_media using (true) with check (true);
grant select on camera_capabilities to sightline_app;
grant select, insert, update on camera_capabilities to sightline_media;
