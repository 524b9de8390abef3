-- A camera's device is replaced by another one; the row of the camera stays (docs/decisions/0115).

-- What makes a row of cameras lead to one device and no other.
create function camera_connection(c cameras) returns jsonb
  language sql stable set search_path = pg_catalog, public, pg_temp
  as $$
    select jsonb_build_object(
      'address', c.address, 'named_port', c.named_port, 'rtsp_port', c.rtsp_port, 'main_path', c.main_path,
      'sub_path', c.sub_path, 'stream_secure', c.stream_secure, 'certificate_sha256', c.certificate_sha256,
      'onvif_port', c.onvif_port, 'onvif_secure', c.onvif_secure,
      'onvif_certificate_sha256', c.onvif_certificate_sha256, 'username', c.username,
      'password_sealed', c.password_sealed, 'allow_basic', c.allow_basic, 'brand', c.brand, 'model', c.model,
      'firmware_version', c.firmware_version, 'serial', c.serial, 'eth_mac_address', c.eth_mac_address,
      'input', c.input, 'device_inputs', c.device_inputs, 'motion_sources', c.motion_sources,
      'connection_key', c.connection_key, 'device_id', c.device_id)
  $$;
-- With the rights of who calls it. The time makes the worker connect anew.
create function put_camera_connection(account bigint, camera bigint, connection jsonb, moment timestamptz) returns void
  language sql set search_path = pg_catalog, public, pg_temp
  as $$
    update cameras c set
      address = n.address, named_port = n.named_port, rtsp_port = n.rtsp_port, main_path = n.main_path,
      sub_path = n.sub_path, stream_secure = n.stream_secure, certificate_sha256 = n.certificate_sha256,
      onvif_port = n.onvif_port, onvif_secure = n.onvif_secure,
      onvif_certificate_sha256 = n.onvif_certificate_sha256, username = n.username,
      password_sealed = n.password_sealed, allow_basic = n.allow_basic, brand = n.brand, model = n.model,
      firmware_version = n.firmware_version, serial = n.serial, eth_mac_address = n.eth_mac_address,
      input = n.input, device_inputs = n.device_inputs, motion_sources = n.motion_sources,
      connection_key = n.connection_key, device_id = n.device_id, addition_started_at = moment
    from jsonb_populate_record(null::cameras, connection) n
    where c.account_id = account and c.camera_id = camera
  $$;

create table camera_replacements (
  account_id bigint not null,
  camera_id bigint not null,
  dry_run boolean not null,
  status text not null check (status in ('inProgress', 'ready', 'failure', 'replaced', 'undone')),
  sub_status text not null default 'none',
  -- The last step that succeeded before the camera was connected to the new device.
  step text check (step in ('reachable', 'identified', 'signedIn', 'streams', 'samplePicture')),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- How the new device is reached; empty once it is over, so that no password of a device that wasn't taken stays.
  connection jsonb not null,
  brand text,
  model text,
  found jsonb,
  before jsonb,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index camera_replacements_open on camera_replacements (camera_id) where status = 'inProgress';

create table former_cameras (
  account_id bigint not null,
  camera_id bigint not null,
  connection jsonb not null,
  abilities jsonb,
  replaced_at timestamptz(3) not null,
  undo_until timestamptz(3) not null,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create index former_cameras_by_end on former_cameras (undo_until);

do $$
declare t text;
begin
  foreach t in array array['camera_replacements', 'former_cameras'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
  end loop;
end $$;
create policy media on camera_replacements to sightline_media using (true) with check (true);
grant select, insert, update on camera_replacements to sightline_app;
grant select, delete on former_cameras to sightline_app;
grant select, insert, update, delete on camera_capabilities to sightline_app;
grant select, update on camera_replacements to sightline_media;

-- Connects a camera to the device that passed, and keeps how the one before was reached. False: it isn't wanted any more.
create function replace_camera(account bigint, camera bigint, started timestamptz, connection jsonb, abilities jsonb,
  moment timestamptz, undo_until timestamptz) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    perform 1 from public.cameras c
      where c.account_id = account and c.camera_id = camera and c.addition_status = 'added' for no key update;
    if not found then return false; end if;
    update public.camera_replacements r set status = 'replaced', ended_at = moment, connection = '{}'
      where r.account_id = account and r.camera_id = camera and r.started_at = started
        and r.status = 'inProgress' and not r.dry_run;
    if not found then return false; end if;
    insert into public.former_cameras as f
      select account, camera, public.camera_connection(c),
        (select a.abilities from public.camera_capabilities a where a.account_id = account and a.camera_id = camera),
        moment, replace_camera.undo_until
      from public.cameras c where c.account_id = account and c.camera_id = camera
      on conflict on constraint former_cameras_pkey do update set connection = excluded.connection,
        abilities = excluded.abilities, replaced_at = excluded.replaced_at, undo_until = excluded.undo_until;
    perform public.put_camera_connection(account, camera, replace_camera.connection, moment);
    delete from public.camera_capabilities a where a.account_id = account and a.camera_id = camera;
    if replace_camera.abilities is not null then
      insert into public.camera_capabilities (account_id, camera_id, asked_at, abilities)
        values (account, camera, moment, replace_camera.abilities);
    end if;
    update public.camera_status s set online = false, recording = false
      where s.account_id = account and s.camera_id = camera;
    return true;
  end $$;
revoke execute on function replace_camera(bigint, bigint, timestamptz, jsonb, jsonb, timestamptz, timestamptz) from public;
grant execute on function replace_camera(bigint, bigint, timestamptz, jsonb, jsonb, timestamptz, timestamptz)
  to sightline_media;

-- Forgets how former devices were reached whose time is over.
create function forget_former_cameras(moment timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ delete from public.former_cameras where undo_until < moment $$;
revoke execute on function forget_former_cameras(timestamptz) from public;
grant execute on function forget_former_cameras(timestamptz) to sightline_app;
