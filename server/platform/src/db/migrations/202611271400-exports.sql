-- Exports: files of footage that are made in the background and kept for some days (docs/decisions/0139).
create table exports (
  account_id bigint not null references accounts on delete cascade,
  export_id bigint not null,
  -- Who asked for it; the row outlives them.
  user_id bigint not null,
  camera_ids bigint[] not null check (cardinality(camera_ids) between 1 and 9),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  format text not null check (format in ('mp4', 'zip')),
  name text not null default '' check (length(name) <= 100),
  reason text not null default '' check (length(reason) <= 500),
  -- Of a ZIP file; forgotten once the file is made.
  password_sealed bytea,
  has_password boolean not null,
  status text not null default 'Queued' check (status in ('Queued', 'Created', 'InProgress', 'Done', 'Failed')),
  progress smallint not null default 0 check (progress between 0 and 100),
  failure text,
  failure_detail text,
  created_at timestamptz(3) not null,
  -- How large the file is likely to be.
  estimated_bytes bigint not null,
  -- Each try writes a file of its own, under a key of its own: nothing is ever encrypted twice under one key.
  attempt integer not null default 0,
  key_sealed bytea,
  has_sound boolean,
  exported_at timestamptz(3),
  expires_at timestamptz(3),
  size_bytes bigint,
  sha256 bytea check (octet_length(sha256) = 32),
  -- Cancelled, deleted or expired: there is no file any more. The row stays, so that a hash can be verified.
  removed_at timestamptz(3),
  primary key (account_id, export_id),
  check (ended_at > started_at),
  check (format = 'zip' or cardinality(camera_ids) = 1),
  check (format = 'zip' or not has_password),
  check (status <> 'Done' or (size_bytes is not null and sha256 is not null and exported_at is not null
    and expires_at is not null and has_sound is not null))
);
create unique index exports_by_id on exports (export_id);
create index exports_unfinished on exports (account_id) where removed_at is null and status in ('Queued', 'Created', 'InProgress');
alter table exports enable row level security;
create policy tenant on exports to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update on exports to sightline_app;
-- What is being exported stays until it is: retention, quotas and deletions read this beside the locks.
create policy media on exports for select to sightline_media using (true);
grant select (account_id, export_id, camera_ids, started_at, ended_at, status, removed_at) on exports to sightline_media;

-- Addresses of downloads, each bound to the session that asked for it.
create table export_links (
  account_id bigint not null,
  ticket_sha256 bytea not null unique,
  export_id bigint not null,
  token_sha256 bytea not null,
  expires_at timestamptz(3) not null,
  -- The first use is in the audit log.
  used_at timestamptz(3),
  primary key (account_id, ticket_sha256),
  foreign key (account_id, export_id) references exports on delete cascade
);
create index export_links_by_export on export_links (account_id, export_id);
alter table export_links enable row level security;
create policy tenant on export_links to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on export_links to sightline_app;

-- Whose a link is; the rest is seen in that account's scope.
create function account_of_export_link(ticket bytea) returns table (account_id bigint, token_sha256 bytea)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select l.account_id, l.token_sha256 from public.export_links l where l.ticket_sha256 = ticket and l.expires_at > now() $$;
revoke execute on function account_of_export_link(bytea) from public;
grant execute on function account_of_export_link(bytea) to sightline_app;

-- Anyone who has a file may ask whether it was exported here.
create function exported_at_by_hash(id bigint, hash bytea) returns timestamptz
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select e.exported_at from public.exports e where e.export_id = id and e.sha256 = hash and e.status = 'Done' $$;
revoke execute on function exported_at_by_hash(bigint, bytea) from public;
grant execute on function exported_at_by_hash(bigint, bytea) to sightline_app;

-- Of files on the disk, which ones are still wanted. The others are removed.
create function wanted_exports(ids bigint[], moment timestamptz) returns table (account_id bigint, export_id bigint, attempt integer)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select e.account_id, e.export_id, e.attempt from public.exports e
     where e.export_id = any (ids) and e.removed_at is null and e.status <> 'Failed'
       and (e.expires_at is null or e.expires_at > moment)
  $$;
revoke execute on function wanted_exports(bigint[], timestamptz) from public;
grant execute on function wanted_exports(bigint[], timestamptz) to sightline_app;

-- What ends by time: files, links, and exports that nobody made for a week. Rows are kept for a year, for their hash.
create function expire_exports(moment timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    update public.exports e set removed_at = moment, key_sealed = null, password_sealed = null
     where e.removed_at is null and e.expires_at <= moment;
    update public.exports e set status = 'Failed', failure = 'interrupted', password_sealed = null, expires_at = moment + interval '7 days',
        failure_detail = 'the export was not made within a week'
     where e.removed_at is null and e.status in ('Queued', 'Created', 'InProgress') and e.created_at < moment - interval '7 days';
    delete from public.export_links l where l.expires_at < moment;
    delete from public.exports e where e.removed_at < moment - interval '1 year';
  $$;
revoke execute on function expire_exports(timestamptz) from public;
grant execute on function expire_exports(timestamptz) to sightline_app;

-- Tickets with which the maker of an export reads footage from a media worker: they belong to no session.
alter table stream_tickets
  add column export_id bigint,
  -- Whether the file has sound.
  add column has_sound boolean,
  alter column token_sha256 drop not null,
  add check ((export_id is null) = (token_sha256 is not null)),
  add check ((export_id is null) = (has_sound is null)),
  add check (export_id is null or (use = 'mp4' and proof is not null and from_at is not null and till_at is not null));

insert into job_tasks (task, enqueued_by) values
  ('makeExport', '{sightline_app}');
