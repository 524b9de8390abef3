-- The last step of an addition that succeeded; null: none yet (docs/decisions/0105).
alter table cameras add column addition_step text
  check (addition_step in ('reachable', 'identified', 'signedIn', 'streams', 'samplePicture', 'recording'));
update cameras set addition_step = 'recording' where addition_status = 'added';
