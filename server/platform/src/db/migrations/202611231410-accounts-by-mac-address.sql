-- Dealers search their accounts by the MAC address of a camera or device. In a reseller's scope cameras and devices are
-- not visible, so a function answers with the numbers of that reseller's accounts only.
create index cameras_by_mac_address on cameras (translate(lower(eth_mac_address), ':-.', ''));
create index devices_by_mac_address on devices (translate(lower(eth_mac_address), ':-.', ''));

-- The address is 12 lower-case hexadecimal digits without separators.
create function accounts_with_mac_address(digits text) returns table (account_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id
      from public.accounts a
     where a.reseller_id = public.scoped('app.reseller')
       and public.scoped('app.staff') = 1
       and a.account_id in (
         select c.account_id from public.cameras c where translate(lower(c.eth_mac_address), ':-.', '') = digits
          union all
         select d.account_id from public.devices d where translate(lower(d.eth_mac_address), ':-.', '') = digits)
  $$;
revoke execute on function accounts_with_mac_address(text) from public;
grant execute on function accounts_with_mac_address(text) to sightline_app;
