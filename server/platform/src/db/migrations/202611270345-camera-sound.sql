-- Whether sound of a camera's microphone is used, and whether people may talk through it. Off for new cameras, because recording sound
-- without consent is illegal in many places; cameras that are there already go on as they were (docs/decisions/0127).
alter table cameras
  add column microphone boolean not null default true,
  add column speaker boolean not null default true;
alter table cameras
  alter column microphone set default false,
  alter column speaker set default false;
