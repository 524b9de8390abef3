-- Mails about sign-ins that the API asks for. A request stands in the transaction of the change that it tells of; a job of the
-- authorization server makes the link, keeps its hash, writes the mail and takes the request away (docs/decisions/0042).
create table auth.mail_requests (
  account_id bigint not null,
  -- The number of the mail that it becomes.
  mail_id bigint not null,
  kind text not null check (kind in ('invitation', 'reset', 'newEmail', 'emailChange', 'emailChangeNote')),
  -- Whom it is about. No reference: staff are among them, and the job looks whether they are there.
  user_id bigint not null,
  recipient text not null,
  -- The host that was asked, whose brand is shown where it is the user's own.
  host text not null,
  asked_by_name text not null,
  requested_at timestamptz(3) not null,
  primary key (account_id, mail_id)
);
create index mail_requests_by_recipient on auth.mail_requests (lower(recipient collate "C"), requested_at);
create index mail_requests_by_user on auth.mail_requests (user_id);
alter table auth.mail_requests enable row level security;
create policy auth on auth.mail_requests to sightline_auth using (true) with check (true);
grant select, delete on auth.mail_requests to sightline_auth;

-- The token of a change of address comes with its mail, too.
alter table email_changes alter column token_sha256 drop not null;

-- When mails that others cause were written or asked for to that address, since then; the newest first.
create function limited_mails_to(address text, since timestamptz) returns setof timestamptz
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select m.at from (
      select o.created_at as at from public.mail_outbox o
       where lower(o.recipient collate "C") = lower(address collate "C") and o.created_at > since
         and o.kind in ('invitation', 'reset', 'newEmail', 'emailChange', 'emailChangeNote')
      union all
      select r.requested_at from auth.mail_requests r
       where lower(r.recipient collate "C") = lower(address collate "C") and r.requested_at > since
    ) m order by m.at desc
  $$;
revoke execute on function limited_mails_to(text, timestamptz) from public;
grant execute on function limited_mails_to(text, timestamptz) to sightline_app, sightline_auth;

-- The one way in which the API asks for a mail: in the scope of the account, together with its job. What a dealer wants as the
-- address waits from then on, and what was wanted before is over; it can be confirmed once the mail is written.
create function request_mail(request jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  asked auth.mail_requests := jsonb_populate_record(null::auth.mail_requests, request);
begin
  if asked.account_id is distinct from current_setting('app.account')::bigint then
    raise exception 'a mail of account % is asked for in the scope of another', asked.account_id using errcode = '42501';
  end if;
  insert into auth.mail_requests select asked.*;
  if asked.kind = 'emailChange' then
    insert into public.email_changes
        (account_id, user_id, old_email_folded, email, email_folded, asked_by, asked_by_name, expires_at)
      select u.account_id, u.user_id, u.email_folded, request ->> 'new_email', request ->> 'new_email_folded',
             (request ->> 'asked_by')::bigint, asked.asked_by_name, (request ->> 'expires_at')::timestamptz
        from public.users u where u.account_id = asked.account_id and u.user_id = asked.user_id
      on conflict (user_id) do update set account_id = excluded.account_id, token_sha256 = null,
        old_email_folded = excluded.old_email_folded, email = excluded.email, email_folded = excluded.email_folded,
        asked_by = excluded.asked_by, asked_by_name = excluded.asked_by_name, expires_at = excluded.expires_at;
  end if;
  perform public.enqueue_job('writeMail', jsonb_build_object('accountId', asked.account_id, 'mailId', asked.mail_id),
    asked.account_id || '.' || asked.mail_id, null);
end $$;
revoke execute on function request_mail(jsonb) from public;
grant execute on function request_mail(jsonb) to sightline_app;
insert into job_tasks (task, enqueued_by) values ('writeMail', '{sightline_app}');
