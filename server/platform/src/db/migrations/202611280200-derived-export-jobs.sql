-- Exports with text in their pictures take long and are made in a lane of their own (docs/decisions/0154).
insert into job_tasks (task, enqueued_by) values
  ('makeDerivedExport', '{sightline_app}');
