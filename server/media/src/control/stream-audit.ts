import { toDateTime } from '@sightline/contract/wire'
import { appendAudit, pictureHour } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { StreamSession } from './stream-sessions.ts'

interface AuditDeps {
  readonly db: Db
  readonly ids: IdSource
}

const HOUR_MS = 3_600_000

/**
 * Records what support saw, as the call for a snapshot does, and which hours of footage members looked at by single pictures: once an
 * hour for each user and camera. Members' snapshots of now aren't recorded.
 */
export function snapshotAudit({ db, ids }: AuditDeps): (session: StreamSession, address: string) => Promise<void> {
  // This role can't read the log. After a restart there is one entry more.
  const logged = new Map<string, number>()
  return async ({ caller, accountId, cameraId, from }, address) => {
    const target = { kind: 'camera', id: cameraId }
    if (caller.support !== undefined) {
      const entry = { action: 'snapshot', accountId, target, after: { picture: 'clear' } }
      return await appendAudit(db.plain, { ids, caller, address, entry })
    }
    if (from === undefined) return
    const now = performance.now()
    for (const [key, until] of logged) if (until <= now) logged.delete(key)
    const after = pictureHour(from)
    const key = `${caller.userId} ${caller.apiKeyId ?? ''} ${cameraId} ${after.from}`
    if (logged.has(key)) return
    logged.set(key, now + HOUR_MS)
    await appendAudit(db.plain, {
      ids,
      caller,
      address,
      entry: { action: 'recordedPicture', accountId, target, after },
    })
  }
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

/** Records who watched what: of recordings from which time, and to which if that is known before. */
export async function recordWatching(
  { db, ids }: AuditDeps,
  { caller, accountId, cameraId, use, from, till }: StreamSession,
  address: string,
): Promise<void> {
  const target = { kind: 'camera', id: cameraId }
  const span = {
    ...(from !== undefined && { from: toDateTime(from) }),
    ...(till !== undefined && { till: toDateTime(till) }),
  }
  const entry =
    use === 'live' ? { action: 'live', accountId, target } : { action: 'play', accountId, target, after: span }
  await appendAudit(db.plain, { ids, caller, address, entry })
}
