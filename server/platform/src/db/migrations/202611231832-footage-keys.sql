-- Keys of encrypted footage, wrapped (docs/design/recording-format.md): one per account, and one per camera and day. The
-- same lie beside the footage. A row that is deleted makes the footage of that day unreadable in every copy of it.
create table footage_account_keys (
  account_id bigint primary key,
  key_id text not null check (key_id ~ '^[0-9a-f]{32}$'),
  -- Base64, wrapped with the installation's key-encryption key.
  wrapped text not null
);
create table footage_day_keys (
  account_id bigint not null,
  camera_id bigint not null,
  day date not null,
  key_id text not null check (key_id ~ '^[0-9a-f]{32}$'),
  -- Base64, wrapped with the account's key.
  wrapped text not null,
  primary key (account_id, camera_id, day)
);
alter table footage_account_keys enable row level security;
alter table footage_day_keys enable row level security;
create policy media on footage_account_keys to sightline_media using (true) with check (true);
create policy media on footage_day_keys to sightline_media using (true) with check (true);
grant select, insert, delete on footage_account_keys, footage_day_keys to sightline_media;
