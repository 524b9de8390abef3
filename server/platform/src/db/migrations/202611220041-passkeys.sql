-- Passkeys (WebAuthn Level 3): a sign-in of its own, and a second factor after the password.

create table auth.passkeys (
  passkey_id bigint primary key,
  user_id bigint not null,
  account_id bigint not null,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- The host that it was made at; authenticators and we offer it nowhere else.
  rp_id text not null check (length(rp_id) between 1 and 253),
  -- Of the person, as authenticators know them: random, because they show it to whoever holds them.
  user_handle bytea not null check (octet_length(user_handle) = 32),
  -- COSE_Key.
  public_key bytea not null,
  -- The newest that was seen; 0 of those that do not count.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  -- The make of the authenticator; zeros where it does not tell.
  aaguid uuid not null,
  -- It may be copied to other devices of its owner; that never changes.
  backup_eligible boolean not null,
  backed_up boolean not null,
  name text not null check (length(name) between 1 and 64),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index on auth.passkeys (user_id);

-- What a browser has to sign next: one for each purpose of a sign-in under way or of a token, gone with the first answer.
create table auth.passkey_challenges (
  purpose text not null check (purpose in ('signIn', 'secondStep', 'confirm', 'register')),
  -- Of the sign-in or token that it is for.
  bound_sha256 bytea not null check (octet_length(bound_sha256) = 32),
  challenge bytea not null check (octet_length(challenge) = 32),
  user_handle bytea check ((user_handle is not null) = (purpose = 'register')),
  expires_at timestamptz(3) not null,
  primary key (purpose, bound_sha256)
);
create index on auth.passkey_challenges (expires_at);

grant select, insert, update, delete on auth.passkeys, auth.passkey_challenges to sightline_auth;

-- A second factor is an app, or passkeys, or both; the recovery codes are of the person and belong to either.
alter table auth.two_factor alter column seed_sealed drop not null;
alter table auth.two_factor add column passkeys_since timestamptz(3);
do $$
declare
  old text;
begin
  for old in select conname from pg_constraint
    where conrelid = 'auth.two_factor'::regclass and pg_get_constraintdef(oid) like '%enabled_at IS NULL%recovery_salt IS NULL%'
  loop
    execute format('alter table auth.two_factor drop constraint %I', old);
  end loop;
end $$;
alter table auth.two_factor
  add constraint recovery_codes_with_any check ((enabled_at is null and passkeys_since is null) = (recovery_salt is null)),
  add constraint seed_with_app check (enabled_at is null or seed_sealed is not null),
  add constraint some_factor check (seed_sealed is not null or passkeys_since is not null);

create or replace function tell_second_factor() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  person bigint := coalesce(new.user_id, old.user_id);
  is_on boolean := new.enabled_at is not null or new.passkeys_since is not null;
begin
  update public.users u set mfa_enabled = is_on where u.user_id = person and u.mfa_enabled <> is_on;
  update public.staff s set mfa_enabled = is_on where s.user_id = person and s.mfa_enabled <> is_on;
  return null;
end $$;
drop trigger tell_second_factor on auth.two_factor;
create trigger tell_second_factor after insert or update of enabled_at, passkeys_since or delete on auth.two_factor
  for each row execute function tell_second_factor();
