-- When a camera that isn't connected is tried again; null while it is connected, or while nothing tries.
alter table camera_status add column next_attempt_at timestamptz(3);

-- The owner's consent that the camera's password is sent in plain text, for cameras that know nothing better.
alter table cameras add column allow_basic boolean not null default false;
