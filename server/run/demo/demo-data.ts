import { randomBytes } from 'node:crypto'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import { allModules } from '@sightline/contract/rights'
import type { BrandTheme } from '@sightline/contract/theme'
import { foldEmail } from '@sightline/contract/user-details'
import { type Db, type IdSource, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { insertSubscription } from '../compose/first-run/first-subscription.ts'
import { insertPackages } from '../compose/first-run/standard-packages.ts'
import { demoPackages } from './demo-packages.ts'
import {
  DEMO_RESELLER_ID,
  type DemoIdentity,
  type DemoStaff,
  type DemoUser,
  demoPeople,
  demoZones,
  guard,
  guest,
  other,
  owner,
  staff,
} from './demo-people.ts'
import { demoTheme, secondTheme } from './demo-theme.ts'

/** A scene of the camera simulator and its location. */
export const demoCameras = [
  { scene: 'car-park', name: 'Car park', zone: 'Outside', mac: '02:53:4c:00:00:01' },
  { scene: 'entrance', name: 'Entrance', zone: 'Outside', mac: '02:53:4c:00:00:02' },
  { scene: 'shop-floor', name: 'Shop floor', zone: 'Shop', mac: '02:53:4c:00:00:03' },
  { scene: 'corridor', name: 'Corridor', zone: 'Offices', mac: '02:53:4c:00:00:04' },
] as const
export type DemoCamera = (typeof demoCameras)[number]

export interface DemoDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly encryption: EnvelopeEncryption
  readonly auth: Pick<AuthPlane, 'createCredentials'>
  readonly password: string
}

export interface CreatedDemonstration {
  /** Whether this call sets passwords. */
  readonly isNew: boolean
  readonly people: readonly DemoIdentity[]
  /** Resolves when every user has a password. Hashing occupies a core for a while, and only sign-in depends on it. */
  readonly passwords: Promise<void>
}

/**
 * Creates the demo: a distributor with two resellers, each with its own brand, packages and accounts, three zones and
 * four cameras in the first account, and staff of every level. Rows are written in one transaction, passwords after it;
 * the next call sets those missing after an interrupted first start. An existing demo isn't changed.
 */
export async function createDemonstration(deps: DemoDeps): Promise<CreatedDemonstration> {
  const { db } = deps
  const present = await peopleOf(db)
  if (present.length === 0) await db.transaction((tx) => insertAll(tx, deps))
  const people = present.length === 0 ? await peopleOf(db) : present
  const missing = await withoutCredentials(db, people)
  const passwords = setPasswords(missing, deps)
  // Awaited by the caller later; until then its failure must not count as unhandled.
  passwords.catch(() => undefined)
  const there = new Set(people.map((person) => person.email))
  return { isNew: missing.length > 0, people: demoPeople.filter((person) => there.has(person.email)), passwords }
}

async function setPasswords(people: readonly UserKey[], { auth, password }: DemoDeps): Promise<void> {
  for (const { userId, accountId } of people) await auth.createCredentials({ userId, accountId, password })
}

/** Whether there are users outside the demo, which is for empty installations only. */
export async function isInUseWithoutDemonstration(db: Db): Promise<boolean> {
  if ((await peopleOf(db)).length > 0) return false
  return (await db.plain.selectFrom('users').select('user_id').limit(1).executeTakeFirst()) !== undefined
}

interface UserKey {
  readonly userId: number
  /** Of staff the organisation. */
  readonly accountId: number
}

async function peopleOf(db: Db): Promise<(UserKey & { readonly email: string })[]> {
  const rows = await db.plain
    .selectFrom('auth.people')
    .select(['user_id', 'account_id', 'email_folded'])
    .where(
      'email_folded',
      'in',
      demoPeople.map((person) => person.email),
    )
    .execute()
  return rows.map((row) => ({ userId: row.user_id, accountId: row.account_id, email: row.email_folded }))
}

async function withoutCredentials(db: Db, people: readonly UserKey[]): Promise<UserKey[]> {
  const rows = await db.plain.selectFrom('auth.credentials').select('user_id').execute()
  const known = new Set(rows.map((row) => row.user_id))
  return people.filter((person) => !known.has(person.userId))
}

async function insertAll(tx: Tx, { ids, encryption }: DemoDeps): Promise<void> {
  const distributorId = await ids.next()
  const name = 'Northstar Distribution'
  await tx.insertInto('distributors').values({ distributor_id: distributorId, name }).execute()
  const secondId = await ids.next()
  await insertReseller(tx, { resellerId: DEMO_RESELLER_ID, distributorId, theme: demoTheme })
  await insertReseller(tx, { resellerId: secondId, distributorId, theme: secondTheme })
  for (const person of staff) await insertStaff(tx, { person, userId: await ids.next(), distributorId })
  const first = { ids, resellerId: DEMO_RESELLER_ID }
  const accountId = await insertAccount(tx, { ...first, name: 'Corner Shop', owner, sku: 'HD1-30-10' })
  await insertAccount(tx, { ...first, name: 'Second Account', owner: other, sku: 'SD1-7-10' })
  await insertAccount(tx, { ids, resellerId: secondId, name: 'Lakeside Hotel', owner: guest, sku: 'HD2-14-10' })
  const zoneIds = new Map<string, number>()
  for (const zone of demoZones) {
    const zoneId = await ids.next()
    zoneIds.set(zone, zoneId)
    await tx.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: zone }).execute()
  }
  for (const camera of demoCameras)
    await insertCamera(tx, { ids, encryption, accountId, camera, zoneId: zoneIds.get(camera.zone) })
  const guardId = await ids.next()
  await insertUser(tx, { person: guard, accountId, userId: guardId, resellerId: DEMO_RESELLER_ID })
  const zoneId = zoneIds.get(guard.zone ?? '')
  if (zoneId !== undefined) {
    await tx.insertInto('user_zones').values({ account_id: accountId, user_id: guardId, zone_id: zoneId }).execute()
  }
}

const everyModule = JSON.stringify(Object.fromEntries(allModules.map((module) => [module, true])))

async function insertReseller(
  tx: Tx,
  of: { readonly resellerId: number; readonly distributorId: number; readonly theme: BrandTheme },
): Promise<void> {
  await tx
    .insertInto('resellers')
    .values({
      reseller_id: of.resellerId,
      distributor_id: of.distributorId,
      name: of.theme.companyName,
      theme: JSON.stringify(of.theme),
      modules: everyModule,
      time_zone: localTimeZone(),
    })
    .execute()
  await insertPackages(tx, of.resellerId, demoPackages)
}

async function insertStaff(
  tx: Tx,
  { person, userId, distributorId }: { person: DemoStaff; userId: number; distributorId: number },
): Promise<void> {
  const reseller_id = person.level === 'reseller' ? DEMO_RESELLER_ID : null
  const distributor_id = person.level === 'admin' ? null : distributorId
  await tx
    .insertInto('staff')
    .values({
      user_id: userId,
      level: person.level,
      organisation_id: reseller_id ?? distributor_id ?? PROVIDER_ID,
      distributor_id,
      reseller_id,
      email: person.email,
      email_folded: foldEmail(person.email),
      first_name: person.firstName,
      last_name: person.lastName,
      permissions: person.permissions,
    })
    .execute()
}

const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

interface AccountOf {
  readonly ids: IdSource
  readonly resellerId: number
  readonly name: string
  readonly owner: DemoUser
  readonly sku: string
}

/** An account has the id of its owner (specification §6: accountId equals userId). */
async function insertAccount(tx: Tx, given: AccountOf): Promise<number> {
  const { resellerId } = given
  const accountId = await given.ids.next()
  await tx
    .insertInto('accounts')
    .values({
      account_id: accountId,
      reseller_id: resellerId,
      name: given.name,
      time_zone: localTimeZone(),
      user_self_service_management: true,
    })
    .execute()
  await insertUser(tx, { person: given.owner, accountId, userId: accountId, resellerId })
  await insertSubscription(tx, { accountId, resellerId, sku: given.sku })
  return accountId
}

async function insertUser(
  tx: Tx,
  { person, accountId, userId, resellerId }: UserKey & { person: DemoUser; resellerId: number },
): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      account_id: accountId,
      user_id: userId,
      reseller_id: resellerId,
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
  given: {
    ids: IdSource
    encryption: EnvelopeEncryption
    accountId: number
    camera: DemoCamera
    zoneId: number | undefined
  },
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
      firmware_version: '1.0.0',
      serial: `SIM-${camera.scene}`,
      address: '127.0.0.1',
      // The simulator's real addresses are written at each start (simulated-cameras.ts).
      rtsp_port: 0,
      main_path: '/main',
      sub_path: '/sub',
      // Nobody is recorded: the sound is made.
      microphone: true,
      speaker: true,
      username: 'sightline',
      password_sealed: given.encryption.seal(place, randomBytes(18).toString('base64url')),
    })
    .execute()
}
