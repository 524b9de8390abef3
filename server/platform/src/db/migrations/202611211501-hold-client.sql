-- Whoever gives a token out to a client keeps its registration from ending until that token is there to end with it.
-- The authorization server may only read the table, and locking a row wants more than that.
create function auth.hold_client(client text, secret bytea) returns boolean
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ select true from auth.clients where client_id = client and secret_sha256 is not distinct from secret for share $$;
revoke execute on function auth.hold_client(text, bytea) from public;
grant execute on function auth.hold_client(text, bytea) to sightline_auth;
