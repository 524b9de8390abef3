-- SIM cards of accounts with their mobile plans (docs/decisions/0130).
create table mobile_subscriptions (
  account_id bigint not null references accounts on delete cascade,
  mobile_subscription_id bigint not null,
  iccid text not null check (iccid ~ '^[0-9]{18,22}$'),
  sku text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'ended')),
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (account_id, mobile_subscription_id),
  check ((status = 'ended') = (ended_at is not null))
);
-- A card is in one place only, whoever its customer is.
create unique index mobile_subscriptions_in_use on mobile_subscriptions (iccid) where status <> 'ended';

alter table mobile_subscriptions enable row level security;
create policy tenant on mobile_subscriptions to sightline_app
  using (account_id = (select current_setting('app.account')::bigint))
  with check (account_id = (select current_setting('app.account')::bigint));
grant select, insert, update, delete on mobile_subscriptions to sightline_app;
