-- People may have themselves deleted, owners their account with everything in it: after 14 days in which they may think better
-- of it (docs/decisions/0021). What is then to be erased outside of their rows is written down here, and done by roles that can
-- do nothing else.

alter table users
  add column deletion_requested_at timestamptz(3),
  -- Of the owner: the whole account.
  add column deletes_at timestamptz(3),
  -- When they were told that the day is near.
  add column deletion_reminded_at timestamptz(3),
  add check ((deletion_requested_at is null) = (deletes_at is null));
create index users_to_delete on users (deletes_at) where deletes_at is not null;

-- Whom to look at: it tells where to look only, the rest is seen in their account's scope.
create function deletions_ahead(remind_till timestamptz, moment timestamptz, after bigint)
  returns table (user_id bigint, account_id bigint, reseller_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select u.user_id, u.account_id, u.reseller_id from public.users u
     where u.deletes_at <= remind_till and (u.deletes_at <= moment or u.deletion_reminded_at is null) and u.user_id > after
     order by u.user_id limit 200
  $$;
revoke execute on function deletions_ahead(timestamptz, timestamptz, bigint) from public;
grant execute on function deletions_ahead(timestamptz, timestamptz, bigint) to sightline_app;

-- Mails about it are written with what they tell of, into the account's own scope.
create policy of_deletions on mail_outbox for insert to sightline_app
  with check (account_id = (select current_setting('app.account')::bigint)
    and kind in ('deletionRequested', 'deletionAhead', 'deletionCancelled', 'deletionDone'));

-- Who is gone, and what of them is still to be erased. Written in the transaction that removes their rows; never removed.
create table erasures (
  -- Of an owner, whose id is the account's: of everything in the account.
  user_id bigint primary key,
  account_id bigint not null,
  removed_at timestamptz(3) not null,
  -- What the log says of them stays until then.
  erase_after timestamptz(3) not null,
  -- Passwords, tokens and whatever else the authorization server knew.
  sign_in_erased_at timestamptz(3),
  log_erased_at timestamptz(3),
  -- Of accounts.
  footage_erased_at timestamptz(3)
);
create index erasures_to_do on erasures (erase_after)
  where sign_in_erased_at is null or log_erased_at is null or footage_erased_at is null;
alter table erasures enable row level security;
create policy tenant on erasures for insert to sightline_app
  with check (account_id = (select current_setting('app.account')::bigint)
    and sign_in_erased_at is null and log_erased_at is null and footage_erased_at is null);
grant insert on erasures to sightline_app;

-- Of whom personal values may go. Whoever is still there is not among them, whatever is written above.
create view erased_people as
  select e.user_id, e.account_id, e.erase_after from erasures e
   where e.erase_after <= now() and not exists (select from users u where u.user_id = e.user_id);

-- The one role that takes anything out of the log, and no other values than the personal ones of whom is gone: a line stays,
-- and stays provable (docs/design/audit-log.md).
grant usage on schema public to sightline_eraser;
grant select, update (sign_in_erased_at, log_erased_at) on erasures to sightline_eraser;
create policy eraser on erasures to sightline_eraser using (true) with check (true);
grant select on erased_people to sightline_eraser;
grant select (account_id, audit_log_id, at, target_kind, target_id, salt),
  update (actor_name, before, after, address, salt) on audit_log to sightline_eraser;
create policy eraser_reads on audit_log for select to sightline_eraser using (true);
create policy eraser on audit_log for update to sightline_eraser
  using (
    account_id in (select p.account_id from erased_people p where p.user_id = p.account_id)
    or (target_kind in ('user', 'account') and target_id in (select p.user_id from erased_people p))
  )
  with check (actor_name is null and before is null and after is null and address is null and salt is null);
grant select (account_id, audit_log_id) on audit_chain to sightline_eraser;
create policy eraser on audit_chain for select to sightline_eraser using (true);
-- Lines about a person may be in the log of any organisation.
create index audit_log_about_people on audit_log (target_id) where target_kind in ('user', 'account');

-- Mails that went to an account that is gone.
grant select (account_id, mail_id, kind, next_try_at), delete on mail_outbox to sightline_eraser;
create policy eraser on mail_outbox to sightline_eraser
  using (account_id in (select p.account_id from erased_people p where p.user_id = p.account_id));

-- Footage is on the workers' disks, so the workers take it away.
grant select, update (footage_erased_at) on erasures to sightline_media;
create policy media on erasures to sightline_media using (true) with check (true);
grant select on erased_people to sightline_media;
