-- Links of mails by which somebody does one thing, in one table in place of three (docs/decisions/0054).
create table auth.action_links (
  -- Of 256 random bits; the token itself is in the mail alone.
  token_sha256 bytea primary key check (octet_length(token_sha256) = 32),
  kind text not null check (kind in ('invitation', 'reset', 'lockdown', 'emailChange')),
  user_id bigint not null,
  account_id bigint not null,
  -- Where the mail went, and the sign-ins of then: some kinds are over once these are others. No generation: no password had been
  -- set, or the kind outlives another one.
  email_folded text not null,
  sign_in_generation integer,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-- Of these another one takes its place; each sign-in has a mail of its own.
create unique index action_links_one_of_a_kind on auth.action_links (user_id, kind) where kind <> 'lockdown';
create index action_links_by_user on auth.action_links (user_id);
create index action_links_by_expiry on auth.action_links (expires_at);
grant select, insert, update, delete on auth.action_links to sightline_auth;

-- Links that were sent already open what they opened.
insert into auth.action_links
    (token_sha256, kind, user_id, account_id, email_folded, sign_in_generation, created_at, expires_at)
  select token_sha256, kind, user_id, account_id, email_folded, sign_in_generation,
         expires_at - case kind when 'invitation' then interval '7 days' else interval '30 minutes' end, expires_at
    from auth.password_links
  union all
  select token_sha256, 'lockdown', user_id, account_id, email_folded, null, created_at, expires_at
    from auth.lockdown_links
  union all
  select token_sha256, 'emailChange', user_id, account_id, old_email_folded, null, expires_at - interval '7 days', expires_at
    from email_changes where token_sha256 is not null;
drop table auth.password_links;
drop table auth.lockdown_links;

-- A link confirms the change that it was sent for, and none that is wanted in its place.
create function end_email_change_link() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from auth.action_links where user_id = old.user_id and kind = 'emailChange';
  return null;
end $$;
create trigger end_email_change_link after update or delete on email_changes for each row
  execute function end_email_change_link();

-- Moves the address and uses the token up; false where the token is over by now. The user's row is taken first, then the change,
-- then its link, as whoever changes one of them does. The one change of a user that the authorization server may make.
create or replace function auth.move_email(token bytea, at timestamptz) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  link auth.action_links;
  change public.email_changes;
begin
  select * into link from auth.action_links l where l.token_sha256 = token and l.kind = 'emailChange';
  if not found then return false; end if;
  perform from public.users u where u.account_id = link.account_id and u.user_id = link.user_id for update;
  select c.* into change from public.email_changes c
    join public.users u on u.account_id = c.account_id and u.user_id = c.user_id
   where c.account_id = link.account_id and c.user_id = link.user_id and c.expires_at > at
     and u.email_folded = c.old_email_folded and not u.blocked
     for update of c;
  if not found then return false; end if;
  -- Where another change took the place of this one meanwhile, the link went with it.
  delete from auth.action_links l where l.token_sha256 = token and l.expires_at > at;
  if not found then return false; end if;
  delete from public.email_changes c where c.user_id = change.user_id;
  update public.users u set email = change.email, email_folded = change.email_folded
   where u.account_id = change.account_id and u.user_id = change.user_id;
  return true;
end $$;

create or replace function request_mail(request jsonb) returns void
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
      on conflict (user_id) do update set account_id = excluded.account_id,
        old_email_folded = excluded.old_email_folded, email = excluded.email, email_folded = excluded.email_folded,
        asked_by = excluded.asked_by, asked_by_name = excluded.asked_by_name, expires_at = excluded.expires_at;
  end if;
  perform public.enqueue_job('writeMail', jsonb_build_object('accountId', asked.account_id, 'mailId', asked.mail_id),
    asked.account_id || '.' || asked.mail_id, null);
end $$;
alter table email_changes drop column token_sha256;
