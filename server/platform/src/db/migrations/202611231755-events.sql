-- What happened at cameras, in zones and accounts (docs/decisions/0078). A partition per month of `at`, so that removing old
-- events is dropping a table.
create sequence event_ids start 1000000000;
create sequence event_positions;
create table events (
  account_id bigint not null references accounts on delete cascade,
  event_id bigint not null default nextval('event_ids'),
  -- When it began; when it ended, null while it goes on; when it was written.
  at timestamptz(3) not null,
  ended_at timestamptz(3),
  written_at timestamptz(3) not null default now(),
  type text not null,
  source_kind text not null check (source_kind in ('camera', 'device', 'user', 'system')),
  source_id bigint,
  source_name text not null,
  camera_id bigint,
  zone_id bigint,
  data jsonb not null default '{}',
  is_read boolean not null default false,
  is_bookmarked boolean not null default false,
  note text not null default '' check (length(note) <= 1000),
  -- Written once: the same event again has the same start and the same key.
  once_key text not null,
  -- The order in which changes of an account's events became visible.
  position bigint not null,
  primary key (account_id, event_id, at),
  unique (account_id, at, once_key)
) partition by range (at);
create index events_of_camera on events (account_id, camera_id, event_id);
create index events_of_type on events (account_id, type, event_id);
create index events_in_position on events (account_id, position);
create index events_going_on on events (account_id, camera_id) where ended_at is null;

alter table events enable row level security;
create policy tenant on events to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
create policy media on events to sightline_media using (true) with check (true);
grant select, insert, update (is_read, is_bookmarked, note) on events to sightline_app;
grant select, insert, update (ended_at) on events to sightline_media;
grant usage on event_ids, event_positions to sightline_app, sightline_media;

-- Readers that continue after a position miss nothing: of one account, positions become visible in their order.
create function set_event_position() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
begin
  perform pg_advisory_xact_lock(20261124, (new.account_id % 1024)::integer);
  new.position := nextval('public.event_positions');
  perform pg_notify('events', new.account_id::text);
  return new;
end $$;
create trigger set_event_position before insert or update on events for each row execute function set_event_position();

-- Partitions are of no use to anyone but their table.
create schema event_partitions;
create table event_partitions.others partition of events default;

-- Adds the partitions of this and the next two months and removes those that ended before `oldest`.
create function keep_event_partitions(at timestamptz, oldest timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  month timestamptz := date_trunc('month', at, 'UTC');
  part record;
begin
  set local lock_timeout = '5s';
  perform pg_advisory_xact_lock(20261125);
  for i in 0..2 loop
    if to_regclass('event_partitions.events_' || to_char(month at time zone 'UTC', 'YYYYMM')) is null then
      begin
        execute format('create table event_partitions.%I partition of public.events for values from (%L) to (%L)',
          'events_' || to_char(month at time zone 'UTC', 'YYYYMM'), month, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
      exception when check_violation then
        -- Events of that month are in the partition of all others already; there they stay.
        null;
      end;
    end if;
    month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  end loop;
  for part in
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'event_partitions' and c.relkind = 'r' and c.relname ~ '^events_\d{6}$'
       and (to_date(substr(c.relname, 8), 'YYYYMM') + interval '1 month') at time zone 'UTC' <= oldest
  loop
    execute format('drop table event_partitions.%I', part.relname);
  end loop;
  delete from event_partitions.others o where o.at < oldest;
end $$;
revoke execute on function keep_event_partitions(timestamptz, timestamptz) from public;
grant execute on function keep_event_partitions(timestamptz, timestamptz) to sightline_media;
select keep_event_partitions(now(), now() - interval '365 days');
