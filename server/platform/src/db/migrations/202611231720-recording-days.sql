-- What a timeline of months and years shows, per day and hour (UTC), so that it is read without the runs
-- (docs/decisions/0077). Open runs are not counted: they grow every few seconds, and readers add the few there are.
create table recording_days (
  account_id bigint not null,
  camera_id bigint not null,
  stream text not null check (stream in ('main', 'sub')),
  day date not null,
  -- 'recorded' is all footage; 'event' and 'locked' are parts of it.
  layer text not null check (layer in ('recorded', 'event', 'locked', 'gap')),
  -- Why there is a gap; empty in the other layers.
  reason text not null default '',
  ms integer not null,
  -- The same for each of the day's 24 hours.
  hours integer[] not null check (cardinality(hours) = 24),
  primary key (account_id, camera_id, stream, day, layer, reason) include (ms)
);
alter table recording_days enable row level security;
create policy tenant on recording_days to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on recording_days to sightline_media using (true) with check (true);
grant select on recording_days to sightline_app;
grant select, insert, update, delete on recording_days to sightline_media;

-- The end of a growing run was in this index, so that each growth wrote to it.
drop index recording_runs_by_time;
create index recording_runs_by_time on recording_runs (account_id, camera_id, stream, started_at);
create index recording_runs_open on recording_runs (account_id, camera_id, stream) where is_open;

-- Sums up the days again that depend on a stream's runs in that span: those of the runs, and of the gaps beside them.
-- Every writer of runs calls it after its last change, in the same transaction, and in the order of camera_id % 64 where it
-- calls it for several. A row of recording_runs is at most about one hour long; two hours are allowed for.
create function sum_recording_days(account bigint, camera bigint, of_stream text, from_at timestamptz, till_at timestamptz)
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
    select r.started_at, r.ended_at, r.run_id, r.kind, r.locked, r.end_reason from public.recording_runs r
     where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
       and r.started_at >= coalesce(anchor, window_start) - longest and r.started_at < window_end
    union all
    (select r.started_at, r.ended_at, r.run_id, r.kind, r.locked, r.end_reason from public.recording_runs r
      where r.account_id = account and r.camera_id = camera and r.stream = of_stream and not r.is_open
        and r.started_at >= window_end
      order by r.started_at limit 1)
  ),
  -- Footage that two workers recorded counts once.
  ordered as (
    select run.*, max(ended_at) over (
      order by started_at, ended_at, run_id rows between unbounded preceding and 1 preceding) as reach from run
  ),
  locked_run as (
    select started_at, ended_at, max(ended_at) over (
      order by started_at, ended_at, run_id rows between unbounded preceding and 1 preceding) as reach from run where locked
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
revoke execute on function sum_recording_days(bigint, bigint, text, timestamptz, timestamptz) from public;
grant execute on function sum_recording_days(bigint, bigint, text, timestamptz, timestamptz) to sightline_media;

select sum_recording_days(account_id, camera_id, stream, min(started_at), max(ended_at))
  from recording_runs where not is_open group by account_id, camera_id, stream;
