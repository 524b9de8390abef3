import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import type { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { sql } from 'kysely'
import { type RunningProduct, startProduct } from '../tests/running-product.ts'
import { callApi, fetchToken } from '../tests/signed-in.ts'
import { addCamera, cameraMac, inInstallation } from './installation.ts'

/** Those of the demonstration, which are replaced. */
const DEMO_CAMERAS = 4
const PATIENCE_MS = 120_000
const OWNER = 'owner@demo.example'
const credentials = { username: 'bench', password: 'bench-only' }

type SceneClips = Awaited<ReturnType<typeof sceneClips>>

export interface SimulatedInstallation extends AsyncDisposable {
  readonly product: RunningProduct
  /** Of the owner, who has all cameras. */
  readonly token: string
  /** Sorted by name; only those that are online. */
  readonly cameraIds: readonly number[]
}

/**
 * A running product whose demonstration has a simulated camera for each of these clips instead of its own, all online. `subPath` is the
 * path of their sub-stream; without it they have none.
 */
export async function startWithCameras(
  dataFolder: string,
  given: {
    readonly clips: readonly Pick<SceneClips, 'main' | 'sub'>[]
    readonly subPath?: string
  },
): Promise<SimulatedInstallation> {
  await using opened = new AsyncDisposableStack()
  const cameras = given.clips.map((clips, at) => ({
    name: `Camera ${at}`,
    mac: cameraMac(at),
    ...credentials,
    clips,
  }))
  const simulator = opened.use(await launchSimulator({ cameras }))
  const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
  await install(dataFolder, { ports, subPath: given.subPath ?? null })
  const environment = { SIGHTLINE_CALLS_PER_SECOND: '0', SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8' }
  const product = opened.use(await startProduct({ dataFolder, cameras: false, environment }))
  const token = await fetchToken(product.origin, OWNER)
  const cameraIds = await untilOnline({ origin: product.origin, token, count: ports.length })
  const running = opened.move()
  return { product, token, cameraIds, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function install(
  dataFolder: string,
  { ports, subPath }: { readonly ports: readonly number[]; readonly subPath: string | null },
): Promise<void> {
  await using first = await startProduct({ dataFolder, cameras: false })
  await first.stop()
  await inInstallation(dataFolder, async (installation) => {
    const { db } = installation
    const known = await db.plain.selectFrom('cameras').select(['account_id', 'zone_id']).executeTakeFirstOrThrow()
    await db.plain
      .updateTable('accounts')
      .set({ max_cameras: ports.length + DEMO_CAMERAS })
      .execute()
    // The list is sorted by name.
    await db.plain.updateTable('cameras').set({ name: sql<string>`'Old ' || name` }).execute()
    for (const [at, rtspPort] of ports.entries()) {
      const name = `Camera ${String(at).padStart(3, '0')}`
      const place = { accountId: known.account_id, zoneId: known.zone_id }
      await addCamera(installation, { ...place, ...credentials, name, mac: cameraMac(at), rtspPort, subPath })
    }
  })
}

/** Waits until that many cameras are online; the demonstration's own are not. */
async function untilOnline(given: { origin: string; token: string; count: number }): Promise<readonly number[]> {
  const { origin, token, count } = given
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await callApi<{ cameraId: number; online: boolean }[]>(origin, token, 'GET cameras/all/status')
    const online = new Set(body.filter((status) => status.online).map(({ cameraId }) => cameraId))
    if (online.size >= count) {
      const list = await callApi<{ cameraId: number }[]>(origin, token, 'GET cameras')
      return list.body.map(({ cameraId }) => cameraId).filter((cameraId) => online.has(cameraId))
    }
    if (Date.now() > deadline) throw new Error(`only ${online.size} of ${count} cameras came online`)
    await sleep(500)
  }
}
