-- Ranges of footage that must stay, and how much footage an account may have.

-- Of all streams of a camera. Retention, quota, full disks and users delete nothing that lies in one; with the camera, its
-- locks go. `recording_runs.locked` was never written: a range seldom begins and ends where a row does.
create table footage_locks (
  account_id bigint not null,
  footage_lock_id bigint not null,
  camera_id bigint not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  -- The user who locked it.
  locked_by bigint not null,
  locked_at timestamptz(3) not null,
  primary key (account_id, footage_lock_id),
  foreign key (account_id, camera_id) references cameras on delete cascade,
  check (ended_at > started_at)
);
create index footage_locks_by_camera on footage_locks (account_id, camera_id, started_at);
alter table footage_locks enable row level security;
create policy tenant on footage_locks to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on footage_locks for select to sightline_media using (true);
grant select, insert, delete on footage_locks to sightline_app;
grant select on footage_locks to sightline_media;

-- As before, but locked is what lies in a lock.
create or replace function sum_recording_days(account bigint, camera bigint, of_stream text, from_at timestamptz, till_at timestamptz)
  returns void
  language plpgsql volatile set search_path = pg_catalog, pg_temp
  as $$
declare
  longest constant interval := interval '2 hours';
  before timestamptz;
  after timestamptz;
  first_day date;
  last_day date;
  window_start timestamptz;
  window_end timestamptz;
  anchor timestamptz;
begin
  -- The next of two writers of a stream reads what the first has written.
  perform pg_advisory_xact_lock(20261123, (camera % 64)::integer);

  select r.ended_at into before from public.recording_runs r
   where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
     and r.started_at < from_at
   order by r.started_at desc limit 1;
  select r.started_at into after from public.recording_runs r
   where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
     and r.started_at > till_at
   order by r.started_at limit 1;
  first_day := (least(from_at - longest, before) at time zone 'UTC')::date;
  last_day := (greatest(till_at + longest, after) at time zone 'UTC')::date;
  window_start := first_day::timestamp at time zone 'UTC';
  window_end := (last_day + 1)::timestamp at time zone 'UTC';
  select r.started_at into anchor from public.recording_runs r
   where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
     and r.started_at < window_start
   order by r.started_at desc limit 1;

  with run as (
    select r.started_at, r.ended_at, r.run_id, r.kind, r.end_reason from public.recording_runs r
     where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
       and r.started_at >= coalesce(anchor, window_start) - longest and r.started_at < window_end
    union all
    (select r.started_at, r.ended_at, r.run_id, r.kind, r.end_reason from public.recording_runs r
      where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
        and r.started_at >= window_end
      order by r.started_at limit 1)
  ),
  -- Footage that two workers recorded counts once.
  ordered as (
    select run.*, max(ended_at) over (
      order by started_at, ended_at, run_id rows between unbounded preceding and 1 preceding) as reach from run
  ),
  locked_piece as (
    select greatest(r.started_at, l.started_at) as started_at, least(r.ended_at, l.ended_at) as ended_at
      from run r join public.footage_locks l
        on l.account_id = account and l.camera_id = camera and l.started_at < r.ended_at and l.ended_at > r.started_at
  ),
  locked_run as (
    select started_at, ended_at, max(ended_at) over (
      order by started_at, ended_at rows between unbounded preceding and 1 preceding) as reach from locked_piece
  ),
  -- The runs that footage ends with so far: the previous one says why nothing follows.
  leader as (
    select started_at, reach, lag(end_reason) over (order by started_at, ended_at, run_id) as why from ordered
     where reach is null or ended_at >= reach
  ),
  piece (layer, reason, start, finish) as (
    select 'recorded', '', greatest(started_at, reach), ended_at from ordered
    union all
    select 'event', '', greatest(started_at, reach), ended_at from ordered where kind = 'event'
    union all
    select 'locked', '', greatest(started_at, reach), ended_at from locked_run
    union all
    -- Slices of one run adjoin but for the rounding of ticks.
    select 'gap', coalesce(why, 'unknown'), reach, started_at from leader where started_at > reach + interval '100 milliseconds'
  ),
  by_hour as (
    select layer, reason, (hour at time zone 'UTC')::date as day, extract(hour from hour at time zone 'UTC')::integer as hour,
           (sum(extract(epoch from least(finish, hour + interval '1 hour') - greatest(start, hour))) * 1000)::integer as ms
      from piece cross join lateral generate_series(
        greatest(date_trunc('hour', start, 'UTC'), window_start),
        least(finish, window_end) - interval '1 millisecond', interval '1 hour') as hour
     where finish > start
     group by 1, 2, 3, 4
  ),
  total as (
    select day, layer, reason, sum(ms) as ms from by_hour group by 1, 2, 3
  ),
  sums as (
    select t.day, t.layer, t.reason, t.ms,
           array(select coalesce(h.ms, 0) from generate_series(0, 23) as o (clock)
                   left join by_hour h
                     on h.day = t.day and h.layer = t.layer and h.reason = t.reason and h.hour = o.clock
                  order by o.clock) as hours
      from total t
  ),
  gone as (
    delete from public.recording_days d
     where d.account_id = account and d.camera_id = camera and d.stream = of_stream
       and d.day between first_day and last_day
       and not exists (select from sums s where s.day = d.day and s.layer = d.layer and s.reason = d.reason)
  )
  insert into public.recording_days as d (account_id, camera_id, stream, day, layer, reason, ms, hours)
  select account, camera, of_stream, s.day, s.layer, s.reason, s.ms, s.hours from sums s
  on conflict (account_id, camera_id, stream, day, layer, reason) do update set ms = excluded.ms, hours = excluded.hours
   where d.hours <> excluded.hours;
end $$;

alter table recording_runs drop column locked;

-- Who locks or unlocks has nothing else to do.
create function sum_locked_days() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  changed public.footage_locks := coalesce(new, old);
  of_stream text;
begin
  foreach of_stream in array array['main', 'sub'] loop
    if exists (select from public.recording_runs r
                where r.account_id = changed.account_id and r.camera_id = changed.camera_id and r.stream = of_stream) then
      perform public.sum_recording_days(changed.account_id, changed.camera_id, of_stream, changed.started_at, changed.ended_at);
    end if;
  end loop;
  return null;
end $$;
revoke execute on function sum_locked_days() from public;
create trigger sum_locked_days after insert or delete on footage_locks
  for each row execute function sum_locked_days();

-- How much footage an account with this package may have; null: as much as there is room for.
alter table subscription_packages add column max_storage_bytes bigint check (max_storage_bytes >= 0);

create function storage_quotas() returns table (account_id bigint, max_bytes bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select s.account_id, p.max_storage_bytes
      from public.subscriptions s join public.subscription_packages p
        on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
     where p.max_storage_bytes is not null
  $$;
revoke execute on function storage_quotas() from public;
grant execute on function storage_quotas() to sightline_media;

-- Cameras are added with the retention of the account's package; they follow it when the account gets another package, or
-- the package another retention. A custom package has none: cameras keep theirs.
create function follow_package_retention() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  update public.cameras c set retention_hours = p.retention_hours
    from public.subscriptions s join public.subscription_packages p
      on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
   where s.account_id = c.account_id and p.reseller_id = new.reseller_id
     and p.subscription_package_id = new.subscription_package_id
     and (tg_table_name = 'subscription_packages' or s.account_id = (to_jsonb(new) ->> 'account_id')::bigint)
     and p.retention_hours is not null and c.retention_hours <> p.retention_hours;
  return null;
end $$;
revoke execute on function follow_package_retention() from public;
create trigger follow_package_retention after insert or update of subscription_package_id on subscriptions
  for each row execute function follow_package_retention();
create trigger follow_package_retention after update of retention_hours on subscription_packages
  for each row when (old.retention_hours is distinct from new.retention_hours)
  execute function follow_package_retention();
