-- Several media workers share the cameras of an installation (docs/decisions/0076). A worker that is not seen for some
-- seconds has ended or hangs, and the others share out its cameras.
create table media_workers (
  worker_id text primary key,
  seen_at timestamptz(3) not null default now()
);
alter table media_workers enable row level security;
create policy media on media_workers to sightline_media using (true) with check (true);
grant select, insert, update, delete on media_workers to sightline_media;

-- Who wrote the state of a camera: a worker changes only what it or nobody wrote.
alter table camera_status add column worker_id text;
