-- Networks that the operator assigned to an account (docs/decisions/0107). Without any, every account has those of the setting.
create table camera_networks (
  account_id bigint not null references accounts on delete cascade,
  network cidr not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, network)
);
alter table camera_networks enable row level security;
create policy media on camera_networks for select to sightline_media using (true);
grant select on camera_networks to sightline_media;
