import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { StreamSession } from './stream-sessions.ts'

interface AuditDeps {
  readonly db: Db
  readonly ids: IdSource
}

/** Records who watched what. */
export async function recordWatching(
  { db, ids }: AuditDeps,
  { caller, accountId, cameraId, use }: StreamSession,
  address: string,
): Promise<void> {
  const entry = { action: use === 'live' ? 'live' : 'play', accountId, target: { kind: 'camera', id: cameraId } }
  await appendAudit(db.plain, { ids, caller, address, entry })
}
