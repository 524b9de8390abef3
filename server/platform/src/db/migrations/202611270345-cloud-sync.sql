-- Gaps in footage are filled from the camera's card (docs/decisions/0117).
alter table cameras add column cloud_sync boolean not null default false;

-- Where footage came from: the camera's stream, or its card.
alter table recording_runs add column origin text not null default 'camera' check (origin in ('camera', 'card'));

-- What a camera was to record until it was changed: nothing that was private or off comes in by the card afterwards.
create table camera_plans (
  account_id bigint not null,
  camera_id bigint not null,
  plan_until timestamptz(3) not null,
  mode text not null,
  recording_mode text not null,
  -- Of the camera; null: its zone's.
  schedule jsonb,
  primary key (account_id, camera_id, plan_until),
  foreign key (account_id, camera_id) references cameras on delete cascade
);
create function keep_former_plan() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into public.camera_plans (account_id, camera_id, plan_until, mode, recording_mode, schedule)
      values (old.account_id, old.camera_id, clock_timestamp(), old.mode, old.recording_mode, old.schedule)
      on conflict do nothing;
    delete from public.camera_plans p
      where p.account_id = old.account_id and p.camera_id = old.camera_id
        and p.plan_until < clock_timestamp() - interval '2 days';
    return null;
  end $$;
create trigger keep_former_plan after update of mode, recording_mode, schedule on cameras
  for each row when (old.mode is distinct from new.mode or old.recording_mode is distinct from new.recording_mode
    or old.schedule is distinct from new.schedule)
  execute function keep_former_plan();

create table sync_jobs (
  account_id bigint not null,
  camera_id bigint not null,
  sync_job_id bigint generated always as identity unique,
  status text not null check (status in ('Running', 'Ended')),
  gap_start timestamptz(3) not null,
  gap_end timestamptz(3) not null,
  synced_ms bigint not null default 0,
  -- Why less came than was missing.
  note text check (length(note) <= 300),
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (account_id, camera_id, sync_job_id),
  foreign key (account_id, camera_id) references cameras on delete cascade,
  unique (account_id, camera_id, gap_start)
);

do $$
declare t text;
begin
  foreach t in array array['camera_plans', 'sync_jobs'] loop
    execute format('alter table %I enable row level security', t);
    execute format($p$create policy tenant on %I to sightline_app
      using (account_id = (select current_setting('app.account')::bigint))
      with check (account_id = (select current_setting('app.account')::bigint))$p$, t);
    execute format('create policy media on %I to sightline_media using (true) with check (true)', t);
  end loop;
end $$;
grant select on sync_jobs to sightline_app;
grant select on camera_plans to sightline_media;
grant select, insert, update, delete on sync_jobs to sightline_media;
