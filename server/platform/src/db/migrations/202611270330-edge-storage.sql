-- Cards in cameras (docs/decisions/0116). A job that formats one says which.
alter table device_jobs add column storage_id integer
  check ((type = 'formatStorage') = (storage_id is not null));

-- Whether the camera records on a card of its own, as it last said.
alter table camera_status add column recording_on_sd boolean not null default false;
