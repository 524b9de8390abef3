-- Firmware for cameras and recorders, from the operator (no reseller) or from a dealer for their own accounts (docs/decisions/0108).
create table firmware_images (
  image_id bigint primary key,
  reseller_id bigint references resellers on delete cascade,
  -- What it fits, as cameras name themselves.
  brand text not null check (length(brand) between 1 and 64),
  model text not null check (length(model) between 1 and 64),
  version text not null check (length(version) between 1 and 64),
  size_bytes bigint not null check (size_bytes between 1 and 268435456),
  -- Null until all parts have arrived.
  sha256 bytea check (octet_length(sha256) = 32),
  -- The maker's signature file, as it was given.
  signature bytea check (octet_length(signature) between 1 and 65536),
  created_at timestamptz(3) not null default now()
);
create unique index firmware_images_by_version
  on firmware_images (coalesce(reseller_id, 0), lower(brand), lower(model), version);

create index firmware_images_by_model on firmware_images (lower(brand), lower(model));

create table firmware_parts (
  image_id bigint not null references firmware_images on delete cascade,
  part integer not null check (part between 0 and 511),
  bytes bytea not null check (octet_length(bytes) between 1 and 524288),
  primary key (image_id, part)
);

alter table firmware_images enable row level security;
alter table firmware_parts enable row level security;
create policy reseller on firmware_images to sightline_app
  using (reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1)
  with check (reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1);
-- An account sees what the operator and its own dealer offer.
create policy offered on firmware_images for select to sightline_app
  using (reseller_id is null
    or reseller_id = (select a.reseller_id from accounts a where a.account_id = (select current_setting('app.account')::bigint)));
create policy reseller on firmware_parts to sightline_app
  using (exists (select from firmware_images i where i.image_id = firmware_parts.image_id
    and i.reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1))
  with check (exists (select from firmware_images i where i.image_id = firmware_parts.image_id
    and i.reseller_id = (select scoped('app.reseller')) and (select scoped('app.staff')) = 1));
grant select, insert, update, delete on firmware_images, firmware_parts to sightline_app;
create policy media_reads on firmware_images for select to sightline_media using (true);
create policy media_reads on firmware_parts for select to sightline_media using (true);
grant select on firmware_images, firmware_parts to sightline_media;

-- What it reports after an upgrade, as long as one runs.
grant update (firmware_version) on cameras to sightline_media;
create policy media_upgrades on cameras for update to sightline_media
  using (exists (select from device_jobs j
    where j.account_id = cameras.account_id and j.camera_id = cameras.camera_id
      and j.type = 'firmwareUpgrade' and j.state = 'running'))
  with check (true);

-- Of an upgrade: the image, and the version that it is to have.
alter table device_jobs
  add column image_id bigint references firmware_images on delete set null,
  add column firmware_version text check (length(firmware_version) <= 64);
