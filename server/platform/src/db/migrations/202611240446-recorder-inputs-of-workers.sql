-- The worker that asks a recorder writes down its inputs.
grant update (device_inputs, motion_sources) on cameras to sightline_media;
