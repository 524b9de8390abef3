-- Zones have names that tell them apart, and the audit log can be read: by time, by person, by camera.

-- Of two with the same name the later ones get their number behind it.
update zones z set name = left(z.name, 40) || ' (' || z.zone_id || ')'
  where exists (
    select from zones o
     where o.account_id = z.account_id and o.zone_id < z.zone_id
       and lower(normalize(o.name, nfkc)) = lower(normalize(z.name, nfkc)));
create unique index zones_by_name on zones (account_id, lower(normalize(name, nfkc)));

-- Pages of the log go on after a line, and many lines have the same time.
create index audit_log_in_order on audit_log (account_id, at, audit_log_id);
drop index audit_log_by_time;
create index audit_log_of_user on audit_log (account_id, user_id, at, audit_log_id);
create index audit_log_of_camera on audit_log (account_id, target_id, at, audit_log_id) where target_kind = 'camera';
create index audit_log_of_staff on audit_log (account_id, at, audit_log_id) where staff_id is not null;

-- Whoever reads the log may know which lines are in the chain, and where; the hashes are the sealer's.
grant select (account_id, sequence, audit_log_id) on audit_chain to sightline_app;
create policy tenant_reads on audit_chain for select to sightline_app
  using (account_id = (select current_setting('app.account')::bigint));
