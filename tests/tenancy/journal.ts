import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'

/** One written row as the database saw it: before, after, or both. */
export interface WrittenRow {
  readonly table: string
  readonly before: Row | null
  readonly after: Row | null
}
type Row = Readonly<Record<string, unknown>>

/** Records every written row and can undo it. */
export interface Journal {
  /** The rows written since the last {@link undo}, in order. */
  read(): Promise<readonly WrittenRow[]>
  /** Restores every row. */
  undo(): Promise<void>
}

/** Tables that even a refused call may write: counters, id blocks and idempotency keys. */
const BOOKKEEPING = ['installation', 'id_blocks', 'schema_migrations', 'idempotency_keys', 'failures']

const INSTALL = [
  `create schema tenancy_test`,
  `create table tenancy_test.journal (position bigserial primary key, of regclass not null, before jsonb, after jsonb)`,
  `create function tenancy_test.note() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$
  begin
    if current_setting('tenancy_test.undoing', true) = 'yes' then return null; end if;
    insert into tenancy_test.journal (of, before, after) values (
      tg_relid,
      case when tg_op = 'INSERT' then null else to_jsonb(old) end,
      case when tg_op = 'DELETE' then null else to_jsonb(new) end);
    return null;
  end $$`,
  `-- Backwards, so that referenced rows are restored before the rows that refer to them.
  create function tenancy_test.undo() returns void
    language plpgsql
    as $$
  declare
    entry record;
    same text;
    cols text;
  begin
    perform set_config('tenancy_test.undoing', 'yes', true);
    -- Rows deleted by a cascade are recorded after their parent.
    set constraints all deferred;
    for entry in select * from tenancy_test.journal order by position desc loop
      select string_agg(format('t.%1$I = x.%1$I', a.attname), ' and ') into same
        from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       where i.indrelid = entry.of and i.indisprimary;
      if entry.before is null then
        execute format('delete from %1$s t using jsonb_populate_record(null::%1$s, $1) x where %2$s', entry.of, same)
          using entry.after;
      elsif entry.after is null then
        select string_agg(quote_ident(attname), ', ') into cols from pg_attribute
         where attrelid = entry.of and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('insert into %1$s (%2$s) overriding system value
          select %2$s from jsonb_populate_record(null::%1$s, $1)', entry.of, cols) using entry.before;
      else
        select string_agg(format('%1$I = y.%1$I', attname), ', ') into cols from pg_attribute
         where attrelid = entry.of and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = '';
        execute format('update %1$s t set %2$s from jsonb_populate_record(null::%1$s, $1) x,
          jsonb_populate_record(null::%1$s, $2) y where %3$s', entry.of, cols, same) using entry.after, entry.before;
      end if;
    end loop;
    truncate tenancy_test.journal;
  end $$`,
  // Undoing must not fire the product's own triggers.
  `do $$
  declare
    own record;
    unless constant text := $u$(current_setting('tenancy_test.undoing', true) is distinct from 'yes')$u$;
    definition text;
  begin
    for own in select t.oid, t.tgname, t.tgrelid::regclass as of from pg_trigger t join pg_class c on c.oid = t.tgrelid
                where not t.tgisinternal and c.relnamespace in ('public'::regnamespace, 'auth'::regnamespace) loop
      definition := pg_get_triggerdef(own.oid);
      if definition ~ ' WHEN ' then
        definition := regexp_replace(definition, ' WHEN (.*) EXECUTE ', format(' WHEN (\\1 and %s) EXECUTE ', unless));
      else
        definition := replace(definition, ' EXECUTE ', format(' WHEN (%s) EXECUTE ', unless));
      end if;
      execute format('drop trigger %I on %s', own.tgname, own.of);
      execute definition;
    end loop;
  end $$`,
  `do $$
  declare
    t regclass;
    reference record;
  begin
    for reference in select conrelid::regclass as of, conname from pg_constraint where contype = 'f'
                      and connamespace in ('public'::regnamespace, 'auth'::regnamespace) loop
      execute format('alter table %s alter constraint %I deferrable initially immediate', reference.of, reference.conname);
    end loop;
    for t in select c.oid from pg_class c
              where c.relkind = 'r' and (c.relnamespace in ('public'::regnamespace, 'auth'::regnamespace)
                 or c.oid = 'graphile_worker._private_jobs'::regclass) loop
      -- Its name sorts before all others, so that it records the row before the row's own triggers run.
      execute format('create trigger "AA noted" after insert or update or delete on %s
        for each row execute function tenancy_test.note()', t);
    end loop;
  end $$`,
]

/** Installs the journal under the owner's role; from then on it records every write. */
export async function openJournal({ plain }: Db): Promise<Journal> {
  for (const statement of INSTALL) await sql.raw(statement).execute(plain)
  return {
    async read() {
      const { rows } = await sql<WrittenRow>`
        select of::text as table, before, after from tenancy_test.journal order by position`.execute(plain)
      return rows.filter(({ table }) => !BOOKKEEPING.includes(table.replace('auth.', '')))
    },
    async undo() {
      await sql`select tenancy_test.undo()`.execute(plain)
    },
  }
}
