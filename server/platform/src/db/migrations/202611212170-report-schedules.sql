-- Reports that are made again and again: by whom, how often, and when next.
create table report_schedules (
  account_id bigint not null,
  report_schedule_id bigint not null,
  -- Who wants it, and is written to; with that person it goes.
  user_id bigint not null,
  type text not null,
  format text not null,
  every text not null check (every in ('day', 'week', 'month')),
  -- In the account's time zone.
  at_time text not null check (at_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- Where it was asked for: under which of the brand's names its link leads back.
  host text not null,
  created_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  -- Whoever makes it sets it ahead, so that nobody else does meanwhile.
  claimed_until timestamptz(3),
  -- Made, and nobody was told yet; it is also the number of the mail, so that there is one.
  untold_report_id bigint,
  primary key (account_id, report_schedule_id),
  foreign key (account_id, user_id) references users on delete cascade
);
create index report_schedules_due on report_schedules (next_at);
create index report_schedules_untold on report_schedules (untold_report_id) where untold_report_id is not null;

alter table report_schedules enable row level security;
create policy tenant on report_schedules to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on report_schedules to sightline_app;

-- By which schedule a report was made.
alter table reports add column report_schedule_id bigint;
grant update (report_schedule_id) on reports to sightline_app;

-- Takes the schedule that is due longest for whoever asks, whosever it is, until a time; others skip it meanwhile. It tells
-- where it is only: what is in it is read in the account's scope.
create function claim_report_schedule(moment timestamptz, until timestamptz)
  returns table (account_id bigint, report_schedule_id bigint, user_id bigint)
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    update public.report_schedules s set claimed_until = until
     where (s.account_id, s.report_schedule_id) = (
       select d.account_id, d.report_schedule_id from public.report_schedules d
        where (d.next_at <= moment or d.untold_report_id is not null)
          and (d.claimed_until is null or d.claimed_until <= moment)
        order by d.next_at limit 1 for update skip locked)
    returning s.account_id, s.report_schedule_id, s.user_id
  $$;
revoke execute on function claim_report_schedule(timestamptz, timestamptz) from public;
grant execute on function claim_report_schedule(timestamptz, timestamptz) to sightline_app;
