-- The worker that finds a camera at another address writes down where it is, and changes nothing else of a camera that was added
-- (docs/decisions/0136). False if its owner changed or removed it meanwhile.
create function move_camera(account bigint, camera bigint, was text, address text, was_key text, key text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
    begin
      update public.cameras c set address = move_camera.address, connection_key = move_camera.key
       where c.account_id = account and c.camera_id = camera and c.address = was
         and c.connection_key is not distinct from was_key and c.addition_status = 'added'
         and c.device_id is null and c.mode <> 'private' and c.transferred_at is null and not c.allow_basic;
      return found;
    end
  $$;
revoke execute on function move_camera(bigint, bigint, text, text, text, text) from public;
grant execute on function move_camera(bigint, bigint, text, text, text, text) to sightline_media;
