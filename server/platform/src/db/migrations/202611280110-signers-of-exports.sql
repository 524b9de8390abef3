-- Which key signed an export: another may sign today.
alter table exports
  -- Fingerprint of the key. Null until it is done, and for exports that were made before.
  add column signer text check (signer ~ '^[0-9a-f]{64}$');

create function signed_export_by_hash(id bigint, hash bytea) returns table (exported_at timestamptz, signer text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select e.exported_at, e.signer from public.exports e where e.export_id = id and e.sha256 = hash and e.status = 'Done' $$;
revoke execute on function signed_export_by_hash(bigint, bytea) from public;
grant execute on function signed_export_by_hash(bigint, bytea) to sightline_app;
drop function exported_at_by_hash(bigint, bytea);
