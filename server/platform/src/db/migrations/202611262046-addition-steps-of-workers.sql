-- The worker that adds a camera writes down how far it is.
grant update (addition_step) on cameras to sightline_media;

-- Additions that failed are dismissed a day later. It tells where to look only.
create index cameras_not_added on cameras (addition_started_at) where addition_status = 'failure';
create function failed_additions_before(moment timestamptz)
  returns table (account_id bigint, camera_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select c.account_id, c.camera_id from public.cameras c
     where c.addition_status = 'failure' and c.addition_started_at < moment
     order by c.addition_started_at limit 500
  $$;
revoke execute on function failed_additions_before(timestamptz) from public;
grant execute on function failed_additions_before(timestamptz) to sightline_app;
