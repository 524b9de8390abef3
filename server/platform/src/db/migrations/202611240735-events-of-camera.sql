-- A page of a camera's events of some types is found in this index alone.
drop index events_of_camera;
create index events_of_camera on events (account_id, camera_id, event_id) include (type, at);
