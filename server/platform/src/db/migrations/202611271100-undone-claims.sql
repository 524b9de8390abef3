-- A former device that is put back is claimed again, as if it was added (docs/decisions/0111, 0115).
create function claim_own_mac_address(mac text) returns text
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ select public.claim_mac_address(public.scoped('app.account'), lower(mac)) $$;
revoke execute on function claim_own_mac_address(text) from public;
grant execute on function claim_own_mac_address(text) to sightline_app;
