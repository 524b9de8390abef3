-- Where a copy of footage has gaps, so that those who watch it see the right time (docs/decisions/0162).
alter table exports
  -- Of an MP4 file: [from, till] of each time without footage, milliseconds since 1970, in order. Null until it is done, for ZIP files, where
  -- there are too many, and for those that were made before.
  add column gaps jsonb check (jsonb_typeof(gaps) = 'array');
