-- Why a range of footage is locked, in the words of the person who did it.
alter table footage_locks add column reason text not null default '' check (length(reason) <= 200);
create index footage_deletion_requests_by_camera on footage_deletion_requests (account_id, camera_id);
