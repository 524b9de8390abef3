-- Shares: links to copies of footage (docs/decisions/0142). The copy is an export that isn't listed as one.
alter table exports
  add column is_shared boolean not null default false,
  -- When the file of a share is removed.
  add column kept_until timestamptz(3),
  add check (is_shared = (kept_until is not null)),
  add check (not is_shared or format = 'mp4');

create table shares (
  account_id bigint not null,
  share_id bigint not null,
  export_id bigint not null,
  -- Who shared it.
  user_id bigint not null,
  secret_sha256 bytea not null unique check (octet_length(secret_sha256) = 32),
  -- scrypt: salt and hash.
  password_hash bytea check (octet_length(password_hash) = 48),
  is_public boolean not null,
  name text not null default '' check (length(name) <= 100),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (account_id, share_id),
  foreign key (account_id, export_id) references exports on delete cascade
);
create unique index shares_by_id on shares (share_id);
create index shares_by_export on shares (account_id, export_id);
alter table shares enable row level security;
create policy tenant on shares to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update on shares to sightline_app;

-- Each time that a share was opened, with the address that plays it.
create table share_views (
  account_id bigint not null,
  ticket_sha256 bytea not null unique check (octet_length(ticket_sha256) = 32),
  share_id bigint not null,
  -- Null for someone who isn't signed in.
  user_id bigint,
  -- Of a signed-in viewer's session.
  token_sha256 bytea,
  address text not null,
  viewed_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, ticket_sha256),
  foreign key (account_id, share_id) references shares on delete cascade
);
create index share_views_by_share on share_views (account_id, share_id, viewed_at);
alter table share_views enable row level security;
create policy tenant on share_views to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert on share_views to sightline_app;

-- Whose a share is; the rest is seen in that account's scope.
create function account_of_share(secret bytea) returns table (account_id bigint, share_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select s.account_id, s.share_id from public.shares s where s.secret_sha256 = secret and s.ended_at is null $$;
revoke execute on function account_of_share(bytea) from public;
grant execute on function account_of_share(bytea) to sightline_app;

create function account_of_share_view(ticket bytea) returns table (account_id bigint, token_sha256 bytea)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select v.account_id, v.token_sha256 from public.share_views v where v.ticket_sha256 = ticket $$;
revoke execute on function account_of_share_view(bytea) from public;
grant execute on function account_of_share_view(bytea) to sightline_app;
