-- Sound of exports whose pictures were encoded again (docs/decisions/0154).
alter table exports
  drop constraint exports_sound_check,
  add constraint exports_sound_check check (sound in ('none', 'kept', 'encoded', 'hidden', 'replaced', 'leftOut'));
