-- The new password of a camera from before it is sent to the camera until it is known which one the camera took
-- (docs/decisions/0175). Sealed as cameras.password_sealed, so that it can take its place.
create table camera_password_changes (
  account_id bigint not null,
  camera_id bigint not null,
  asked_at timestamptz(3) not null,
  password_sealed bytea not null,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

alter table camera_password_changes enable row level security;
create policy tenant on camera_password_changes to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on camera_password_changes to sightline_app;

insert into job_tasks (task, enqueued_by) values ('settleCameraPassword', '{sightline_app}');
