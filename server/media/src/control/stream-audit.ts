import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { StreamSession } from './stream-sessions.ts'

interface AuditDeps {
  readonly db: Db
  readonly ids: IdSource
}

/** Records what support saw, as the call for a snapshot does; members' own snapshots aren't recorded. */
export async function recordSnapshot(
  { db, ids }: AuditDeps,
  { caller, accountId, cameraId }: StreamSession,
  address: string,
): Promise<void> {
  if (caller.support === undefined) return
  const target = { kind: 'camera', id: cameraId }
  const entry = { action: 'snapshot', accountId, target, after: { picture: 'clear' } }
  await appendAudit(db.plain, { ids, caller, address, entry })
}

/** Records who talked through a camera. */
export async function recordTalk(
  { db, ids }: AuditDeps,
  { caller, accountId, cameraId }: Pick<StreamSession, 'caller' | 'accountId' | 'cameraId'>,
  address: string,
): Promise<void> {
  const entry = { action: 'sendCameraAudio', accountId, target: { kind: 'camera', id: cameraId } }
  await appendAudit(db.plain, { ids, caller, address, entry })
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
