-- Applications of others that may ask for tokens, and which of them each person has let in.

create table auth.clients (
  client_id text primary key check (client_id ~ '^[A-Za-z0-9._-]{3,64}$'),
  -- confidential: keeps a secret; native: on a person's device, cannot; browser: script in a page, cannot either.
  kind text not null check (kind in ('confidential', 'native', 'browser')),
  -- Shown to the person who is asked to let it in.
  name text not null check (name <> ''),
  -- Of 256 random bits, which nobody can guess, so a fast hash is right; slow ones are for what people choose.
  secret_sha256 bytea check (octet_length(secret_sha256) = 32),
  redirect_uris text[] not null default '{}',
  logged_out_uris text[] not null default '{}',
  scopes text[] not null check (scopes <@ array['openid', 'read', 'write'] and cardinality(scopes) > 0),
  password_grant boolean not null default false,
  legacy_token_callback boolean not null default false,
  -- Belongs to the brand of that reseller: there on its hosts only, and for its people only.
  reseller_id bigint,
  -- Whom it acts as with nobody present (client credentials).
  user_id bigint,
  created_at timestamptz(3) not null default now(),
  check ((kind = 'confidential') = (secret_sha256 is not null)),
  check (kind = 'confidential' or (not password_grant and user_id is null))
);

create table auth.consents (
  user_id bigint not null,
  client_id text not null references auth.clients on delete cascade,
  scopes text[] not null,
  given_at timestamptz(3) not null default now(),
  primary key (user_id, client_id)
);
create index consents_by_client on auth.consents (client_id);

-- Clients are registered by the operator under the owner's role; the authorization server only reads them.
grant select on auth.clients to sightline_auth;
grant select, insert, update, delete on auth.consents to sightline_auth;

-- Removing a client ends what it holds.
create index access_sessions_by_client on auth.access_sessions (client_id);
create index provider_records_by_client on auth.provider_records ((payload->>'clientId')) where payload ? 'clientId';
