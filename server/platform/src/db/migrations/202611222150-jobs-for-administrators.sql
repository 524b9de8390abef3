-- What administrators of the installation see of the queue of jobs and do with it. The plane's role has no rights on the queue's
-- tables: it reads this view and calls these two functions, which know nothing outside of the provider's scope.

create view administered_jobs with (security_barrier) as
  select j.id as job_id,
         t.identifier as task,
         j.payload::jsonb as payload,
         case
           when j.locked_at is not null then 'running'
           when j.attempts >= j.max_attempts then 'failed'
           when j.attempts > 0 then 'retrying'
           else 'waiting'
         end as state,
         coalesce(j.key = t.identifier || ':recurring', false) as is_recurring,
         j.attempts,
         j.max_attempts,
         j.created_at,
         j.run_at,
         j.last_error
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
   where (select scoped('app.staff')) = 1
     and (select scoped('app.provider')) = 1;

-- Due at once, with all its attempts before it. False where there is no such job or it runs.
create function retry_job(id bigint) returns boolean
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    select count(*) > 0
      from graphile_worker.reschedule_jobs(
        array(select j.job_id from public.administered_jobs j where j.job_id = retry_job.id and j.state <> 'running'),
        run_at := now(), attempts := 0)
  $$;

-- Takes it out of the queue. False where there is no such job or it runs.
create function discard_job(id bigint) returns boolean
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    select count(*) > 0
      from graphile_worker.complete_jobs(
        array(select j.job_id from public.administered_jobs j where j.job_id = discard_job.id and j.state <> 'running'))
  $$;

revoke execute on function retry_job(bigint), discard_job(bigint) from public;
grant execute on function retry_job(bigint), discard_job(bigint) to sightline_app;
grant select on administered_jobs to sightline_app;
