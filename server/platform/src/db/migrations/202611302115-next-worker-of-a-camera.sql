-- The worker that is to have a camera says that it has pictures of it, so that the one before it stops only then.
alter table camera_leases add column next_worker text;
