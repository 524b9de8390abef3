-- What footage was deleted, why and by whom. Rows are added by the media plane and never changed: neither it nor the API may
-- update or delete them. An account that is erased keeps them; they name numbers only.
create table footage_deletions (
  account_id bigint not null,
  -- In the order of the deletions.
  footage_deletion_id bigint generated always as identity,
  camera_id bigint not null,
  stream text not null check (stream in ('main', 'sub')),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  bytes bigint not null,
  segments integer not null,
  -- SHA-256 over the hashes of the deleted files; null if an account was erased.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Of the last tombstone in the chain of the stream's manifests (docs/design/recording-format.md).
  chain_hash text check (chain_hash ~ '^[0-9a-f]{64}$'),
  reason text not null check (reason in ('retention', 'quota', 'space', 'user', 'erasure')),
  -- Null: the server.
  deleted_by bigint,
  deleted_at timestamptz(3) not null,
  primary key (account_id, footage_deletion_id),
  unique (account_id, camera_id, stream, chain_hash)
);
create index footage_deletions_by_stream on footage_deletions (account_id, camera_id, stream, footage_deletion_id);

-- Ranges that users want deleted. The API adds them; the worker that has the camera does it.
create table footage_deletion_requests (
  account_id bigint not null,
  footage_deletion_request_id bigint not null,
  camera_id bigint not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  requested_by bigint not null,
  requested_at timestamptz(3) not null,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'refused')),
  deny_reason text check (deny_reason in ('locked', 'tooNew')),
  finished_at timestamptz(3),
  primary key (account_id, footage_deletion_request_id),
  foreign key (account_id, camera_id) references cameras on delete cascade,
  check (ended_at > started_at)
);
create index footage_deletion_requests_waiting on footage_deletion_requests (footage_deletion_request_id)
  where status = 'waiting';

do $$
declare t text;
begin
  foreach t in array array['footage_deletions', 'footage_deletion_requests'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
    execute format('create policy media on %I to sightline_media using (true) with check (true)', t);
  end loop;
end $$;
grant select on footage_deletions to sightline_app;
grant select, insert on footage_deletions to sightline_media;
grant select on footage_deletion_requests to sightline_app;
grant insert (account_id, footage_deletion_request_id, camera_id, started_at, ended_at, requested_by, requested_at)
  on footage_deletion_requests to sightline_app;
grant select, update on footage_deletion_requests to sightline_media;
