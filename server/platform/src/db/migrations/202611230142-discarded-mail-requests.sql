-- Requests for mails whose job an administrator discarded: nothing writes those mails any more. Answers how many are gone.
create function forget_mail_requests(before timestamptz) returns bigint
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with gone as (
      delete from auth.mail_requests r
       where r.requested_at < forget_mail_requests.before
         and not exists (
           select from graphile_worker._private_jobs j
             join graphile_worker._private_tasks t on t.id = j.task_id
            where t.identifier = 'writeMail'
              and (j.payload ->> 'accountId')::bigint = r.account_id
              and (j.payload ->> 'mailId')::bigint = r.mail_id)
      returning 1)
    select count(*) from gone
  $$;

revoke execute on function forget_mail_requests(timestamptz) from public;
grant execute on function forget_mail_requests(timestamptz) to sightline_auth;
