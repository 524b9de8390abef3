-- One queue of jobs (docs/decisions/0046). Its tables are graphile-worker's, in a schema of its own, which the migrating role
-- installs before this step. What follows is who may do what with them.

-- Each task: which roles may enqueue it, and how often it is tried before an administrator has to look at it.
create table job_tasks (
  task text primary key,
  enqueued_by text[] not null,
  max_attempts smallint not null default 25 check (max_attempts > 0)
);

-- The processes that run jobs. One that was not seen for some seconds is dead, and its jobs are released.
create table job_workers (
  worker text primary key,
  seen_at timestamptz(3) not null
);

alter table job_tasks enable row level security;
alter table job_workers enable row level security;

-- The worker takes, completes and releases jobs. It reads and writes nothing else: what a job does is done under the role of
-- its own plane.
grant usage on schema public, graphile_worker to sightline_jobs;
grant select on graphile_worker.migrations to sightline_jobs;
grant select, insert, update, delete on graphile_worker._private_jobs, graphile_worker._private_job_queues,
  graphile_worker._private_tasks, job_workers to sightline_jobs;
create policy jobs on graphile_worker._private_jobs to sightline_jobs using (true) with check (true);
create policy jobs on graphile_worker._private_job_queues to sightline_jobs using (true) with check (true);
create policy jobs on graphile_worker._private_tasks to sightline_jobs using (true) with check (true);
create policy jobs on job_workers to sightline_jobs using (true) with check (true);

-- The one way in which a plane adds a job: in the transaction of what the job is about, so that both are or neither. A job
-- carries ids, nothing else: what it needs besides is read when it runs. With a key there is one such job at a time; while
-- it waits, runs or has failed for good, the same key adds no other.
create function enqueue_job(task text, payload jsonb, job_key text, run_at timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
    #variable_conflict use_variable
    declare
      rule public.job_tasks;
    begin
      select t.* into rule from public.job_tasks t where t.task = enqueue_job.task;
      if rule.task is null
        or not (session_user = any (rule.enqueued_by) or pg_has_role(session_user, current_user, 'member')) then
        raise exception 'the role % may not enqueue the task %', session_user, task using errcode = '42501';
      end if;
      if jsonb_typeof(payload) <> 'object' or octet_length(payload::text) > 256
        or exists (select from jsonb_each(payload) e where jsonb_typeof(e.value) <> 'number') then
        raise exception 'the payload of a job is an object of ids, 256 bytes at most' using errcode = '22023';
      end if;
      perform graphile_worker.add_job(task, payload::json, null, run_at, rule.max_attempts::integer,
        task || ':' || job_key, null, null, case when job_key is null then 'replace' else 'unsafe_dedupe' end);
    end
  $$;
revoke execute on function enqueue_job(text, jsonb, text, timestamptz) from public;
grant execute on function enqueue_job(text, jsonb, text, timestamptz)
  to sightline_app, sightline_auth, sightline_alerts, sightline_eraser;

insert into job_tasks (task, enqueued_by) values
  ('sendMail', '{sightline_app,sightline_auth,sightline_alerts}'),
  ('sendPush', '{sightline_alerts}'),
  ('makeReport', '{sightline_app}'),
  ('applySubscription', '{sightline_app}'),
  ('carryOutDeletion', '{sightline_app}'),
  ('erasePerson', '{sightline_eraser}');
