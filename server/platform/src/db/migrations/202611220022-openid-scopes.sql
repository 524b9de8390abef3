-- What OpenID Connect tells a client of a person: one scope for each part (OpenID Connect Core 5.4).
alter table auth.clients drop constraint clients_scopes_check;
alter table auth.clients add constraint clients_scopes_check check (
  scopes <@ array['openid', 'profile', 'email', 'phone', 'address', 'read', 'write'] and cardinality(scopes) > 0);
