-- Few events are bookmarked; without an index of their own, the list of them read all events of the account.
create index events_bookmarked on events (account_id, event_id) where is_bookmarked;

-- Lists choose their events from this index alone: by camera, type and time, in their order.
alter table events drop constraint events_pkey;
alter table events add primary key (account_id, event_id, at) include (camera_id, type);
