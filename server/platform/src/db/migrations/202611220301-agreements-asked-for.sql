-- Who calls is known together with what he accepted of the subscription agreement, so that the API can ask for it (decision 20).

-- Of its own: a theme may hold pictures, and is not to be read with every call.
alter table resellers add column asks_for_agreement boolean not null
  generated always as (coalesce(theme -> 'asksForAgreement' = 'true'::jsonb, false)) stored;
grant select (asks_for_agreement) on resellers to sightline_app;

create or replace view sessions as
  select s.token_sha256, s.token_id, s.user_id, s.account_id, s.client_id, s.app_id, s.scopes, s.expires_at,
         c.api_key_id, c.allowed_addresses,
         u.first_name || ' ' || u.last_name as name, u.language, u.blocked, u.rights as grants,
         u.reseller_id, r.distributor_id, r.modules,
         u.all_cameras,
         case when u.all_cameras or u.user_id = u.account_id then null else array(
           select x.camera_id from user_cameras x where x.account_id = u.account_id and x.user_id = u.user_id) end
           as camera_ids,
         case when u.all_cameras or u.user_id = u.account_id then null else array(
           select x.zone_id from user_zones x where x.account_id = u.account_id and x.user_id = u.user_id) end
           as zone_ids,
         a.status as account_status, a.user_type, a.prevent_edit_user_details, a.user_self_service_management,
         s.support_staff_id, t.first_name || ' ' || t.last_name as support_name, t.permissions as support_grants,
         not t.blocked
           and (t.level = 'admin' or t.reseller_id = u.reseller_id
             or (t.level = 'distributor' and t.distributor_id = r.distributor_id))
           and (t.all_accounts or exists (
             select from staff_accounts x where x.user_id = t.user_id and x.account_id = u.account_id))
           as support_reaches,
         a.helpdesk_expires_at, a.helpdesk_show_video,
         null::text as level, null::boolean as all_accounts, null::bigint[] as account_ids,
         coalesce(c.provisioning, false) as provisioning,
         a.sub_users_barred and u.user_id <> u.account_id as barred,
         case when r.asks_for_agreement then array(
           select g.version from agreements g where g.account_id = u.account_id and g.user_id = u.user_id) end
           as accepted_agreements
    from auth.access_sessions s
    join users u on u.account_id = s.account_id and u.user_id = s.user_id
    join accounts a on a.account_id = s.account_id
    join resellers r on r.reseller_id = u.reseller_id
    left join auth.clients c on c.client_id = s.client_id
    left join staff t on t.user_id = s.support_staff_id
   where s.expires_at > now() and (c.expires_at is null or c.expires_at > now())
  union all
  select s.token_sha256, s.token_id, s.user_id, s.account_id, s.client_id, s.app_id, s.scopes, s.expires_at,
         c.api_key_id, c.allowed_addresses,
         t.first_name || ' ' || t.last_name, t.language, t.blocked, t.permissions,
         t.reseller_id, t.distributor_id, r.modules,
         null, null, null, null, null, null, null,
         null, null, null, null, null, null,
         t.level, t.all_accounts,
         case when t.all_accounts then null else array(
           select x.account_id from staff_accounts x where x.user_id = t.user_id) end,
         coalesce(c.provisioning, false), false, null
    from auth.access_sessions s
    join staff t on t.user_id = s.user_id and t.organisation_id = s.account_id
    left join resellers r on r.reseller_id = t.reseller_id
    left join auth.clients c on c.client_id = s.client_id
   where s.expires_at > now() and (c.expires_at is null or c.expires_at > now());
