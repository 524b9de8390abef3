-- Reports, made at once and kept for a week: of an account for its owner, of a reseller for its staff.
create table reports (
  organisation_id bigint not null,
  report_id bigint not null,
  account_id bigint references accounts on delete cascade,
  reseller_id bigint references resellers on delete cascade,
  type text not null,
  format text not null,
  -- Days, both in it.
  from_day date not null,
  till_day date not null,
  time_zone text not null,
  row_count integer not null,
  content bytea not null,
  -- Whose accounts it tells of; null: it is of one account, or of all of a reseller.
  account_ids bigint[],
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (organisation_id, report_id),
  check (num_nonnulls(account_id, reseller_id) = 1 and organisation_id = coalesce(account_id, reseller_id))
);
create index reports_of_account on reports (account_id);
create index reports_of_reseller on reports (reseller_id);
create index reports_by_end on reports (expires_at);

alter table reports enable row level security;
create policy own on reports to sightline_app
  using (organisation_id = (select current_setting('app.account')::bigint))
  with check (organisation_id = (select current_setting('app.account')::bigint));
grant select, insert, delete on reports to sightline_app;

-- Those of a week ago go, whosever they are, when anybody makes a new one.
create function drop_old_reports(before timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ delete from public.reports where expires_at <= least(before, now()) $$;

-- How many of the cameras that accounts of the reseller have were there already at each moment: numbers only, the cameras
-- themselves are not seen in that scope.
create function cameras_of_accounts_at(ids bigint[], moments timestamptz[])
  returns table (account_id bigint, moment bigint, cameras bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select a.account_id, m.number, (
             select count(*) from public.cameras c where c.account_id = a.account_id and c.created_at < m.at)
      from public.accounts a
     cross join unnest(moments) with ordinality as m (at, number)
     where a.reseller_id = public.scoped('app.reseller')
       and public.scoped('app.staff') = 1
       and a.account_id = any (ids)
  $$;
revoke execute on function drop_old_reports(timestamptz), cameras_of_accounts_at(bigint[], timestamptz[]) from public;
grant execute on function drop_old_reports(timestamptz), cameras_of_accounts_at(bigint[], timestamptz[]) to sightline_app;
