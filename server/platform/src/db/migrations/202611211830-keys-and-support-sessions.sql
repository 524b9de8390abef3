-- API keys and support sessions end with what they stand on, whoever takes it away.

-- Whether the present secret has got a token yet; one that never did does not push out the one in use.
alter table auth.clients add column secret_used boolean not null default false;

-- As before, and for what the client may ask for: nobody is given a scope that is taken away at this very moment. After a
-- change of a key's secret the one before it goes on.
drop function auth.hold_client(text, bytea);
create function auth.hold_client(client text, secret bytea, wanted text[]) returns boolean
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    select true from auth.clients
     where client_id = client and scopes @> wanted
       and (secret_sha256 is not distinct from secret
         or (api_key_id is not null and previous_secret_sha256 = secret and previous_secret_until > now()))
       for share
  $$;
revoke execute on function auth.hold_client(text, bytea, text[]) from public;
grant execute on function auth.hold_client(text, bytea, text[]) to sightline_auth;

-- As hold_limit(): the row of the account or the reseller is taken first, however many add a key at once.
create function auth.hold_api_key_limit() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  present bigint;
begin
  perform from public.accounts where account_id = new.account_id for no key update;
  perform from public.resellers where reseller_id = new.account_id for no key update;
  select count(*) into present from auth.clients where account_id = new.account_id and api_key_id is not null;
  if present >= tg_argv[0]::bigint then
    raise exception 'organisation % may hold % API keys', new.account_id, tg_argv[0]
      using errcode = 'check_violation', constraint = 'limit_of_api_keys', table = tg_table_name;
  end if;
  return new;
end $$;
create trigger limit_of_api_keys before insert on auth.clients for each row
  when (new.api_key_id is not null) execute function auth.hold_api_key_limit('100');
create index api_keys_of_person on auth.clients (user_id) where api_key_id is not null;

-- A key goes with the person it acts as; passwords go when the authorization server is told.
create function auth.forget_keys_of_person() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from auth.clients where api_key_id is not null and user_id = old.user_id;
  return null;
end $$;
create trigger forget_keys after delete on users for each row execute function auth.forget_keys_of_person();
create trigger forget_keys after delete on staff for each row execute function auth.forget_keys_of_person();

-- A session of the support does not come back to life with the owner's next grant, nor with the end of a block.
create function auth.end_support_of_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from auth.access_sessions
   where account_id = new.account_id and support_staff_id is not null
     and (new.helpdesk_expires_at is null or new.helpdesk_expires_at <= now());
  update auth.access_sessions set expires_at = new.helpdesk_expires_at
   where account_id = new.account_id and support_staff_id is not null and expires_at > new.helpdesk_expires_at;
  return null;
end $$;
create trigger end_support after update of helpdesk_expires_at on accounts for each row
  when (new.helpdesk_expires_at is distinct from old.helpdesk_expires_at) execute function auth.end_support_of_account();

create function auth.end_support_by_person() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from auth.access_sessions where support_staff_id = new.user_id;
  return null;
end $$;
create trigger end_support after update of blocked on staff for each row
  when (new.blocked and not old.blocked) execute function auth.end_support_by_person();
create index access_sessions_of_support_person on auth.access_sessions (support_staff_id) where support_staff_id is not null;

-- Until when the owner of an account lets the support in; the row is held, so that a grant which is taken back at this very
-- moment ends the session that it is the ground of.
create function auth.hold_support_grant(account bigint) returns timestamptz
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ select helpdesk_expires_at from public.accounts where account_id = account for share $$;
revoke execute on function auth.hold_support_grant(bigint) from public;
grant execute on function auth.hold_support_grant(bigint) to sightline_auth;

-- The owner is shown those sessions only that could act at this moment.
grant select on sessions to sightline_auth;
