-- Body-worn cameras register themselves with a code and report where they are (docs/decisions/0131).
create table body_camera_setup_codes (
  account_id bigint not null,
  setup_code_id bigint not null,
  code_sha256 bytea not null unique,
  zone_id bigint not null,
  camera_name text not null,
  created_by bigint not null,
  expires_at timestamptz(3) not null,
  -- The camera that redeemed it.
  camera_id bigint,
  primary key (account_id, setup_code_id),
  foreign key (account_id, zone_id) references zones on delete cascade
);

create table body_cameras (
  account_id bigint not null,
  camera_id bigint not null,
  token_sha256 bytea not null unique,
  serial_number text not null,
  primary key (account_id, camera_id),
  foreign key (account_id, camera_id) references cameras on delete cascade
);

create table body_camera_positions (
  account_id bigint not null,
  camera_id bigint not null,
  at timestamptz(3) not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  heading real,
  speed real,
  primary key (account_id, camera_id, at),
  foreign key (account_id, camera_id) references body_cameras on delete cascade
);

alter table body_camera_setup_codes enable row level security;
create policy tenant on body_camera_setup_codes to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
alter table body_cameras enable row level security;
create policy tenant on body_cameras to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
alter table body_camera_positions enable row level security;
create policy tenant on body_camera_positions to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on body_camera_setup_codes to sightline_app;
grant select, insert on body_cameras to sightline_app;
grant select, insert on body_camera_positions to sightline_app;

-- A camera says neither whose it is nor which: its code or token does, if the account's brand still has such cameras.
create function find_body_camera_account(secret_sha256 bytea)
  returns table (account_id bigint, setup_code_id bigint, camera_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select f.account_id, f.setup_code_id, f.camera_id
      from (
        select s.account_id, s.setup_code_id, null::bigint as camera_id
          from public.body_camera_setup_codes s where s.code_sha256 = secret_sha256 and s.camera_id is null
        union all
        select b.account_id, null, b.camera_id from public.body_cameras b where b.token_sha256 = secret_sha256
      ) f
      join public.accounts a on a.account_id = f.account_id and a.status <> 'suspended'
      join public.resellers r on r.reseller_id = a.reseller_id and (r.modules ->> 'bodyCams')::boolean
  $$;
revoke execute on function find_body_camera_account(bytea) from public;
grant execute on function find_body_camera_account(bytea) to sightline_app;

-- Positions are kept as long as the camera's footage; codes for a day after they expired.
create function prune_body_cameras(moment timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    delete from public.body_camera_positions p using public.cameras c
     where c.account_id = p.account_id and c.camera_id = p.camera_id
       and p.at < moment - make_interval(hours => c.retention_hours);
    delete from public.body_camera_setup_codes where expires_at < moment - interval '1 day';
  $$;
revoke execute on function prune_body_cameras(timestamptz) from public;
grant execute on function prune_body_cameras(timestamptz) to sightline_app;
