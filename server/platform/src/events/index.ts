import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '@sightline/contract/events'
import type { AuditActor } from '../audit/index.ts'
import type { EpochMs } from '../clock/index.ts'
import { instant, type Tx } from '../db/index.ts'

/** What happened at a camera. */
export interface CameraEventInput {
  readonly camera: { readonly accountId: number; readonly cameraId: number; readonly name: string }
  readonly type: EventType
  readonly at: EpochMs
  /** Null while it is in progress; the same as `at` for a moment. */
  readonly endsAt: EpochMs | null
  /** Shown to all who see the camera: no addresses, no names of people. */
  readonly data?: Readonly<Record<string, string>>
  /** With the time and account the same for the same event, so that it is written once. */
  readonly once: string
}

/**
 * Writes an event of a camera, as the last statement of its transaction: other writers of the account wait until it
 * ends. Returns its id; undefined if it is there already.
 */
export async function addCameraEvent(
  tx: Tx,
  { camera, type, at, endsAt, data = {}, once }: CameraEventInput,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('events')
    .values({
      account_id: camera.accountId,
      at: instant(at),
      ended_at: endsAt === null ? null : instant(endsAt),
      type,
      source_kind: 'camera',
      source_id: camera.cameraId,
      source_name: camera.name,
      camera_id: camera.cameraId,
      data: JSON.stringify(data),
      once_key: once,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return row?.event_id
}

/** A statement has at most 65,535 values. */
const ROWS_PER_STATEMENT = 1000

/** What a user did to cameras. */
export interface UserActionInput {
  readonly caller: AuditActor
  readonly at: EpochMs
  readonly cameraIds: readonly number[]
  /** As in the audit log. */
  readonly action: string
  /** Without a difference nothing is written. */
  readonly before: unknown
  readonly after: unknown
  /** Shown to all who see the camera: no addresses, no names of people. */
  readonly data?: Readonly<Record<string, string>>
}

/**
 * Writes an event for each camera, as the last statement of its transaction. It has the user's id but not their name,
 * which readers get if they may see it: names in events would outlive the user. Support staff have no id here; the
 * audit log names them.
 */
export async function addUserActions(
  tx: Tx,
  { caller, at, cameraIds, action, before, after, data = {} }: UserActionInput,
): Promise<void> {
  if (cameraIds.length === 0 || isDeepStrictEqual(before, after)) return
  const person = caller.support === undefined ? 'user' : 'support'
  const by = caller.apiKeyId === undefined ? person : 'apiKey'
  const once = randomUUID()
  const rows = cameraIds.map((cameraId) => ({
    account_id: caller.accountId,
    at: instant(at),
    ended_at: instant(at),
    type: 'userAction',
    source_kind: 'user' as const,
    source_id: by === 'support' ? null : caller.userId,
    source_name: '',
    camera_id: cameraId,
    data: JSON.stringify({ ...data, action, by }),
    once_key: `${cameraId} ${once}`,
  }))
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT)
    await tx
      .insertInto('events')
      .values(rows.slice(i, i + ROWS_PER_STATEMENT))
      .execute()
}
