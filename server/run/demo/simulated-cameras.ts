import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraClips } from '@sightline/camera-simulator'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Logger } from '@sightline/platform/log'
import { delay } from '../compose/child-process.ts'
import { demoCameras } from './demo-data.ts'
import { DEMO_RESELLER_ID } from './demo-people.ts'

/** 0: any free one. */
interface CameraPorts {
  readonly rtspPort: number
  readonly onvifPort: number
}

interface StoredCamera {
  readonly accountId: number
  readonly cameraId: number
  readonly name: string
  readonly mac: string
  readonly ports: CameraPorts
  readonly username: string
  readonly password: string
  readonly timeZone: string
}

/**
 * Starts the demo's cameras: real RTSP and ONVIF on loopback. Each requests its previous ports, or takes free ones;
 * their addresses are written to the database before the media plane reads it. Without a camera nothing is started. Cameras that die restart at the same
 * ports. `db` is needed only until this resolves.
 */
export async function startSimulatedCameras(given: {
  db: Db
  encryption: EnvelopeEncryption
  log: Logger
  /** Aborted as soon as everything is to stop. */
  signal: AbortSignal
  /** A simulator that waits for its cameras. */
  prepared: ChildProcess | undefined
}): Promise<AsyncDisposable> {
  const rows = await loadStored(given.db, given.encryption)
  if (rows.length === 0) {
    // All were removed, and the simulator doesn't run without a camera.
    given.prepared?.kill('SIGKILL')
    return { [Symbol.asyncDispose]: async () => undefined }
  }
  const stored = await Promise.all(rows.map(async (camera) => ({ ...camera, clips: await clipsOf(camera.mac) })))
  const start = (ports: readonly CameraPorts[], prepared?: ChildProcess) =>
    launchSimulator(
      {
        cameras: stored.map((camera, index) => ({
          name: camera.name,
          mac: camera.mac,
          ...(ports[index] ?? { rtspPort: 0, onvifPort: 0 }),
          username: camera.username,
          password: camera.password,
          timeZone: camera.timeZone,
          clips: camera.clips,
          backChannel: 'PCMU',
          // One of them turns.
          ptz: camera.mac === demoCameras[0].mac,
          ...(camera.mac === demoCameras[0].mac ? { card: {} } : {}),
        })),
        discovery: { interfaceAddress: '127.0.0.1' },
      },
      prepared,
    )
  // Another program may have taken a port meanwhile.
  const before = stored.map((camera) => camera.ports)
  const simulator = await start(before, given.prepared).catch(() => start([]))
  const ports = simulator.cameras.map(({ rtspPort, onvifPort }) => ({ rtspPort, onvifPort }))
  for (const [index, camera] of stored.entries()) {
    const now = ports[index]
    const isSame = now?.rtspPort === camera.ports.rtspPort && now.onvifPort === camera.ports.onvifPort
    if (now !== undefined && !isSame) await savePorts(given.db, camera, now)
  }
  return keepRunning(simulator, { start: () => start(ports), log: given.log, signal: given.signal })
}

/** Long enough for viewers to be shown that a camera is away, short enough not to be waited for. */
const RESTART_PAUSE_MS = 1000

/** `signal` announces a general stop: after it, deaths aren't logged. */
function keepRunning(
  first: SimulatorProcess,
  { start, log, signal }: { start: () => Promise<SimulatorProcess>; log: Logger; signal: AbortSignal },
): AsyncDisposable {
  const disposed = new AbortController()
  const stopping = AbortSignal.any([signal, disposed.signal])
  let current = first
  const again = async (): Promise<SimulatorProcess | undefined> => {
    while (!stopping.aborted) {
      await sleep(RESTART_PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined)
      if (stopping.aborted) return undefined
      try {
        return await start()
      } catch (err) {
        log.error({ err }, 'the simulated cameras did not start')
      }
    }
    return undefined
  }
  const keep = async () => {
    for (;;) {
      const code = await current.ended
      await delay(stopping)
      if (stopping.aborted) return
      log.error({ code }, 'the simulated cameras stopped unexpectedly; restarting them')
      const next = await again()
      if (next === undefined) return
      current = next
      if (stopping.aborted) await current.stop()
    }
  }
  const keeping = keep()
  return {
    async [Symbol.asyncDispose]() {
      disposed.abort()
      await current.stop()
      await keeping
    },
  }
}

const clipsOf = (mac: string): Promise<CameraClips> =>
  sceneClips(demoCameras.find((camera) => camera.mac === mac)?.scene ?? 'car-park')

async function loadStored(db: Db, encryption: EnvelopeEncryption): Promise<StoredCamera[]> {
  const rows = await db.plain
    .selectFrom('cameras')
    .innerJoin('accounts', 'accounts.account_id', 'cameras.account_id')
    .select(['cameras.account_id', 'camera_id', 'cameras.name', 'eth_mac_address', 'username'])
    .select(['rtsp_port', 'onvif_port', 'password_sealed', 'accounts.time_zone'])
    .where('accounts.reseller_id', '=', DEMO_RESELLER_ID)
    .where(
      'eth_mac_address',
      'in',
      demoCameras.map(({ mac }) => mac),
    )
    .orderBy('eth_mac_address')
    .execute()
  return rows.map((row) => {
    const place = { accountId: row.account_id, table: 'cameras', row: row.camera_id, column: 'password_sealed' }
    return {
      accountId: row.account_id,
      cameraId: row.camera_id,
      name: row.name,
      mac: row.eth_mac_address,
      ports: { rtspPort: row.rtsp_port, onvifPort: row.onvif_port ?? 0 },
      username: row.username ?? '',
      password: row.password_sealed === null ? '' : encryption.open(place, row.password_sealed),
      timeZone: row.time_zone,
    }
  })
}

async function savePorts(db: Db, camera: StoredCamera, { rtspPort, onvifPort }: CameraPorts): Promise<void> {
  await db.plain
    .updateTable('cameras')
    .set({ rtsp_port: rtspPort, onvif_port: onvifPort })
    .where('account_id', '=', camera.accountId)
    .where('camera_id', '=', camera.cameraId)
    .execute()
}
