-- Customers add cameras by their address. The worker finds the stream and tells how it went (docs/decisions/0067).
alter table cameras
  add column addition_status text not null default 'added'
    check (addition_status in ('inProgress', 'validated', 'added', 'failure')),
  -- Why it failed; the names are those of the API.
  add column addition_sub_status text not null default 'none',
  add column addition_started_at timestamptz(3) not null default now(),
  -- The port that the customer named: of RTSP where a path was named, otherwise of ONVIF. Null: the usual ones.
  add column named_port integer check (named_port between 1 and 65535),
  -- Address, port and path as the customer named them: nobody adds the same stream twice.
  add column connection_key text;
create unique index cameras_by_connection on cameras (account_id, connection_key) where connection_key is not null;

-- What the camera says about itself, and how its addition goes.
grant update (rtsp_port, main_path, sub_path, brand, model, firmware_version, serial, addition_status, addition_sub_status)
  on cameras to sightline_media;
create policy media_adds on cameras for update to sightline_media
  using (addition_status in ('inProgress', 'validated')) with check (true);

-- Footage of a removed camera ages out as it would have; until then only the disk has it.
create table removed_cameras (
  account_id bigint not null,
  camera_id bigint not null,
  retention_hours integer not null,
  removed_at timestamptz(3) not null,
  primary key (account_id, camera_id)
);
alter table removed_cameras enable row level security;
create policy tenant on removed_cameras to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on removed_cameras to sightline_media using (true) with check (true);
grant insert on removed_cameras to sightline_app;
grant select, delete on removed_cameras to sightline_media;
