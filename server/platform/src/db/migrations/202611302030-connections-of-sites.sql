-- An address names one camera only where the same machine reaches it: two sites may have the same address (docs/decisions/0182).

-- Whether one machine may reach both. An empty list means every machine.
create function share_machines(these text[], those text[]) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
  as $$ select these = '{}' or those = '{}' or these && those $$;

drop index cameras_by_connection;
create index cameras_by_connection on cameras (account_id, connection_key) where connection_key is not null;
drop index devices_by_connection;
create index devices_by_connection on devices (account_id, connection_key) where connection_key is not null;

-- What a unique index can't say, with the error of one. Those that write the same key wait for each other.
create function refuse_same_connection() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
    declare
      id_column constant text := tg_argv[0];
      is_taken boolean;
    begin
      perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ' ' || new.account_id || ' ' || new.connection_key, 0));
      execute format('select exists (select from public.%I o where o.account_id = $1 and o.connection_key = $2
          and o.%I <> $3 and public.share_machines(o.machines, $4))', tg_table_name, id_column)
        into is_taken using new.account_id, new.connection_key, (to_jsonb(new) ->> id_column)::bigint, new.machines;
      if is_taken then
        raise exception 'another row of the account has this connection' using errcode = 'unique_violation',
          constraint = tg_table_name || '_by_connection', table = tg_table_name;
      end if;
      return null;
    end
  $$;
create trigger refuse_same_connection after insert or update of account_id, connection_key, machines on cameras
  for each row when (new.connection_key is not null) execute function refuse_same_connection('camera_id');
create trigger refuse_same_connection after insert or update of account_id, connection_key, machines on devices
  for each row when (new.connection_key is not null) execute function refuse_same_connection('device_id');

-- What one site removed doesn't rest at another.
alter table removed_connections add column machines text[] not null default '{}';
alter table removed_connections drop constraint removed_connections_pkey;
alter table removed_connections add primary key (account_id, connection_key, machines);
