-- The history of sign-ins tells a passkey that was refused from a code that was wrong.

alter table auth.sign_in_history drop constraint sign_in_history_outcome_check;
alter table auth.sign_in_history add constraint sign_in_history_outcome_check
  check (outcome in ('signedIn', 'wrongPassword', 'wrongCode', 'wrongPasskey', 'locked'));
