-- Camera groups, sequences and layouts (docs/decisions/0194): cameras that people want to see together.
create table saved_views (
  account_id bigint not null references accounts on delete cascade,
  saved_view_id bigint not null,
  kind text not null check (kind in ('cameraGroup', 'sequence', 'layout')),
  -- Who alone has this layout; null: all users of the account.
  user_id bigint,
  name text not null check (char_length(name) between 1 and 64),
  -- Which cameras, as the API gives it. Cameras that have left the account stay in it and are not shown.
  content jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, saved_view_id),
  foreign key (account_id, user_id) references users on delete cascade,
  check (user_id is null or kind = 'layout')
);
create index saved_views_by_kind on saved_views (account_id, kind);

alter table saved_views enable row level security;
create policy tenant on saved_views to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on saved_views to sightline_app;
