-- Sound is imported from a card only for times when the microphone was on, so that is kept with the other plans
-- (docs/decisions/0156).
alter table camera_plans add column microphone boolean;

-- Until now it wasn't known: sound of before stays on the card.
insert into camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone)
  select c.account_id, c.camera_id, clock_timestamp(), c.mode, c.recording_mode,
         coalesce(c.schedule, z.schedule), coalesce(c.time_zone, z.time_zone, a.time_zone)
    from cameras c join accounts a on a.account_id = c.account_id
    join zones z on z.account_id = c.account_id and z.zone_id = c.zone_id
  on conflict do nothing;

create or replace function keep_former_plan() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone, microphone)
      select old.account_id, old.camera_id, clock_timestamp(), old.mode, old.recording_mode,
             coalesce(old.schedule, z.schedule), coalesce(old.time_zone, z.time_zone, a.time_zone), old.microphone
        from public.zones z join public.accounts a on a.account_id = z.account_id
       where z.account_id = old.account_id and z.zone_id = old.zone_id
      on conflict do nothing;
    delete from public.camera_plans p
      where p.account_id = old.account_id and p.camera_id = old.camera_id
        and p.plan_until < clock_timestamp() - interval '2 days';
    return null;
  end $$;
drop trigger keep_former_plan on cameras;
create trigger keep_former_plan after update of mode, recording_mode, schedule, zone_id, time_zone, microphone on cameras
  for each row when (old.mode is distinct from new.mode or old.recording_mode is distinct from new.recording_mode
    or old.schedule is distinct from new.schedule or old.zone_id is distinct from new.zone_id
    or old.time_zone is distinct from new.time_zone or old.microphone is distinct from new.microphone)
  execute function keep_former_plan();

create or replace function keep_former_plans_of_zone() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone, microphone)
      select c.account_id, c.camera_id, clock_timestamp(), c.mode, c.recording_mode,
             coalesce(c.schedule, old.schedule), coalesce(c.time_zone, old.time_zone, a.time_zone), c.microphone
        from public.cameras c join public.accounts a on a.account_id = c.account_id
       where c.account_id = old.account_id and c.zone_id = old.zone_id
         and (c.schedule is null or c.time_zone is null)
      on conflict do nothing;
    return null;
  end $$;

create or replace function keep_former_plans_of_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule, time_zone, microphone)
      select c.account_id, c.camera_id, clock_timestamp(), c.mode, c.recording_mode,
             coalesce(c.schedule, z.schedule), coalesce(c.time_zone, z.time_zone, old.time_zone), c.microphone
        from public.cameras c join public.zones z on z.account_id = c.account_id and z.zone_id = c.zone_id
       where c.account_id = old.account_id and c.time_zone is null and z.time_zone is null
      on conflict do nothing;
    return null;
  end $$;
