-- Tells who follows the states of an account's cameras and exports when to look (docs/decisions/0176). A notice says which account and
-- what, never the state itself: each follower reads that with the rights of its caller.
create function tell_states() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
begin
  perform pg_notify('events', coalesce(new.account_id, old.account_id)::text || ' ' || tg_argv[0]);
  return null;
end $$;

create trigger tell_states_of_new after insert or delete on camera_status
  for each row execute function tell_states('cameras');
-- `last_seen` and `changed_at` alone change nothing that is shown of a camera.
create trigger tell_states after update on camera_status for each row
  when ((old.online, old.recording, old.recording_on_sd, old.last_connection_result, old.next_attempt_at, old.audio_codec,
         old.sub_online, old.sub_recording, old.sub_connection_result, old.width, old.height, old.sub_width, old.sub_height)
    is distinct from
        (new.online, new.recording, new.recording_on_sd, new.last_connection_result, new.next_attempt_at, new.audio_codec,
         new.sub_online, new.sub_recording, new.sub_connection_result, new.width, new.height, new.sub_width, new.sub_height))
  execute function tell_states('cameras');

create trigger tell_states_of_new after insert or delete on cameras
  for each row execute function tell_states('cameras');
create trigger tell_states after update on cameras for each row
  when ((old.zone_id, old.mode, old.microphone, old.password_sealed, old.transferred_at, old.addition_status, old.addition_sub_status,
         old.firmware_version, old.brand, old.model)
    is distinct from
        (new.zone_id, new.mode, new.microphone, new.password_sealed, new.transferred_at, new.addition_status, new.addition_sub_status,
         new.firmware_version, new.brand, new.model))
  execute function tell_states('cameras');

create trigger tell_states_of_new after insert or delete on camera_warnings
  for each row execute function tell_states('cameras');
-- Footage that is deleted early is noted again and again; a warning that was over is shown again.
create trigger tell_states after update on camera_warnings for each row
  when (new.last_at > old.last_at + interval '1 hour')
  execute function tell_states('cameras');
create trigger tell_states after insert or delete on dismissed_warnings
  for each row execute function tell_states('cameras');

create trigger tell_states_of_new after insert or delete on device_jobs
  for each row execute function tell_states('cameras');
create trigger tell_states after update on device_jobs for each row
  when (old.state is distinct from new.state)
  execute function tell_states('cameras');

create trigger tell_states_of_new after insert or delete on exports
  for each row execute function tell_states('exports');
create trigger tell_states after update on exports for each row
  when ((old.status, old.progress, old.removed_at, old.expires_at, old.sha256)
    is distinct from (new.status, new.progress, new.removed_at, new.expires_at, new.sha256))
  execute function tell_states('exports');
