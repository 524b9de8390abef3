import { createHash } from 'node:crypto'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type CameraHabits, parseHabits } from '../source/index.ts'
import { connectionVersion } from './connection-version.ts'
import type { HabitStore } from './habit-keeper.ts'
import type { CameraToServe } from './store.ts'

/** Afterwards a camera is tried as one that isn't known: it may have learned something better. */
const VALID_MS = 7 * 24 * 3_600_000

/** What was learned of a camera as it is reached now. A camera with another address, password or device is another one. */
export function habitStore(
  { db, now }: { readonly db: Db; readonly now: () => number },
  camera: CameraToServe,
): HabitStore {
  const connection = createHash('sha256').update(connectionVersion(camera)).digest('hex')
  return {
    recalled: recall(camera, connection, now()),
    save: (habits) => saveHabits(db, camera, { connection, habits, at: now() }),
  }
}

function recall({ storedHabits }: CameraToServe, connection: string, now: number): CameraHabits {
  const isKnown = storedHabits?.connection === connection && now - storedHabits.learnedAt < VALID_MS
  return isKnown ? parseHabits(storedHabits.habits) : {}
}

interface LearnedHabits {
  readonly connection: string
  readonly habits: CameraHabits
  readonly at: number
}

/** Nothing for a camera that was removed meanwhile. */
async function saveHabits(
  db: Db,
  { accountId, cameraId }: CameraToServe,
  { connection, habits, at }: LearnedHabits,
): Promise<void> {
  const text = JSON.stringify(habits)
  await sql`
    insert into camera_habits (account_id, camera_id, connection, learned_at, habits)
    select account_id, camera_id, ${connection}, ${instant(at)}, ${text}::jsonb
      from cameras where account_id = ${accountId} and camera_id = ${cameraId}
    on conflict (account_id, camera_id) do update
      set connection = excluded.connection, learned_at = excluded.learned_at, habits = excluded.habits
  `.execute(db.plain)
}
