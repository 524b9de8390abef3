-- Cameras are offered to another account, whose owner accepts or declines (docs/decisions/0124).

-- A camera that belongs to another account now: its footage stays here. It is the other account's camera of that id.
alter table cameras
  add column transferred_at timestamptz(3),
  add column transferred_camera_id bigint,
  add check ((transferred_at is null) = (transferred_camera_id is null));
create index cameras_transferred on cameras (transferred_at) where transferred_at is not null;

create table camera_transfers (
  -- Who offers.
  account_id bigint not null references accounts on delete cascade,
  camera_transfer_id bigint not null,
  -- Who may accept; null: nobody has that email address or id, which the one who offers doesn't learn.
  receiver_account_id bigint references accounts on delete cascade,
  -- As it was named.
  receiver_email text check (length(receiver_email) <= 128),
  receiver_named_account_id bigint,
  sender_name text not null,
  sender_email text not null,
  -- The names, brands and models of the cameras at that time.
  cameras jsonb not null,
  camera_ids bigint[] not null check (cardinality(camera_ids) between 1 and 200),
  status text not null default 'offered' check (status in ('offered', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (account_id, camera_transfer_id),
  check (num_nonnulls(receiver_email, receiver_named_account_id) = 1)
);
create unique index camera_transfers_by_id on camera_transfers (camera_transfer_id);
create index camera_transfers_by_receiver on camera_transfers (receiver_account_id);
alter table camera_transfers enable row level security;
create policy tenant on camera_transfers to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy receiver on camera_transfers for select to sightline_app
  using (receiver_account_id = (select current_setting('app.account')::bigint));
grant select, insert, update on camera_transfers to sightline_app;

-- The account that an offer is for; null if there is none. The one who offers sees no difference.
create function receiver_of_transfer(email_folded text, named bigint) returns bigint
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id from public.accounts a join public.users u on u.account_id = a.account_id and u.user_id = a.account_id
     where (u.email_folded = receiver_of_transfer.email_folded or a.account_id = named)
       and a.account_id <> public.scoped('app.account')
  $$;

-- What the receiver needs to store the passwords of the offered cameras under a key of its own.
create function offered_passwords(transfer bigint)
  returns table (account_id bigint, camera_id bigint, password_sealed bytea)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select c.account_id, c.camera_id, c.password_sealed
      from public.camera_transfers t
      join public.cameras c on c.account_id = t.account_id and c.camera_id = any (t.camera_ids)
     where t.camera_transfer_id = transfer and t.receiver_account_id = public.scoped('app.account')
       and t.status = 'offered'
  $$;

-- Ends an offer that the account in whose scope this runs was made, in the log of the other account too. The outcome is
-- `done`, or why not.
create function decline_camera_transfer(transfer bigint, entry bigint, moment timestamptz) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  declare offer public.camera_transfers;
  begin
    select * into offer from public.camera_transfers t
     where t.camera_transfer_id = transfer and t.receiver_account_id = public.scoped('app.account') for update;
    if not found then return 'notFound'; end if;
    if offer.status <> 'offered' or offer.expires_at <= moment then return 'ended'; end if;
    update public.camera_transfers t set status = 'declined', ended_at = moment
     where t.account_id = offer.account_id and t.camera_transfer_id = transfer;
    insert into public.audit_log (account_id, audit_log_id, client_id, action, target_kind, target_id, after, address)
      values (offer.account_id, entry, 'server', 'cameraTransferDeclined', 'cameraTransfer', transfer,
        jsonb_build_object('cameraIds', to_jsonb(offer.camera_ids)), '');
    return 'done';
  end $$;

-- Gives the offered cameras to the account in whose scope this runs. `moves` says of each camera its new id, and its
-- password as it was (in hexadecimal digits) and sealed for the new owner. The outcome is `done`, or why not.
create function accept_camera_transfer(transfer bigint, zone bigint, moves jsonb, entry bigint, moment timestamptz) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  declare
    offer public.camera_transfers;
    receiver bigint := public.scoped('app.account');
    present int;
    retention int;
    held jsonb;
  begin
    select * into offer from public.camera_transfers t
     where t.camera_transfer_id = transfer and t.receiver_account_id = receiver for update;
    if not found then return 'notFound'; end if;
    if offer.status <> 'offered' or offer.expires_at <= moment then return 'ended'; end if;
    perform from public.zones z where z.account_id = receiver and z.zone_id = zone for key share;
    if not found then return 'noZone'; end if;
    -- Whoever changes a camera waits, and finds it gone.
    perform from public.cameras c where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids)
     order by c.camera_id for no key update;
    select count(*) into present from public.cameras c
     where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids)
       and c.transferred_at is null and c.addition_status = 'added' and c.device_id is null and c.rtsp_port > 0;
    if present <> cardinality(offer.camera_ids) then return 'gone'; end if;
    -- The inputs of one device belong to one account.
    if exists (select from public.cameras c join public.cameras o
          on o.account_id = c.account_id and o.eth_mac_address = c.eth_mac_address
         where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids) and c.eth_mac_address <> ''
           and o.camera_id <> all (offer.camera_ids))
      or exists (select from public.cameras c join public.devices d
          on d.account_id = c.account_id and d.eth_mac_address = c.eth_mac_address
         where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids) and c.eth_mac_address <> '')
    then return 'shared'; end if;
    if exists (select from public.device_jobs j where j.account_id = offer.account_id
         and j.camera_id = any (offer.camera_ids) and j.state in ('queued', 'running'))
      or exists (select from public.camera_replacements r where r.account_id = offer.account_id
         and r.camera_id = any (offer.camera_ids) and r.status = 'inProgress')
    then return 'busy'; end if;
    if exists (select from public.cameras c
        left join jsonb_to_recordset(moves) as m(camera_id bigint, was text) on m.camera_id = c.camera_id
       where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids)
         and (m.camera_id is null or m.was is distinct from encode(c.password_sealed, 'hex')))
    then return 'changed'; end if;
    -- In networks that accounts don't share, the receiver has to be able to reach them (docs/decisions/0107).
    if exists (select from public.camera_networks) and exists (
        select from public.cameras c
          cross join lateral (select case when c.address ~ '^\d{1,3}(\.\d{1,3}){3}$' or c.address ~ '^[0-9a-fA-F.:]*:[0-9a-fA-F.:]*$'
            then c.address::inet end as ip) as at
         where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids)
           and at.ip <<= any (array['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']::inet[])
           and not exists (select from public.camera_networks n where n.account_id = receiver and at.ip <<= n.network::inet))
    then return 'network'; end if;

    delete from public.former_cameras f where f.account_id = offer.account_id and f.camera_id = any (offer.camera_ids);
    delete from public.camera_replacements r where r.account_id = offer.account_id and r.camera_id = any (offer.camera_ids);
    select jsonb_object_agg(c.camera_id,
        jsonb_build_object('mac', c.eth_mac_address, 'named', c.named_mac_address, 'key', c.connection_key)) into held
      from public.cameras c where c.account_id = offer.account_id and c.camera_id = any (offer.camera_ids);
    -- First all of these, so that the claim of an encoder with several inputs is free.
    update public.cameras c set transferred_at = now(), transferred_camera_id = m.new_camera_id,
        eth_mac_address = '', named_mac_address = null, connection_key = null, cloud_sync = false
      from jsonb_to_recordset(moves) as m(camera_id bigint, new_camera_id bigint)
     where c.account_id = offer.account_id and c.camera_id = m.camera_id and c.camera_id = any (offer.camera_ids);
    select coalesce((select p.retention_hours from public.subscriptions s
        join public.subscription_packages p
          on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
       where s.account_id = receiver), 168) into retention;
    insert into public.cameras (account_id, camera_id, zone_id, name, device_type_id, eth_mac_address, brand, model,
        firmware_version, serial, address, rtsp_port, main_path, sub_path, stream_secure, certificate_sha256, onvif_port,
        onvif_secure, onvif_certificate_sha256, username, password_sealed, allow_basic, named_port, input, device_inputs,
        motion_sources, machines, named_mac_address, connection_key, retention_hours, mode, addition_status, addition_step)
      select receiver, m.new_camera_id, zone, c.name, c.device_type_id, held->m.camera_id::text->>'mac', c.brand, c.model, c.firmware_version,
        c.serial, c.address, c.rtsp_port, c.main_path, c.sub_path, c.stream_secure, c.certificate_sha256, c.onvif_port,
        c.onvif_secure, c.onvif_certificate_sha256, c.username, decode(m.sealed, 'hex'), c.allow_basic, c.named_port,
        c.input, c.device_inputs, c.motion_sources, c.machines, held->m.camera_id::text->>'named',
        held->m.camera_id::text->>'key', retention,
        (select case z.mode when 'private' then 'disarmed' else z.mode end from public.zones z
          where z.account_id = receiver and z.zone_id = zone),
        'added', 'recording'
        from jsonb_to_recordset(moves)
          as m(camera_id bigint, new_camera_id bigint, sealed text)
        join public.cameras c on c.account_id = offer.account_id and c.camera_id = m.camera_id
       where c.camera_id = any (offer.camera_ids);
    insert into public.camera_capabilities (account_id, camera_id, asked_at, abilities)
      select receiver, m.new_camera_id, a.asked_at, a.abilities
        from jsonb_to_recordset(moves) as m(camera_id bigint, new_camera_id bigint)
        join public.camera_capabilities a on a.account_id = offer.account_id and a.camera_id = m.camera_id;
    update public.camera_transfers t set status = 'accepted', ended_at = moment
     where t.account_id = offer.account_id and t.camera_transfer_id = transfer;
    insert into public.audit_log (account_id, audit_log_id, client_id, action, target_kind, target_id, after, address)
      values (offer.account_id, entry, 'server', 'cameraTransferAccepted', 'cameraTransfer', transfer,
        jsonb_build_object('cameraIds', to_jsonb(offer.camera_ids)), '');
    return 'done';
  end $$;

revoke execute on function receiver_of_transfer(text, bigint), offered_passwords(bigint),
  decline_camera_transfer(bigint, bigint, timestamptz),
  accept_camera_transfer(bigint, bigint, jsonb, bigint, timestamptz) from public;
grant execute on function receiver_of_transfer(text, bigint), offered_passwords(bigint),
  decline_camera_transfer(bigint, bigint, timestamptz),
  accept_camera_transfer(bigint, bigint, jsonb, bigint, timestamptz) to sightline_app;

-- The former owner's footage has no hole before the new owner's begins: its worker records until the other camera is
-- recorded, or for 20 seconds. Then it forgets how the camera was reached. Times are the database's.
create function end_camera_handovers() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with ended as (
      update public.cameras c set address = '', rtsp_port = 0, main_path = '', sub_path = null, stream_secure = false,
          certificate_sha256 = null, onvif_port = null, onvif_secure = false, onvif_certificate_sha256 = null,
          username = null, password_sealed = null, allow_basic = false, named_port = null, input = null,
          motion_sources = null
       where c.transferred_at is not null and c.rtsp_port > 0
         and (c.transferred_at < now() - interval '20 seconds'
           or exists (select from public.camera_status s where s.camera_id = c.transferred_camera_id and s.recording)
           or not exists (select from public.cameras n
             where n.camera_id = c.transferred_camera_id and n.mode not in ('private', 'disarmed')))
      returning c.account_id, c.camera_id)
    update public.camera_status s set online = false, recording = false, offline_since = null, sub_online = null
      from ended e where s.account_id = e.account_id and s.camera_id = e.camera_id
  $$;
revoke execute on function end_camera_handovers() from public;
grant execute on function end_camera_handovers() to sightline_media;

-- Cameras of other accounts go when their footage is gone.
create function drop_transferred_cameras(moment timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with gone as (
      delete from public.cameras c
       where c.transferred_at + make_interval(hours => c.retention_hours + 1) < moment
         and not exists (select from public.recording_runs r where r.account_id = c.account_id and r.camera_id = c.camera_id)
      returning c.account_id, c.camera_id, c.retention_hours)
    insert into public.removed_cameras (account_id, camera_id, retention_hours, removed_at)
      select account_id, camera_id, retention_hours, moment from gone
  $$;
revoke execute on function drop_transferred_cameras(timestamptz) from public;
grant execute on function drop_transferred_cameras(timestamptz) to sightline_app;

insert into job_tasks (task, enqueued_by) values ('writeTransferMail', '{sightline_app}');
create policy of_transfers on mail_outbox for insert to sightline_app
  with check (account_id = (select current_setting('app.account')::bigint)
    and kind in ('cameraTransferOffered', 'cameraTransferAccepted', 'cameraTransferDeclined'));

-- As before, besides that a camera of another account takes no slot.
create or replace function hold_limit() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  most integer;
  present bigint;
begin
  perform from public.accounts a where a.account_id = new.account_id for no key update;
  case tg_argv[0]
    when 'sub_users' then
      if new.user_id = new.account_id then return new; end if;
      select coalesce(a.max_sub_users, r.max_sub_users) into most
        from public.accounts a join public.resellers r on r.reseller_id = a.reseller_id where a.account_id = new.account_id;
      select count(*) into present from public.users u where u.account_id = new.account_id and u.user_id <> u.account_id;
    when 'cameras' then
      select case when s.ended_at is not null then 0 else coalesce(a.max_cameras, p.max_cameras) end into most
        from public.accounts a
        left join public.subscriptions s on s.account_id = a.account_id
        left join public.subscription_packages p
          on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
       where a.account_id = new.account_id;
      select count(*) into present from public.cameras c
       where c.account_id = new.account_id and c.transferred_at is null;
    else
      select case when s.ended_at is not null then 0 else coalesce(a.max_devices, p.max_devices) end into most
        from public.accounts a
        left join public.subscriptions s on s.account_id = a.account_id
        left join public.subscription_packages p
          on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
       where a.account_id = new.account_id;
      select count(*) into present from public.devices d where d.account_id = new.account_id;
  end case;
  if present >= most then
    raise exception 'account % may hold % %', new.account_id, most, tg_argv[0]
      using errcode = 'check_violation', constraint = 'limit_of_' || tg_argv[0], table = tg_table_name;
  end if;
  return new;
end $$;
create or replace function usage_of_accounts(ids bigint[])
  returns table (account_id bigint, sub_users bigint, cameras bigint, online bigint, devices bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id,
           (select count(*) from public.users u where u.account_id = a.account_id and u.user_id <> u.account_id),
           (select count(*) from public.cameras c where c.account_id = a.account_id and c.transferred_at is null),
           (select count(*) from public.camera_status s where s.account_id = a.account_id and s.online),
           (select count(*) from public.devices d where d.account_id = a.account_id)
      from public.accounts a
     where (a.reseller_id = public.scoped('app.reseller') or a.account_id = public.scoped('app.account'))
       and public.scoped('app.staff') = 1
       and (ids is null or a.account_id = any (ids))
  $$;
