-- Tells who follows the states of an account's recorders, jobs, shares and support sessions when to look, as 202611300530 does for
-- cameras and exports.
create trigger tell_devices_of_new after insert or delete on devices
  for each row execute function tell_states('devices');
create trigger tell_devices after update on devices for each row
  when ((old.zone_id, old.name, old.eth_mac_address, old.addition_status, old.addition_sub_status, old.firmware_version, old.brand, old.model)
    is distinct from
        (new.zone_id, new.name, new.eth_mac_address, new.addition_status, new.addition_sub_status, new.firmware_version, new.brand, new.model))
  execute function tell_states('devices');
create trigger tell_devices_of_new after insert or delete on device_status
  for each row execute function tell_states('devices');
create trigger tell_devices after update on device_status for each row
  when ((old.online, old.last_connection_result) is distinct from (new.online, new.last_connection_result))
  execute function tell_states('devices');
create trigger tell_devices_of_new after insert or delete on device_channels
  for each row execute function tell_states('devices');
create trigger tell_devices after update on device_channels for each row
  when ((old.name, old.online) is distinct from (new.name, new.online))
  execute function tell_states('devices');
-- A camera that is an input of a recorder.
create trigger tell_devices_of_new after insert on cameras for each row
  when (new.device_id is not null)
  execute function tell_states('devices');
create trigger tell_devices_of_old after delete on cameras for each row
  when (old.device_id is not null)
  execute function tell_states('devices');

create trigger tell_devices_of_new after insert on device_jobs for each row
  when (new.device_id is not null)
  execute function tell_states('devices');
create trigger tell_devices after update on device_jobs for each row
  when (new.device_id is not null
    and (old.state, old.progress, old.phase) is distinct from (new.state, new.progress, new.phase))
  execute function tell_states('devices');
create trigger tell_jobs_of_new after insert on device_jobs for each row
  when (new.camera_id is not null)
  execute function tell_states('jobs');
create trigger tell_jobs after update on device_jobs for each row
  when (new.camera_id is not null
    and (old.state, old.progress, old.phase) is distinct from (new.state, new.progress, new.phase))
  execute function tell_states('jobs');

create trigger tell_shares_of_new after insert or delete on shares
  for each row execute function tell_states('shares');
create trigger tell_shares after update on shares for each row
  when (old.ended_at is distinct from new.ended_at)
  execute function tell_states('shares');
create trigger tell_shares after insert on share_views
  for each row execute function tell_states('shares');
-- The copy of a share is made as an export.
create trigger tell_shares after update on exports for each row
  when ((old.status, old.progress, old.failure_detail) is distinct from (new.status, new.progress, new.failure_detail))
  execute function tell_states('shares');

create trigger tell_support_of_new after insert on auth.access_sessions for each row
  when (new.support_staff_id is not null)
  execute function tell_states('supportSessions');
create trigger tell_support_of_old after delete on auth.access_sessions for each row
  when (old.support_staff_id is not null)
  execute function tell_states('supportSessions');
create trigger tell_support after update on auth.access_sessions for each row
  when (new.support_staff_id is not null and old.expires_at is distinct from new.expires_at)
  execute function tell_states('supportSessions');
create trigger tell_support after update on accounts for each row
  when ((old.helpdesk_expires_at, old.helpdesk_show_video) is distinct from (new.helpdesk_expires_at, new.helpdesk_show_video))
  execute function tell_states('supportSessions');
