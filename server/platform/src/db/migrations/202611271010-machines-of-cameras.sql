-- The machines with media workers that reach a camera, where not all of them do: one of these serves it as long as one lives. Empty: any
-- machine. 'front' is that of the front (docs/decisions/0132).
alter table cameras add column machines text[] not null default '{}';
alter table devices add column machines text[] not null default '{}';
