-- Which version of a brand's services subscription agreement somebody accepted, and when. Kept as long as the person is there.

create table agreements (
  account_id bigint not null,
  user_id bigint not null,
  version text not null check (length(version) between 1 and 64),
  accepted_at timestamptz(3) not null,
  primary key (account_id, user_id, version),
  foreign key (account_id, user_id) references users on delete cascade
);
alter table agreements enable row level security;
create policy tenant on agreements to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert on agreements to sightline_app;
