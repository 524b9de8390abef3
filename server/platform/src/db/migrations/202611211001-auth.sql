-- What only the authorization server may touch. Tokens are stored as SHA-256 of their value, never themselves.

create table auth.credentials (
  user_id bigint primary key,
  account_id bigint not null,
  -- argon2id in PHC string format.
  password_hash text not null,
  changed_at timestamptz(3) not null default now()
);

create table auth.provider_records (
  kind text not null,
  id_sha256 bytea not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (kind, id_sha256)
);
create index provider_records_by_grant on auth.provider_records (grant_id) where grant_id is not null;
create index provider_records_by_uid on auth.provider_records (uid) where uid is not null;
create index provider_records_by_expiry on auth.provider_records (expires_at);

create table auth.access_sessions (
  token_sha256 bytea primary key,
  token_id bigint not null unique,
  user_id bigint not null,
  account_id bigint not null,
  client_id text not null,
  app_id text not null,
  scopes text[] not null,
  grant_id text,
  address text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index access_sessions_by_user on auth.access_sessions (user_id);
create index access_sessions_by_grant on auth.access_sessions (grant_id);

-- Failures of passwords, codes and tokens; survives a restart.
create table auth.failures (
  key text primary key,
  failures integer not null,
  window_ends_at timestamptz(3) not null
);

grant select, insert, update, delete on auth.credentials, auth.provider_records, auth.access_sessions, auth.failures
  to sightline_auth;

-- What API and media may know of a token: who it stands for and what that person may do at this moment.
create view sessions as
  select s.token_sha256, s.token_id, s.user_id, s.account_id, u.reseller_id, s.client_id, s.app_id, s.scopes, s.expires_at,
         u.rights, u.rights_version, u.all_cameras, u.blocked, u.language,
         a.status as account_status, a.user_type, a.prevent_edit_user_details, a.user_self_service_management
    from auth.access_sessions s
    join users u on u.account_id = s.account_id and u.user_id = s.user_id
    join accounts a on a.account_id = s.account_id
   where s.expires_at > now();
grant select on sessions to sightline_app, sightline_media;
