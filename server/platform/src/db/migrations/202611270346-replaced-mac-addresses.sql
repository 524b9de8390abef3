-- The MAC address by which a camera was added belongs to its device too (docs/decisions/0115).

-- What makes a row of cameras lead to one device and no other.
create or replace function camera_connection(c cameras) returns jsonb
  language sql stable set search_path = pg_catalog, public, pg_temp
  as $$
    select jsonb_build_object(
      'address', c.address, 'named_port', c.named_port, 'rtsp_port', c.rtsp_port, 'main_path', c.main_path,
      'sub_path', c.sub_path, 'stream_secure', c.stream_secure, 'certificate_sha256', c.certificate_sha256,
      'onvif_port', c.onvif_port, 'onvif_secure', c.onvif_secure,
      'onvif_certificate_sha256', c.onvif_certificate_sha256, 'username', c.username,
      'password_sealed', c.password_sealed, 'allow_basic', c.allow_basic, 'brand', c.brand, 'model', c.model,
      'firmware_version', c.firmware_version, 'serial', c.serial, 'eth_mac_address', c.eth_mac_address,
      'named_mac_address', c.named_mac_address,
      'input', c.input, 'device_inputs', c.device_inputs, 'motion_sources', c.motion_sources,
      'connection_key', c.connection_key, 'device_id', c.device_id)
  $$;
-- With the rights of who calls it. The time makes the worker connect anew.
create or replace function put_camera_connection(account bigint, camera bigint, connection jsonb, moment timestamptz) returns void
  language sql set search_path = pg_catalog, public, pg_temp
  as $$
    update cameras c set
      address = n.address, named_port = n.named_port, rtsp_port = n.rtsp_port, main_path = n.main_path,
      sub_path = n.sub_path, stream_secure = n.stream_secure, certificate_sha256 = n.certificate_sha256,
      onvif_port = n.onvif_port, onvif_secure = n.onvif_secure,
      onvif_certificate_sha256 = n.onvif_certificate_sha256, username = n.username,
      password_sealed = n.password_sealed, allow_basic = n.allow_basic, brand = n.brand, model = n.model,
      firmware_version = n.firmware_version, serial = n.serial, eth_mac_address = n.eth_mac_address,
      named_mac_address = n.named_mac_address,
      input = n.input, device_inputs = n.device_inputs, motion_sources = n.motion_sources,
      connection_key = n.connection_key, device_id = n.device_id, addition_started_at = moment
    from jsonb_populate_record(null::cameras, connection) n
    where c.account_id = account and c.camera_id = camera
  $$;
