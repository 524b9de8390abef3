-- Exports whose sound or pictures were encoded again (docs/decisions/0154).
alter table exports
  -- Of its files; see `clipSound` in the contract. Null until it is done, and for those that were made before.
  add column sound text check (sound in ('none', 'kept', 'encoded', 'hidden', 'leftOut')),
  -- Name of the camera and local time in the picture.
  add column overlay boolean not null default false,
  -- Text in the picture.
  add column watermark text check (length(watermark) between 1 and 100);
