-- Machines whose media workers reach the front over mutual TLS (docs/decisions/0101). The owner of the database adds and
-- revokes them; no worker may, because it could let a revoked machine in again.
create table media_machines (
  -- Part of the names of its workers and of its database role.
  name text primary key check (name ~ '^[a-z][a-z0-9]{0,30}$'),
  -- SHA-256 of its certificate (DER).
  certificate_sha256 bytea not null unique check (octet_length(certificate_sha256) = 32),
  issued_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
alter table media_machines enable row level security;
create policy sealer on media_machines for select to sightline_sealer using (true);
grant select on media_machines to sightline_sealer;

-- Each machine has its own disk: which one a worker writes to. 'disk' is the front's.
alter table media_workers add column store text not null default 'disk';
-- Each disk has chains of its own.
alter table footage_deletions add column store text not null default 'disk';
-- Which disks have deleted their part of the range. The request is done when no other one has footage in it.
alter table footage_deletion_requests add column done_stores text[] not null default '{}';
