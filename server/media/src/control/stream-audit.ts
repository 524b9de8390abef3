import { toDateTime } from '@sightline/contract/wire'
import { appendAudit, pictureHour } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { StreamSession } from './stream-sessions.ts'
import { type WatchedSpan, WatchedSpans } from './watched-spans.ts'

interface AuditDeps {
  readonly db: Db
  readonly ids: IdSource
}

interface WatchedDeps {
  readonly log: Pick<Logger, 'error'>
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

/** Collects what is sent of a stream without an end, and records it: once an hour, and when the stream ends. */
export function watchedAudit(deps: AuditDeps & WatchedDeps, session: StreamSession, address: string) {
  const spans = new WatchedSpans()
  const record = async () => {
    const { caller, accountId, cameraId } = session
    const watched = spans.take().map(({ from, till }) => `${toDateTime(from)}/${toDateTime(till)}`)
    if (watched.length === 0) return
    const entry = { action: 'watched', accountId, target: { kind: 'camera', id: cameraId }, after: { watched } }
    await appendAudit(deps.db.plain, { ids: deps.ids, caller, address, entry }).catch((err: unknown) =>
      deps.log.error({ err, cameraId }, 'what was watched of a recording is not in the audit log'),
    )
  }
  const timer = setInterval(() => void record(), HOUR_MS)
  return {
    add: (span: WatchedSpan) => spans.add(span),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await record()
    },
  }
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
