-- Hosts of brands are added and removed by the distributor, or by the provider for it (docs/decisions/0062). Everybody reads them.
alter table brand_hosts add column created_at timestamptz(3) not null default now();
alter table brand_hosts enable row level security;
create policy everybody_reads on brand_hosts for select using (true);
create policy distributor_adds on brand_hosts for insert to sightline_app
  with check (
    (select scoped('app.staff')) = 1
    and reseller_id in (select r.reseller_id from resellers r where r.distributor_id = (select scoped('app.distributor')))
  );
create policy distributor_removes on brand_hosts for delete to sightline_app
  using (
    (select scoped('app.staff')) = 1
    and reseller_id in (select r.reseller_id from resellers r where r.distributor_id = (select scoped('app.distributor')))
  );
grant insert, delete on brand_hosts to sightline_app;
