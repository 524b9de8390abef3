-- Exports that are faster than what was recorded (docs/decisions/0172).
alter table exports add column speed smallint not null default 1 check (speed in (1, 2, 4, 8, 16));
