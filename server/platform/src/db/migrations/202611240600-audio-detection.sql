-- Loud sounds at a camera (docs/decisions/0095).
alter table cameras
  add column audio_detection jsonb not null default '{"enabled": false, "sensitivity": 50}';
