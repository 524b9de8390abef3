-- What apps remember of somebody: which tour was seen, how a grid is laid out. Kept as long as the person is there.

create table user_preferences (
  account_id bigint not null,
  user_id bigint not null,
  preferences jsonb not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users on delete cascade
);
alter table user_preferences enable row level security;
create policy tenant on user_preferences to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update on user_preferences to sightline_app;
