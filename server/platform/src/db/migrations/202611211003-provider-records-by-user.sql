-- Ending everything of one user (password changed, blocked) finds sign-ins that have no token left by this.
create index provider_records_by_user on auth.provider_records ((payload->>'accountId')) where payload ? 'accountId';
