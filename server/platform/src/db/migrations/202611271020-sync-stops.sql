-- What a camera was to record is kept with the schedule and the time zone of that time, and a sync that is turned off stops its jobs
-- (docs/decisions/0117).
alter table camera_plans add column time_zone text;

-- A job that ended before its gap was filled as far as it could be: it may go on.
alter table sync_jobs add column stopped boolean not null default false;

create or replace function keep_former_plan() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone)
      select old.account_id, old.camera_id, clock_timestamp(), old.mode, old.recording_mode,
             coalesce(old.schedule, z.schedule), coalesce(old.time_zone, z.time_zone, a.time_zone)
        from public.zones z join public.accounts a on a.account_id = z.account_id
       where z.account_id = old.account_id and z.zone_id = old.zone_id
      on conflict do nothing;
    delete from public.camera_plans p
      where p.account_id = old.account_id and p.camera_id = old.camera_id
        and p.plan_until < clock_timestamp() - interval '2 days';
    return null;
  end $$;
drop trigger keep_former_plan on cameras;
create trigger keep_former_plan after update of mode, recording_mode, schedule, zone_id, time_zone on cameras
  for each row when (old.mode is distinct from new.mode or old.recording_mode is distinct from new.recording_mode
    or old.schedule is distinct from new.schedule or old.zone_id is distinct from new.zone_id
    or old.time_zone is distinct from new.time_zone)
  execute function keep_former_plan();

-- The schedule and the time zone of a zone are those of its cameras that have none of their own.
create function keep_former_plans_of_zone() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone)
      select c.account_id, c.camera_id, clock_timestamp(), c.mode, c.recording_mode,
             coalesce(c.schedule, old.schedule), coalesce(c.time_zone, old.time_zone, a.time_zone)
        from public.cameras c join public.accounts a on a.account_id = c.account_id
       where c.account_id = old.account_id and c.zone_id = old.zone_id
         and (c.schedule is null or c.time_zone is null)
      on conflict do nothing;
    return null;
  end $$;
create trigger keep_former_plans_of_zone after update of schedule, time_zone on zones
  for each row when (old.schedule is distinct from new.schedule or old.time_zone is distinct from new.time_zone)
  execute function keep_former_plans_of_zone();

create function keep_former_plans_of_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone)
      select c.account_id, c.camera_id, clock_timestamp(), c.mode, c.recording_mode,
             coalesce(c.schedule, z.schedule), coalesce(c.time_zone, z.time_zone, old.time_zone)
        from public.cameras c join public.zones z on z.account_id = c.account_id and z.zone_id = c.zone_id
       where c.account_id = old.account_id and c.time_zone is null and z.time_zone is null
      on conflict do nothing;
    return null;
  end $$;
create trigger keep_former_plans_of_account after update of time_zone on accounts
  for each row when (old.time_zone is distinct from new.time_zone)
  execute function keep_former_plans_of_account();

-- At once, and also if no worker runs.
create function stop_sync_jobs() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    update public.sync_jobs set status = 'Ended', stopped = true, ended_at = clock_timestamp(),
           note = case when new.cloud_sync then 'the mode of the camera was changed' else 'sync was turned off' end
     where account_id = new.account_id and camera_id = new.camera_id and status = 'Running';
    return null;
  end $$;
create trigger stop_sync_jobs after update of cloud_sync, mode, recording_mode on cameras
  for each row when (not new.cloud_sync or new.recording_mode <> 'continuous' or new.mode not in ('armed', 'scheduled'))
  execute function stop_sync_jobs();
