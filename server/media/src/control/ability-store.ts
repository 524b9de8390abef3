import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { AbilityKeeperDeps } from './ability-keeper.ts'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** What is kept of a camera's abilities. */
export const abilityStore = (
  { db, now }: { readonly db: Db; readonly now: () => number },
  camera: CameraKey,
): Pick<AbilityKeeperDeps, 'loadAskedAt' | 'save'> => ({
  loadAskedAt: () => loadAskedAt(db, camera),
  save: (abilities) => saveAbilities(db, camera, { abilities, at: now() }),
})

/** When a camera was last asked what it can do, in milliseconds since 1970; undefined: never. */
async function loadAskedAt(db: Db, { accountId, cameraId }: CameraKey): Promise<number | undefined> {
  const row = await db.plain
    .selectFrom('camera_capabilities')
    .select('asked_at')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  return row?.asked_at
}

/** Stores what a camera can do and is; nothing for one that was removed meanwhile. */
async function saveAbilities(
  db: Db,
  { accountId, cameraId }: CameraKey,
  { abilities, at }: { readonly abilities: CameraAbilities; readonly at: number },
): Promise<void> {
  const text = JSON.stringify(abilities)
  await sql`
    insert into camera_capabilities (account_id, camera_id, asked_at, abilities)
    select account_id, camera_id, ${instant(at)}, ${text}::jsonb
      from cameras where account_id = ${accountId} and camera_id = ${cameraId}
    on conflict (account_id, camera_id) do update set asked_at = excluded.asked_at, abilities = excluded.abilities
  `.execute(db.plain)
}
