-- What POST requests with an Idempotency-Key answered, for 24 hours (docs/reference/api.md). Keys are stored as SHA-256.
create table idempotency_keys (
  account_id bigint not null,
  user_id bigint not null,
  -- Of method, path and key.
  key_sha256 bytea not null,
  -- Of query and body: the same key with another request is refused.
  request_sha256 bytea not null,
  -- Who runs it, until when unless renewed; both null once it was answered.
  claim_id uuid,
  claimed_until timestamptz(3),
  reply_status integer,
  reply_headers jsonb,
  reply_body text,
  expires_at timestamptz(3) not null,
  primary key (account_id, user_id, key_sha256),
  foreign key (account_id, user_id) references users on delete cascade
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

alter table idempotency_keys enable row level security;
create policy tenant on idempotency_keys to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on idempotency_keys to sightline_app;

-- The API's role sees one account at a time, but what is over goes in every account.
create function sweep_idempotency_keys() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$ delete from public.idempotency_keys where expires_at <= now() $$;
revoke execute on function sweep_idempotency_keys() from public;
grant execute on function sweep_idempotency_keys() to sightline_app;
