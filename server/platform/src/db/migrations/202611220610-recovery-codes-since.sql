-- When the recovery codes were made. They outlive the app that they came with where passkeys are asked for as well, and prove
-- nothing in a session that is older than they are.
alter table auth.two_factor add column recovery_since timestamptz(3);
-- Of those that are there it is not known with which they came; the newer one is the stricter answer.
update auth.two_factor set recovery_since = greatest(enabled_at, passkeys_since) where recovery_salt is not null;
