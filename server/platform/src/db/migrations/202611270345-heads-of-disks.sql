-- Each disk has lists of footage of its own (docs/decisions/0102), and so heads of its own. 'disk' is the front's.
alter table footage_heads add column store text not null default 'disk';
alter table footage_heads drop constraint footage_heads_pkey;
alter table footage_heads add primary key (account_id, camera_id, stream, store);
