-- How a camera is watched for motion (docs/decisions/0095).
alter table cameras
  add column video_detection jsonb not null default '{"enabled": true, "sensitivity": 50, "areas": []}';
