-- What was learned of each camera by trying, for the next connection (docs/decisions/0168). `connection` is a hash of
-- address, credentials and all else that the camera was reached with: with another one nothing of it counts.
create table camera_habits (
  account_id bigint not null,
  camera_id bigint not null,
  connection text not null,
  learned_at timestamptz(3) not null,
  habits jsonb not null,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

alter table camera_habits enable row level security;
create policy tenant on camera_habits to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on camera_habits to sightline_media using (true) with check (true);
grant select, delete on camera_habits to sightline_app;
grant select, insert, update, delete on camera_habits to sightline_media;
