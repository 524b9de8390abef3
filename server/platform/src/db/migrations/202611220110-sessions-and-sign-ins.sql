-- Where people are signed in, how they got in or failed to, and what holds for those who said "this was not me".

-- One browser that is signed in, with all that came from it, or one client with tokens of its own.
create table auth.user_sessions (
  session_id bigint primary key,
  account_id bigint not null,
  user_id bigint not null,
  -- The browser's session, or else the grant, as auth.provider_records knows them. It is over when that is gone.
  session_uid text unique,
  grant_id text unique,
  -- The last one that got a token.
  client_id text,
  -- As the browser says; null where it says nothing that is known.
  browser text,
  system text,
  device text,
  address text,
  country text,
  city text,
  begun_at timestamptz(3) not null,
  -- To the minute.
  last_seen_at timestamptz(3) not null,
  check ((session_uid is null) <> (grant_id is null))
);
create index user_sessions_by_user on auth.user_sessions (user_id);
create index user_sessions_by_last_seen on auth.user_sessions (last_seen_at);

alter table auth.access_sessions add column session_id bigint;
create index access_sessions_by_session on auth.access_sessions (session_id) where session_id is not null;

-- Those who are signed in already. Tokens that a client got for itself are no session, and neither is the support's.
insert into auth.user_sessions
  (session_id, account_id, user_id, session_uid, grant_id, client_id, address, begun_at, last_seen_at)
select min(s.token_id), s.account_id, s.user_id, r.uid, case when r.uid is null then s.grant_id end,
       max(s.client_id), max(s.address), min(s.created_at), max(s.created_at)
  from auth.access_sessions s
  join auth.provider_records r on r.kind = 'AccessToken' and r.id_sha256 = s.token_sha256
 where s.support_staff_id is null and coalesce(r.uid, s.grant_id) is not null
   and r.payload ->> 'gty' is distinct from 'client_credentials'
 group by s.account_id, s.user_id, r.uid, case when r.uid is null then s.grant_id end;
update auth.access_sessions s set session_id = u.session_id
  from auth.provider_records r, auth.user_sessions u
 where r.kind = 'AccessToken' and r.id_sha256 = s.token_sha256
   and (u.session_uid = r.uid or (r.uid is null and u.grant_id = s.grant_id)) and u.user_id = s.user_id;

-- Whoever answers calls says now and then whose tokens they came with.
create function note_sessions_seen(tokens bytea[], at timestamptz) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    -- One that is being ended or used at this moment is left out instead of waited for.
    update auth.user_sessions u set last_seen_at = at
      from (select session_id from auth.user_sessions
             where session_id in (select session_id from auth.access_sessions where token_sha256 = any (tokens))
               and last_seen_at < at
               for no key update skip locked) seen
     where u.session_id = seen.session_id
  $$;
revoke execute on function note_sessions_seen(bytea[], timestamptz) from public;
grant execute on function note_sessions_seen(bytea[], timestamptz) to sightline_app;

-- What the same person did from the same place in the same hour is one line, however often.
create table auth.sign_in_history (
  sign_in_id bigint primary key,
  account_id bigint not null,
  user_id bigint not null,
  outcome text not null check (outcome in ('signedIn', 'wrongPassword', 'wrongCode', 'locked')),
  method text not null check (method in ('password', 'passwordAndCode', 'passkey')),
  client_id text,
  browser text,
  system text,
  device text,
  -- Null where there were tries from more places than are kept.
  address text,
  country text,
  city text,
  tries integer not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  -- What makes two tries one line.
  same_as text not null,
  unique (user_id, same_as)
);
create index sign_in_history_by_user on auth.sign_in_history (user_id, last_at, sign_in_id);
create index sign_in_history_by_time on auth.sign_in_history (last_at);

-- What a person's sign-ins are known by: the browser's own cookie, its kind in that network, the country.
create table auth.known_devices (
  user_id bigint not null,
  kind text not null check (kind in ('cookie', 'network', 'country')),
  key_sha256 bytea not null check (octet_length(key_sha256) = 32),
  last_at timestamptz(3) not null,
  primary key (user_id, kind, key_sha256)
);
create index known_devices_by_time on auth.known_devices (last_at);

-- Links of mails that tell of a sign-in, by which it is said that it was somebody else. Each works once.
create table auth.lockdown_links (
  -- Of 256 random bits; the token itself is in the mail alone.
  token_sha256 bytea primary key check (octet_length(token_sha256) = 32),
  user_id bigint not null,
  account_id bigint not null,
  -- Where the mail went; whoever is signed in may have changed it since.
  email_folded text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index lockdown_links_by_user on auth.lockdown_links (user_id);
create index lockdown_links_by_expiry on auth.lockdown_links (expires_at);

-- Nobody signs in as that person until a new password is set by a link of a mail.
create table auth.lockdowns (
  user_id bigint primary key,
  account_id bigint not null,
  -- Known to be the person's: no link goes to an address that somebody else gave the person meanwhile.
  email_folded text not null,
  at timestamptz(3) not null
);

grant select, insert, update, delete
  on auth.user_sessions, auth.sign_in_history, auth.known_devices, auth.lockdown_links, auth.lockdowns to sightline_auth;

-- Sends the support away, where that person is the owner who let it in. Trigger end_support ends its sessions.
create function auth.close_support_of_owner(owner bigint) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  update public.accounts set helpdesk_expires_at = null
   where account_id = owner and helpdesk_expires_at is not null;
  return found;
end $$;
revoke execute on function auth.close_support_of_owner(bigint) from public;
grant execute on function auth.close_support_of_owner(bigint) to sightline_auth;

create function auth.lets_support_in(owner bigint, at timestamptz) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select exists (select from public.accounts where account_id = owner and helpdesk_expires_at > at) $$;
revoke execute on function auth.lets_support_in(bigint, timestamptz) from public;
grant execute on function auth.lets_support_in(bigint, timestamptz) to sightline_auth;
