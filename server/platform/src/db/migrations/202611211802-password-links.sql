-- Mails that wait to be sent, and the links in them by which a person sets a password.

create table mail_outbox (
  account_id bigint not null,
  mail_id bigint not null,
  -- What it is about, as in `invitation`; for whoever reads the log.
  kind text not null,
  recipient text not null,
  -- Subject and bodies, AEAD under the account's key: they may hold a link that opens an account. Null once sent or given up.
  content_sealed bytea,
  created_at timestamptz(3) not null,
  -- From then on it is of no use to the person, and is not sent any more.
  give_up_at timestamptz(3) not null,
  tries integer not null default 0,
  -- Null once sent or given up. Whoever tries sets it ahead, so that nobody else does meanwhile.
  next_try_at timestamptz(3),
  sent_at timestamptz(3),
  -- Why the last try was in vain.
  failure text,
  primary key (account_id, mail_id),
  check ((next_try_at is null) = (content_sealed is null))
);
create index mail_outbox_due on mail_outbox (next_try_at) where next_try_at is not null;
create index mail_outbox_by_age on mail_outbox (created_at);

-- Written and sent by the authorization server: it makes the links, so sending them shows it nothing new. No other role
-- may even see that there are mails.
alter table mail_outbox enable row level security;
create policy auth on mail_outbox to sightline_auth using (true) with check (true);
grant select, insert, update, delete on mail_outbox to sightline_auth;

create table auth.password_links (
  user_id bigint not null,
  -- One of each at a time: another one takes its place.
  kind text not null check (kind in ('invitation', 'reset')),
  account_id bigint not null,
  -- Of 256 random bits; the token itself is in the mail alone.
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  -- As they were when it was made; it is void once either is another. No generation: no password had been set.
  email_folded text not null,
  sign_in_generation integer,
  expires_at timestamptz(3) not null,
  primary key (user_id, kind)
);
create index password_links_by_expiry on auth.password_links (expires_at);
grant select, insert, update, delete on auth.password_links to sightline_auth;
