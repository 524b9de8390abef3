import {
  type DatabaseConnection,
  type Db,
  type IdSource,
  idSource,
  migrate,
  openDatabase,
  readMigrations,
  startEmbeddedPostgres,
} from '@sightline/platform/db'
import { type EnvelopeEncryption, envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { openDataFolder } from '@sightline/platform/startup'
import { loadSecrets } from '../server/run/compose/secrets.ts'

export interface Installation {
  /** Under the owner's role: full access. */
  readonly db: Db
  /** For connections under other roles. */
  readonly connection: DatabaseConnection
  readonly ids: IdSource
  readonly encryption: EnvelopeEncryption
}

/** A few connections under one of the database's roles. */
export const openRole = (role: 'owner' | 'app', connection: DatabaseConnection): Db =>
  openDatabase({ connection, role, maxConnections: 2, applicationName: 'bench', log: silentLogger })

/** Opens the database of a data folder without a running server, creates it if missing, and closes it afterwards. */
export async function inInstallation<T>(folder: string, work: (installation: Installation) => Promise<T>): Promise<T> {
  await using dataFolder = await openDataFolder(folder)
  const secrets = await loadSecrets(dataFolder)
  await using postgres = await startEmbeddedPostgres({
    dataFolder,
    passwords: secrets.databasePasswords,
    log: silentLogger,
  })
  const { connection } = postgres
  await migrate({ connection, log: silentLogger, migrations: await readMigrations() })
  await using db = openRole('owner', connection)
  return await work({ db, connection, ids: idSource(db), encryption: envelopeEncryption(secrets.installationKey) })
}

/** An account without users, with one zone. */
export async function addAccount(
  { db, ids }: Installation,
  name = 'Bench',
): Promise<{ accountId: number; zoneId: number }> {
  const [distributorId, resellerId, accountId, zoneId] = [
    await ids.next(),
    await ids.next(),
    await ids.next(),
    await ids.next(),
  ]
  await db.plain.insertInto('distributors').values({ distributor_id: distributorId, name }).execute()
  await db.plain
    .insertInto('resellers')
    .values({ reseller_id: resellerId, distributor_id: distributorId, name, theme: '{}' })
    .execute()
  await db.plain
    .insertInto('accounts')
    .values({ account_id: accountId, reseller_id: resellerId, name, time_zone: 'UTC' })
    .execute()
  await db.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name }).execute()
  return { accountId, zoneId }
}

export interface CameraToAdd {
  readonly accountId: number
  readonly zoneId: number
  readonly name: string
  readonly mac: string
  readonly rtspPort: number
  readonly username: string
  readonly password: string
  /** Null: only the main stream is recorded. */
  readonly subPath: string | null
}

/** A MAC address for each camera of an installation. */
export const cameraMac = (index: number): string =>
  `02:53:4c:01:${[index >> 8, index & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`

/** Adds a camera on loopback and returns its id. */
export async function addCamera({ db, ids, encryption: seals }: Installation, camera: CameraToAdd): Promise<number> {
  const { accountId, zoneId, name, mac, rtspPort, username, password, subPath } = camera
  const cameraId = await ids.next()
  const place = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
  await db.plain
    .insertInto('cameras')
    .values({
      account_id: accountId,
      camera_id: cameraId,
      zone_id: zoneId,
      name,
      eth_mac_address: mac,
      brand: 'Sightline',
      model: 'Simulated camera',
      address: '127.0.0.1',
      rtsp_port: rtspPort,
      main_path: '/main',
      sub_path: subPath,
      username,
      password_sealed: seals.seal(place, password),
    })
    .execute()
  return cameraId
}

/** A new installation in a data folder, with an account that has a camera without sub-stream at each port on loopback. */
export const installCameras = (
  dataFolder: string,
  ports: readonly number[],
  credentials: Pick<CameraToAdd, 'username' | 'password'>,
): Promise<void> =>
  inInstallation(dataFolder, async (installation) => {
    const account = await addAccount(installation)
    for (const [index, rtspPort] of ports.entries()) {
      const camera = { name: `Camera ${index}`, mac: cameraMac(index), rtspPort, subPath: null }
      await addCamera(installation, { ...account, ...credentials, ...camera })
    }
  })
