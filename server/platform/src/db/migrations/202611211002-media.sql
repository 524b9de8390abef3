-- What the media plane keeps in the database: who records a camera, how it is, and runs of footage (never segments).

create table camera_status (
  account_id bigint not null,
  camera_id bigint not null,
  online boolean not null,
  recording boolean not null default false,
  last_seen timestamptz(3),
  last_connection_result text not null default 'neverConnected',
  -- Of the main stream, as the camera announced it.
  width integer,
  height integer,
  codec text,
  audio_codec text,
  changed_at timestamptz(3) not null default now(),
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

-- Which worker has a camera. The fence counts up with every change of hands; a writer with an older one is a zombie.
create table camera_leases (
  account_id bigint not null,
  camera_id bigint not null,
  worker_id text not null,
  fence bigint not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, camera_id)
);

-- Unbroken stretches of footage in slices of at most one hour; the API joins adjoining slices.
create table recording_runs (
  account_id bigint not null,
  camera_id bigint not null,
  stream text not null check (stream in ('main', 'sub')),
  -- 32 hexadecimal digits; the same in every slice of a run and in its files.
  run_id text not null,
  started_at timestamptz(3) not null,
  -- Grows while the slice is open.
  ended_at timestamptz(3) not null,
  is_open boolean not null default true,
  kind text not null default 'continuous' check (kind in ('continuous', 'event')),
  store text not null default 'disk',
  bytes bigint not null default 0,
  locked boolean not null default false,
  -- Why the footage stops here; null while open and where the next slice goes on without a break.
  end_reason text,
  primary key (account_id, camera_id, stream, run_id, started_at)
);
create index recording_runs_by_time on recording_runs (account_id, camera_id, stream, started_at) include (ended_at);

-- One-time permission to open a stream, bound to the token it came from.
create table stream_tickets (
  account_id bigint not null,
  ticket_sha256 bytea not null unique,
  user_id bigint not null,
  camera_id bigint not null,
  token_sha256 bytea not null,
  use text not null check (use in ('live', 'playback', 'mp4', 'snapshot')),
  from_at timestamptz(3),
  till_at timestamptz(3),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (account_id, ticket_sha256)
);

do $$
declare t text;
begin
  foreach t in array array['camera_status', 'camera_leases', 'recording_runs', 'stream_tickets'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
    execute format('create policy media on %I to sightline_media using (true) with check (true)', t);
  end loop;
end $$;

grant select on camera_status, recording_runs, camera_leases to sightline_app;
grant select, insert on stream_tickets to sightline_app;
grant select, insert, update, delete on camera_status, camera_leases, recording_runs, stream_tickets to sightline_media;
