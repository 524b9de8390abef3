-- The state of a camera's sub-stream, beside that of the camera. All null: the camera has none.
alter table camera_status
  add column sub_online boolean,
  add column sub_recording boolean,
  add column sub_connection_result text,
  add column sub_width integer,
  add column sub_height integer,
  add column sub_codec text;

-- A ticket may be for one of the streams. Null: for the one that the address names.
alter table stream_tickets add column stream text check (stream in ('main', 'sub'));
