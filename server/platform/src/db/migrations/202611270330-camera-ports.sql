-- What users call the inputs and outputs of cameras; their states are the camera's (docs/decisions/0125).
create table camera_ports (
  account_id bigint not null,
  camera_id bigint not null,
  port_id text not null check (length(port_id) between 1 and 80),
  name text not null check (length(name) between 1 and 64),
  primary key (account_id, camera_id, port_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
alter table camera_ports enable row level security;
create policy tenant on camera_ports to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on camera_ports to sightline_app;
