-- Somebody whose account is suspended is told so; somebody who is blocked is not. `barred` merges the two.
create or replace view auth.people as
  select u.user_id, u.account_id, u.reseller_id, u.email, u.email_folded, u.first_name || ' ' || u.last_name as name,
         u.language, u.blocked or a.status = 'suspended' as barred, u.created_at,
         a.name as account_name, r.name as reseller_name, false as is_staff,
         u.blocked, a.status = 'suspended' as suspended
    from users u
    join accounts a on a.account_id = u.account_id
    join resellers r on r.reseller_id = u.reseller_id
  union all
  select s.user_id, s.organisation_id, s.reseller_id, s.email, s.email_folded, s.first_name || ' ' || s.last_name,
         s.language, s.blocked, s.created_at,
         coalesce(r.name, d.name, 'Provider'), coalesce(r.name, d.name, 'Provider'), true,
         s.blocked, false
    from staff s
    left join resellers r on r.reseller_id = s.reseller_id
    left join distributors d on d.distributor_id = s.distributor_id;
