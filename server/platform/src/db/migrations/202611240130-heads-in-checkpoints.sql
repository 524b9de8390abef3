-- Once a day, the head of each list of footage that changed goes into a checkpoint of the audit log: it is signed with another
-- key and also kept in a second place.
alter table footage_heads
  -- Of the line of the list; null for heads that were signed before this column existed.
  add column hash text check (hash ~ '^[0-9a-f]{64}$'),
  -- The newest one that a checkpoint has, and when that was signed; null for none.
  add column checkpoint_hash text,
  add column checkpoint_at timestamptz;
