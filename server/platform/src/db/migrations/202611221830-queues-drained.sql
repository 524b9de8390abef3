-- Mails, messages to browsers, reports and deletions are done by jobs (docs/decisions/0046); the tables keep what they are about,
-- and no longer who has it in hand and when it is tried again.

-- Mails that wait become jobs, due when their next try was. One that a process
-- was just trying waits for the two minutes for which that process had it.
select enqueue_job('sendMail', jsonb_build_object('accountId', account_id, 'mailId', mail_id),
    account_id || '.' || mail_id, next_try_at)
  from mail_outbox where next_try_at is not null;

revoke select (next_try_at) on mail_outbox from sightline_eraser;
-- With them goes the rule that content is there as long as a next try is.
alter table mail_outbox
  drop column next_try_at,
  drop column tries,
  add check (content_sealed is null or sent_at is null);
grant select (sent_at, given_up_at) on mail_outbox to sightline_eraser;
create index mail_outbox_waiting on mail_outbox (created_at) where content_sealed is not null;

select enqueue_job('sendPush', jsonb_build_object('accountId', account_id, 'pushMessageId', push_message_id), null, next_try_at)
  from push_messages;
alter table push_messages drop column next_try_at, drop column tries;

-- What is due stands in the rows themselves: of schedules, of subscriptions, of people to be deleted and of what is to be
-- erased. It is looked for every minute or oftener, and each finding becomes a job, so there is nothing to drain. This tells
-- where to look only: what is in a schedule is read in the account's scope.
drop function claim_report_schedule(timestamptz, timestamptz);
alter table report_schedules drop column claimed_until;
create function due_report_schedules(moment timestamptz)
  returns table (account_id bigint, report_schedule_id bigint, user_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select s.account_id, s.report_schedule_id, s.user_id from public.report_schedules s
     where s.next_at <= moment or s.untold_report_id is not null
     order by s.next_at limit 500
  $$;
revoke execute on function due_report_schedules(timestamptz) from public;
grant execute on function due_report_schedules(timestamptz) to sightline_app;
