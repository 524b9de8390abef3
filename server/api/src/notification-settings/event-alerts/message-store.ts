import { type NotificationType, notificationTypes } from '@sightline/contract/notification-settings'
import { scheduleSpans } from '@sightline/contract/schedules'
import { type Db, type IdSource, instant, matchAny, type Tx } from '@sightline/platform/db'
import { enqueue } from '@sightline/platform/jobs'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AlertUser } from '../recipients/index.ts'
import type { AlertedCamera } from './rules.ts'

const item = z.object({
  cameraId: z.int(),
  /** How many times it happened. */
  count: z.int(),
  /** Milliseconds since 1970. */
  firstAt: z.number(),
  lastAt: z.number(),
  /** What exactly is wrong with the camera, for the types that say so. */
  trouble: z.string().optional(),
  byEmail: z.boolean(),
  byPush: z.boolean(),
})
const content = z.object({ items: z.array(item) })

/** What happened at one camera, and how to tell it. */
export type AlertItem = z.infer<typeof item>

export interface AlertMessage extends AlertUser {
  readonly alertMessageId: number
  readonly type: Exclude<NotificationType, 'cameraDown'>
  readonly items: readonly AlertItem[]
}

const alertType = z.enum(notificationTypes).exclude(['cameraDown'])

/** Adds a decided alert, and the job that writes it. */
export async function addMessage(
  tx: Tx,
  { accountId, userId, type, items }: Omit<AlertMessage, 'alertMessageId'>,
  { ids, now }: { readonly ids: IdSource; readonly now: number },
): Promise<void> {
  const alertMessageId = await ids.next()
  await tx
    .insertInto('alert_messages')
    .values({
      account_id: accountId,
      alert_message_id: alertMessageId,
      user_id: userId,
      type,
      content: JSON.stringify({ items }),
      created_at: instant(now),
    })
    .execute()
  await enqueue(tx, { task: 'writeAlert', payload: { accountId, alertMessageId } })
}

interface MessageKey {
  readonly accountId: number
  readonly alertMessageId: number
}

export async function findMessage(
  { plain }: Pick<Db, 'plain'>,
  { accountId, alertMessageId }: MessageKey,
): Promise<AlertMessage | undefined> {
  const row = await plain
    .selectFrom('alert_messages')
    .select(['user_id', 'type', 'content'])
    .where('account_id', '=', accountId)
    .where('alert_message_id', '=', alertMessageId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const type = alertType.parse(row.type)
  return { accountId, alertMessageId, userId: row.user_id, type, items: content.parse(row.content).items }
}

/** Removes it; false if another process has written it meanwhile. */
export async function takeMessage(tx: Tx, { accountId, alertMessageId }: MessageKey): Promise<boolean> {
  const messages = tx.deleteFrom('alert_messages').where('account_id', '=', accountId)
  const { numDeletedRows } = await messages.where('alert_message_id', '=', alertMessageId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

interface CameraRow {
  readonly camera_id: number
  readonly zone_id: number
  readonly name: string
  readonly mode: string
  readonly schedule: unknown
  readonly time_zone: string
  readonly in_maintenance: boolean
}

/** The cameras with those ids as they are now; removed ones are missing. */
export async function loadAlertedCameras(
  tx: Tx,
  {
    accountId,
    cameraIds,
    now,
  }: { readonly accountId: number; readonly cameraIds: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, AlertedCamera>> {
  if (cameraIds.length === 0) return new Map()
  const { rows } = await sql<CameraRow>`
    select c.camera_id, c.zone_id, c.name, c.mode, coalesce(c.schedule, z.schedule) as schedule,
           coalesce(c.time_zone, z.time_zone, a.time_zone) as time_zone,
           m.camera_id is not null and (m.until is null or m.until > ${instant(now)}) as in_maintenance
      from cameras c
      join zones z on z.account_id = c.account_id and z.zone_id = c.zone_id
      join accounts a on a.account_id = c.account_id
      left join camera_maintenance m on m.account_id = c.account_id and m.camera_id = c.camera_id
     where c.account_id = ${accountId} and c.camera_id = ${matchAny([...cameraIds])}`.execute(tx)
  return new Map(
    rows.map((row) => [
      row.camera_id,
      {
        accountId,
        cameraId: row.camera_id,
        zoneId: row.zone_id,
        name: row.name,
        mode: row.mode,
        schedule: scheduleSpans.parse(row.schedule),
        timeZone: row.time_zone,
        inMaintenance: row.in_maintenance,
      },
    ]),
  )
}
