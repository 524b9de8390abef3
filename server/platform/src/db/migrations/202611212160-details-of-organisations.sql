-- Of distributors and resellers every transaction of the application needs the name, the look, the modules and the limits that
-- hold for accounts. Whom to turn to, and what an organisation is called in the books, is shown in the scope that reaches it.

revoke select on distributors, resellers from sightline_app;
grant select (distributor_id, name, theme, created_at) on distributors to sightline_app;
grant select (reseller_id, distributor_id, name, modules, theme, time_zone, max_sub_users, created_at) on resellers
  to sightline_app;

-- Of the provider's scope, and of the distributor that is itself acted on: not of a transaction that only writes to its log.
create view distributor_details with (security_barrier) as
  select distributor_id, email, country, contact_details
    from distributors
   where scoped('app.staff') = 1
     and (scoped('app.provider') = 1 or distributor_id = scoped('app.account'));

create view reseller_details with (security_barrier) as
  select reseller_id, contact_details, zoho_id
    from resellers
   where scoped('app.staff') = 1
     and (reseller_id = scoped('app.reseller') or distributor_id = scoped('app.distributor'));

grant select on distributor_details, reseller_details to sightline_app;
