-- E-mail addresses that a dealer asks for: they wait until whoever reads the present address agrees.

create table email_changes (
  account_id bigint not null,
  -- One at a time: another one takes its place. No reference, because a dealer's transaction holds the user's row while
  -- the authorization server writes this one; the trigger below removes it with the user.
  user_id bigint primary key,
  -- Of 256 random bits; the token itself is in the mail alone.
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  -- As it was when it was asked for; void once it is another.
  old_email_folded text not null,
  email text not null,
  email_folded text not null,
  -- The member of staff who asked, and by name, because staff are deleted, too.
  asked_by bigint not null,
  asked_by_name text not null,
  expires_at timestamptz(3) not null
);
create index email_changes_by_expiry on email_changes (expires_at);

alter table email_changes enable row level security;
create policy auth on email_changes to sightline_auth using (true) with check (true);
grant select, insert, update, delete on email_changes to sightline_auth;
-- The dealer sees what waits, and nothing by which it could be confirmed.
create policy tenant on email_changes for select to sightline_app
  using (account_id = (select current_setting('app.account')::bigint));
grant select (account_id, user_id, old_email_folded, email, expires_at) on email_changes to sightline_app;

-- Over for good with anything that happens to the address or the user meanwhile, also where it is taken back later.
create function forget_email_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from public.email_changes where account_id = old.account_id and user_id = old.user_id;
  return null;
end $$;
create trigger forget_email_change_with_user after delete on users for each row execute function forget_email_change();
create trigger forget_email_change after update of email_folded, blocked, reseller_id on users for each row
  when (new.email_folded <> old.email_folded or (new.blocked and not old.blocked) or new.reseller_id <> old.reseller_id)
  execute function forget_email_change();

-- Moves the address and uses the token up; false where the token is over by now. The user's row is taken first, as whoever
-- changes the user does. The one change of a user that the authorization server may make.
create function auth.move_email(token bytea, at timestamptz) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  change public.email_changes;
begin
  select * into change from public.email_changes c where c.token_sha256 = token;
  if not found then return false; end if;
  perform from public.users u where u.account_id = change.account_id and u.user_id = change.user_id for update;
  delete from public.email_changes c using public.users u
   where c.token_sha256 = token and c.expires_at > at
     and u.account_id = c.account_id and u.user_id = c.user_id and u.email_folded = c.old_email_folded and not u.blocked;
  if not found then return false; end if;
  update public.users u set email = change.email, email_folded = change.email_folded
   where u.account_id = change.account_id and u.user_id = change.user_id;
  return true;
end $$;
revoke execute on function auth.move_email(bytea, timestamptz) from public;
grant execute on function auth.move_email(bytea, timestamptz) to sightline_auth;

-- How many mails somebody got of late, whatever account or brand they are from. Addresses of mails are ASCII.
create index mail_outbox_by_recipient on mail_outbox (lower(recipient collate "C"), created_at);
-- When it was given up: what operators are told of for a day.
alter table mail_outbox add column given_up_at timestamptz(3);
create index mail_outbox_given_up on mail_outbox (given_up_at) where given_up_at is not null;
