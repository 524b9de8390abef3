-- A sign-in that is still under way ends with those that are complete: it began in a generation that is over.
alter table auth.credentials
  -- Goes up with whatever ends every sign-in of the user: another password, signing out everywhere, being blocked.
  add column sign_in_generation integer not null default 0;
