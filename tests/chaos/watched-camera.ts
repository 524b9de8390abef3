import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { type EnvelopeEncryption, envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { type SimulatedCamera, type SimulatorInput, startCameras } from '../../camera-simulator/src/index.ts'
import { type TestApi, testApi } from '../../server/api/src/api-testing.ts'
import {
  keyService,
  type MediaWorker,
  type MediaWorkerDeps,
  type MotionOptions,
  openMediaWorker,
} from '../../server/media/src/control/index.ts'

/** One account's simulated camera, the API and a media worker, all in this process with one database. */
export interface WatchedCamera extends AsyncDisposable {
  readonly database: TestDatabase
  readonly api: TestApi
  readonly camera: SimulatedCamera
  readonly cameraId: number
  /** The account owner's token. */
  readonly token: string
  readonly encryption: EnvelopeEncryption
  /** Folder of all footage. */
  readonly store: string
  /** `different` from what a worker is by default. */
  openWorker(different?: Partial<MediaWorkerDeps>): Promise<MediaWorker>
  /** Saves the camera's credentials, as its owner does. */
  saveCredentials(): Promise<void>
  /** Another camera of the account, which shows the same. */
  addCamera(name: string): Promise<number>
}

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const login = { username: 'admin', password: 'secret' }
const clips = {
  main: { path: clip('main.h264'), framesPerSecond: 25 },
  sub: { path: clip('sub.h264'), framesPerSecond: 10 },
}

export interface WatchedCameraOptions {
  /** The owner's. */
  readonly email?: string
  /** What the camera shows. */
  readonly clips?: typeof clips
  /** Of its second stream; without it, only the main stream is used. */
  readonly subPath?: string
  readonly motion?: MotionOptions
  /** Its loudspeaker. */
  readonly backChannel?: SimulatorInput['cameras'][number]['backChannel']
  /** Whether it turns and zooms. */
  readonly ptz?: boolean
  /** Its relay outputs and digital inputs. */
  readonly io?: SimulatorInput['cameras'][number]['io']
  /** Wi-Fi networks in its reach. */
  readonly wifi?: SimulatorInput['cameras'][number]['wifi']
  /** How its network is set. */
  readonly network?: SimulatorInput['cameras'][number]['network']
  /** How its user is changed. */
  readonly users?: SimulatorInput['cameras'][number]['users']
  /** What the API asks of media workers. */
  readonly media?: Partial<MediaPlane>
}

function settingsOf({
  clips: shown = clips,
  backChannel = 'none',
  ptz = false,
  io,
  wifi,
  network,
  users,
}: WatchedCameraOptions) {
  return { name: 'Door', mac: '00:1b:44:11:3a:b7', ...login, clips: shown, backChannel, ptz, io, wifi, network, users }
}

export async function watchedCamera(options: WatchedCameraOptions = {}): Promise<WatchedCamera> {
  const database = await testDatabase()
  const api = await testApi({ open: async () => database, media: options.media ?? {} })
  const store = await mkdtemp(join(tmpdir(), 'sightline-watched-'))
  const simulator = await startCameras({ cameras: [settingsOf(options)] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('the simulator has no camera')
  const { accountId, zoneId, token } = await api.addAccount(options.email === undefined ? {} : { email: options.email })
  const seals = envelopeEncryption(Buffer.alloc(32, 7))
  const connection = {
    address: '127.0.0.1',
    rtsp_port: camera.address.rtspPort,
    sub_path: options.subPath ?? null,
    username: login.username,
  }
  const saveCredentialsOf = async (row: number): Promise<number> => {
    const column = { accountId, table: 'cameras', row, column: 'password_sealed' }
    await api.owner.plain
      .updateTable('cameras')
      .set({ ...connection, password_sealed: seals.seal(column, login.password) })
      .where('camera_id', '=', row)
      .execute()
    return row
  }
  const addCamera = async (name: string) => saveCredentialsOf(await api.addCamera(accountId, zoneId, name))
  const cameraId = await addCamera('Front door')
  return {
    database,
    api,
    camera,
    cameraId,
    token,
    encryption: seals,
    saveCredentials: async () => void (await saveCredentialsOf(cameraId)),
    addCamera,
    store,
    openWorker: (different = {}) =>
      openMediaWorker({
        workerId: 'worker',
        peers: [],
        db: database.db('media'),
        leaseDb: database.db('media'),
        ids: idSource(database.db('media')),
        keyService: keyService({ db: database.db('media'), kek: new Uint8Array(32), encryption: seals }),
        encryptsFootage: true,
        store,
        storeLimitBytes: undefined,
        s3: undefined,
        memoryBytes: 1e9,
        legalFolder: store,
        cameraNetworks: ['127.0.0.0/8'],
        decoder: undefined,
        motion: options.motion,
        streamLimits: { perPerson: undefined, perAccount: undefined },
        socketPath: undefined,
        log: silentLogger,
        now: Date.now,
        ...different,
      }),
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
      await rm(store, { recursive: true, force: true })
    },
  }
}
