-- The mobile network that a body-worn camera was set up for, without its password (docs/decisions/0181).
alter table body_camera_setup_codes add column mobile_network jsonb;
alter table body_cameras add column mobile_network jsonb;
grant update (mobile_network) on body_cameras to sightline_app;
