-- A second factor at sign-in: codes of an authenticator app (RFC 6238), and recovery codes for whoever lost it.

create table auth.two_factor (
  user_id bigint primary key,
  account_id bigint not null,
  -- 20 random bytes, AEAD under the account's key and bound to this row.
  seed_sealed bytea not null,
  created_at timestamptz(3) not null,
  -- Null until the person has shown by a code that an app has the seed; sign-in does not ask for one before.
  enabled_at timestamptz(3),
  -- The newest period of 30 s whose code was accepted. Neither it nor one before it is accepted again.
  last_step bigint,
  -- One for all recovery codes of the user, so that a given one is hashed once and not once for each.
  recovery_salt bytea check (octet_length(recovery_salt) = 16),
  check ((enabled_at is null) = (last_step is null)),
  check ((enabled_at is null) = (recovery_salt is null))
);

-- Each works once and is gone then.
create table auth.recovery_codes (
  user_id bigint not null references auth.two_factor on delete cascade,
  -- argon2id of the code with that salt.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

grant select, insert, update, delete on auth.two_factor, auth.recovery_codes to sightline_auth;

-- Whether it is on, for those who see the person. What is behind it stays with the authorization server.
alter table users add column mfa_enabled boolean not null default false;
alter table staff add column mfa_enabled boolean not null default false;

create function tell_second_factor() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  person bigint := coalesce(new.user_id, old.user_id);
  is_on boolean := new.enabled_at is not null;
begin
  update public.users u set mfa_enabled = is_on where u.user_id = person and u.mfa_enabled <> is_on;
  update public.staff s set mfa_enabled = is_on where s.user_id = person and s.mfa_enabled <> is_on;
  return null;
end $$;
create trigger tell_second_factor after insert or update of enabled_at or delete on auth.two_factor
  for each row execute function tell_second_factor();

-- Nobody else says so.
create function keep_second_factor() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user = 'sightline_app' then
    raise exception 'the second factor of % is what it is', new.user_id using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_second_factor before update of mfa_enabled on users for each row
  when (new.mfa_enabled <> old.mfa_enabled) execute function keep_second_factor();
create trigger keep_second_factor before update of mfa_enabled on staff for each row
  when (new.mfa_enabled <> old.mfa_enabled) execute function keep_second_factor();
