import { randomBytes } from 'node:crypto'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { Right } from '@sightline/contract/rights'
import { foldEmail } from '@sightline/contract/user-details'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { Sealing } from '@sightline/platform/sealing'
import { demoTheme } from './demo-theme.ts'

/** Fixed by the specification §9: self-service goes through this reseller. */
export const DEMO_RESELLER_ID = 255

/** A scene of the camera simulator and where it hangs. */
export const demoCameras = [
  { scene: 'car-park', name: 'Car park', zone: 'Outside', mac: '02:53:4c:00:00:01' },
  { scene: 'entrance', name: 'Entrance', zone: 'Outside', mac: '02:53:4c:00:00:02' },
  { scene: 'shop-floor', name: 'Shop floor', zone: 'Shop', mac: '02:53:4c:00:00:03' },
  { scene: 'corridor', name: 'Corridor', zone: 'Offices', mac: '02:53:4c:00:00:04' },
] as const
export type DemoCamera = (typeof demoCameras)[number]

const zones = ['Outside', 'Shop', 'Offices'] as const

interface DemoPerson {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly rights: readonly Right[]
  readonly zone?: (typeof zones)[number]
}

const owner: DemoPerson = { email: 'owner@demo.example', firstName: 'Olivia', lastName: 'Owner', rights: [] }
/** A guard watches what is outside, live and back in time, and can do nothing else. */
const guard: DemoPerson = {
  email: 'guard@demo.example',
  firstName: 'Gabriel',
  lastName: 'Guard',
  rights: ['playback'],
  zone: 'Outside',
}
const other: DemoPerson = { email: 'other@demo.example', firstName: 'Oscar', lastName: 'Other', rights: [] }

export const demoPeople: readonly string[] = [owner, guard, other].map((person) => person.email)

export interface DemoParts {
  readonly db: Db
  readonly ids: IdSource
  readonly sealing: Sealing
  readonly auth: Pick<AuthPlane, 'createCredentials'>
  readonly password: string
}

/**
 * Creates the demonstration: a distributor, a reseller with a brand of its own, two accounts, three zones, four cameras.
 * Rows come in one transaction, passwords after it; where those are missing from an interrupted first start they are
 * set by the next call. Answers whether this call was the one that set passwords.
 */
export async function createDemonstration(parts: DemoParts): Promise<boolean> {
  const { db } = parts
  const present = await peopleOf(db)
  const people = present.length === 0 ? await db.transaction((tx) => insertAll(tx, parts)) : present
  const missing = await withoutCredentials(db, people)
  for (const person of missing) await parts.auth.createCredentials({ ...person, password: parts.password })
  return missing.length > 0
}

/** Are there people, and none of them the demonstration's? It is for empty installations only. */
export async function isInUseWithoutDemonstration(db: Db): Promise<boolean> {
  if ((await peopleOf(db)).length > 0) return false
  return (await db.plain.selectFrom('users').select('user_id').limit(1).executeTakeFirst()) !== undefined
}

interface Person {
  readonly userId: number
  readonly accountId: number
}

async function peopleOf(db: Db): Promise<Person[]> {
  const rows = await db.plain
    .selectFrom('users')
    .select(['user_id', 'account_id'])
    .where('reseller_id', '=', DEMO_RESELLER_ID)
    .where('email_folded', 'in', demoPeople)
    .execute()
  return rows.map((row) => ({ userId: row.user_id, accountId: row.account_id }))
}

async function withoutCredentials(db: Db, people: readonly Person[]): Promise<Person[]> {
  const rows = await db.plain.selectFrom('auth.credentials').select('user_id').execute()
  const known = new Set(rows.map((row) => row.user_id))
  return people.filter((person) => !known.has(person.userId))
}

async function insertAll(tx: Tx, { ids, sealing }: DemoParts): Promise<Person[]> {
  const distributorId = await ids.next()
  await tx
    .insertInto('distributors')
    .values({ distributor_id: distributorId, name: 'Demonstration distributor' })
    .execute()
  await tx
    .insertInto('resellers')
    .values({
      reseller_id: DEMO_RESELLER_ID,
      distributor_id: distributorId,
      name: demoTheme.companyName,
      theme: JSON.stringify(demoTheme),
    })
    .execute()
  const accountId = await insertAccount(tx, { ids, name: 'Corner Shop', owner })
  const otherId = await insertAccount(tx, { ids, name: 'Second Account', owner: other })
  const zoneIds = new Map<string, number>()
  for (const name of zones) {
    const zoneId = await ids.next()
    zoneIds.set(name, zoneId)
    await tx.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name }).execute()
  }
  for (const camera of demoCameras)
    await insertCamera(tx, { ids, sealing, accountId, camera, zoneId: zoneIds.get(camera.zone) })
  const guardId = await ids.next()
  await insertUser(tx, { person: guard, accountId, userId: guardId })
  const zoneId = zoneIds.get(guard.zone ?? '')
  if (zoneId !== undefined) {
    await tx.insertInto('user_zones').values({ account_id: accountId, user_id: guardId, zone_id: zoneId }).execute()
  }
  return [
    { userId: accountId, accountId },
    { userId: otherId, accountId: otherId },
    { userId: guardId, accountId },
  ]
}

/** An account bears the id of its owner (specification §6: accountId equals userId). */
async function insertAccount(tx: Tx, given: { ids: IdSource; name: string; owner: DemoPerson }): Promise<number> {
  const accountId = await given.ids.next()
  await tx
    .insertInto('accounts')
    .values({
      account_id: accountId,
      reseller_id: DEMO_RESELLER_ID,
      name: given.name,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      user_self_service_management: true,
    })
    .execute()
  await insertUser(tx, { person: given.owner, accountId, userId: accountId })
  return accountId
}

async function insertUser(tx: Tx, { person, accountId, userId }: Person & { person: DemoPerson }): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      account_id: accountId,
      user_id: userId,
      reseller_id: DEMO_RESELLER_ID,
      email: person.email,
      email_folded: foldEmail(person.email),
      first_name: person.firstName,
      last_name: person.lastName,
      rights: person.rights,
    })
    .execute()
}

async function insertCamera(
  tx: Tx,
  given: { ids: IdSource; sealing: Sealing; accountId: number; camera: DemoCamera; zoneId: number | undefined },
): Promise<void> {
  const { camera, accountId } = given
  const cameraId = await given.ids.next()
  const place = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
  await tx
    .insertInto('cameras')
    .values({
      account_id: accountId,
      camera_id: cameraId,
      zone_id: given.zoneId ?? 0,
      name: camera.name,
      eth_mac_address: camera.mac,
      brand: 'Sightline',
      model: 'Simulated camera',
      firmware_version: '1.0',
      serial: `SIM-${camera.scene}`,
      address: '127.0.0.1',
      // Where the simulator really listens is written at each start (simulated-cameras.ts).
      rtsp_port: 0,
      main_path: '/main',
      sub_path: '/sub',
      username: 'sightline',
      password_sealed: given.sealing.seal(place, randomBytes(18).toString('base64url')),
    })
    .execute()
}
