-- The newest signed head of each stream's list of footage (docs/design/recording-format.md): the file `head` beside the
-- footage has the same. One that the files don't have any more says that footage was cut off or rewritten.
create table footage_heads (
  account_id bigint not null,
  camera_id bigint not null,
  stream text not null check (stream in ('main', 'sub')),
  -- Hours since 1970, of the manifest that has the line.
  hour bigint not null,
  -- Of that manifest up to the end of the line.
  bytes bigint not null,
  -- As in the file.
  line text not null,
  primary key (account_id, camera_id, stream)
);
alter table footage_heads enable row level security;
create policy media on footage_heads to sightline_media using (true) with check (true);
grant select, insert, update, delete on footage_heads to sightline_media;
