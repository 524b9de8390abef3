-- The audit log as evidence (docs/design/audit-log.md): who it was by name, and a chain of hashes beside it for every
-- organisation, written by one role that writes nothing else.

alter table audit_log
  -- Who it was, as they were called then: people are deleted, lines are not.
  add column actor_name text,
  -- The person of the helpdesk or of a dealer who acted, in a support session or from the dealer dashboard.
  add column staff_id bigint,
  add column api_key_id bigint,
  -- Goes with the personal values when they are erased; without it nobody can guess them from their commitments.
  add column salt bytea default uuid_send(gen_random_uuid()),
  -- What JavaScript counts exactly: no line may be written that could not be sealed.
  add check (account_id between 1 and 9007199254740991);

-- Lines that wait to be sealed. Ids are not ordered and time is not the order of commits; a row that is written with the
-- line and removed with its sealing misses none, whenever its transaction commits.
create table audit_unsealed (
  position bigint generated always as identity primary key,
  account_id bigint not null,
  audit_log_id bigint not null
);

create table audit_chain (
  account_id bigint not null,
  -- From 1, without gaps.
  sequence bigint not null,
  audit_log_id bigint not null,
  -- Of the first checkpoint that covers this line.
  checkpoint bigint not null,
  -- Salted SHA-256 of actor_name, before, after and address, one after the other.
  commitments bytea not null check (octet_length(commitments) = 128),
  line_sha256 bytea not null check (octet_length(line_sha256) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (account_id, sequence),
  unique (account_id, audit_log_id)
);
create index audit_chain_by_checkpoint on audit_chain (checkpoint);

create table audit_checkpoints (
  number bigint primary key,
  at timestamptz(3) not null,
  -- The signed text, as in the second place.
  line text not null
);

create function remember_unsealed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.audit_unsealed (account_id, audit_log_id) select account_id, audit_log_id from new_lines;
  return null;
end $$;
create trigger remember_unsealed after insert on audit_log
  referencing new table as new_lines for each statement execute function remember_unsealed();

insert into audit_unsealed (account_id, audit_log_id)
  select account_id, audit_log_id from audit_log order by at, account_id, audit_log_id;

-- Nobody but the sealer reaches the chain, and not even it may change or remove what it wrote.
grant usage on schema public to sightline_sealer;
grant select on audit_log to sightline_sealer;
grant select, delete on audit_unsealed to sightline_sealer;
grant select, insert on audit_chain, audit_checkpoints to sightline_sealer;
create policy sealer_reads on audit_log for select to sightline_sealer using (true);
do $$
declare t text;
begin
  foreach t in array array['audit_unsealed', 'audit_chain', 'audit_checkpoints'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy sealer on %I to sightline_sealer using (true) with check (true)', t);
  end loop;
end $$;
