import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, instant, openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'

/** Direct access to the database of the product running on this data folder, for what only an operator can see. */
export const openProductDatabase = (dataFolder: string): Db =>
  openDatabase({
    connection: {
      kind: 'socket',
      folder: join(dataFolder, 'postgres/run'),
      database: 'sightline',
      owner: 'sightline_owner',
      passwords: JSON.parse(readFileSync(join(dataFolder, 'secrets.json'), 'utf8')).databasePasswords,
    },
    role: 'owner',
    maxConnections: 1,
    applicationName: 'chaos',
    log: silentLogger,
  })

/** The values that a field was changed to since a moment, by the audit log, oldest first. */
export async function auditedValues(
  db: Db,
  wanted: { readonly action: string; readonly field: string; readonly since: number },
): Promise<readonly string[]> {
  const rows = await db.plain
    .selectFrom('audit_log')
    .select(['at', 'before', 'after'])
    .where('action', '=', wanted.action)
    .where('at', '>=', instant(wanted.since))
    .orderBy('at')
    .execute()
  // Different connections change two fields of one user: an entry counts for the field that it changed.
  return rows
    .filter(({ before, after }) => before?.[wanted.field] !== after?.[wanted.field])
    .map(({ after }) => String(after?.[wanted.field]))
}

export interface StoredRun {
  readonly cameraId: number
  readonly runId: string
  readonly start: number
  readonly end: number
  readonly bytes: number
  readonly why: string | null
}

/** Recording runs from the database, with the slices of a run merged. */
export async function storedRuns(db: Db): Promise<ReadonlyMap<string, StoredRun>> {
  const rows = await db.plain.selectFrom('recording_runs').selectAll().orderBy('started_at').execute()
  const runs = new Map<string, StoredRun>()
  for (const row of rows) {
    const before = runs.get(row.run_id)
    runs.set(row.run_id, {
      cameraId: row.camera_id,
      runId: row.run_id,
      start: before?.start ?? row.started_at,
      end: row.ended_at,
      bytes: (before?.bytes ?? 0) + row.bytes,
      why: row.end_reason,
    })
  }
  return runs
}
