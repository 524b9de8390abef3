-- Cameras and recorders are added by MAC address, and one of them belongs to one account at a time (docs/decisions/0111).
alter table cameras add column named_mac_address text;
alter table devices add column named_mac_address text;

create table mac_claims (
  -- Lower case with colons.
  mac_address text primary key,
  account_id bigint not null references accounts on delete cascade,
  -- Null while a camera or recorder of the account has it; otherwise since when none has.
  released_at timestamptz(3)
);
create index mac_claims_by_account on mac_claims (account_id);
alter table mac_claims enable row level security;
create policy tenant on mac_claims for select to sightline_app
  using (account_id = (select current_setting('app.account')::bigint));
grant select on mac_claims to sightline_app;

insert into mac_claims (mac_address, account_id)
select distinct on (mac) mac, account_id from (
  select lower(eth_mac_address) as mac, account_id, camera_id as id from cameras
  union all
  select lower(eth_mac_address), account_id, device_id from devices) as found
 where mac ~ '^[0-9a-f]{2}(:[0-9a-f]{2}){5}$'
 order by mac, id;

-- Takes a MAC address for an account: `claimed`, `taken` by another account, or `resting` for two minutes after a removal.
create function claim_mac_address(account bigint, mac text) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
    declare holder public.mac_claims;
    begin
      loop
        insert into public.mac_claims (mac_address, account_id) values (mac, account) on conflict (mac_address) do nothing;
        if found then return 'claimed'; end if;
        select * into holder from public.mac_claims where mac_address = mac for update;
        exit when found;
      end loop;
      if holder.released_at > now() - interval '2 minutes' then return 'resting'; end if;
      if holder.released_at is null and holder.account_id <> account then return 'taken'; end if;
      update public.mac_claims set account_id = account, released_at = null where mac_address = mac;
      return 'claimed';
    end
  $$;
revoke execute on function claim_mac_address(bigint, text) from public;
grant execute on function claim_mac_address(bigint, text) to sightline_media;

-- The claim follows what has the address: it moves with it, and is released when the last one is gone. What was never added
-- needs no rest.
create function keep_mac_claims() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
    begin
      if tg_op <> 'DELETE' and new.eth_mac_address <> '' then
        insert into public.mac_claims (mac_address, account_id)
          select lower(new.eth_mac_address), new.account_id on conflict (mac_address) do nothing;
      end if;
      if tg_op = 'INSERT' or old.eth_mac_address = '' then return null; end if;
      if tg_op = 'UPDATE' then
        if new.account_id <> old.account_id then
          update public.mac_claims set account_id = new.account_id
           where mac_address = lower(old.eth_mac_address) and account_id = old.account_id;
          return null;
        end if;
        if new.eth_mac_address = old.eth_mac_address then return null; end if;
      end if;
      if exists (select from public.cameras where account_id = old.account_id and eth_mac_address = old.eth_mac_address)
        or exists (select from public.devices where account_id = old.account_id and eth_mac_address = old.eth_mac_address)
      then return null; end if;
      if tg_op = 'DELETE' and old.addition_status = 'added' then
        update public.mac_claims set released_at = now()
         where mac_address = lower(old.eth_mac_address) and account_id = old.account_id;
      else
        delete from public.mac_claims where mac_address = lower(old.eth_mac_address) and account_id = old.account_id;
      end if;
      return null;
    end
  $$;
create trigger keep_mac_claims after insert or delete or update of eth_mac_address, account_id on cameras
  for each row execute function keep_mac_claims();
create trigger keep_mac_claims after insert or delete or update of eth_mac_address, account_id on devices
  for each row execute function keep_mac_claims();

-- What an account removed, by address and port as they were named: for two minutes it isn't added again.
create table removed_connections (
  account_id bigint not null references accounts on delete cascade,
  connection_key text not null,
  removed_at timestamptz(3) not null default now(),
  primary key (account_id, connection_key)
);
alter table removed_connections enable row level security;
create policy tenant on removed_connections to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on removed_connections to sightline_app;

-- The worker that finds a camera by its MAC address writes down where it is.
grant update (address, eth_mac_address) on cameras to sightline_media;
grant update (address) on devices to sightline_media;
