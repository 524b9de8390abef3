import { setTimeout as sleep } from 'node:timers/promises'
import type { SimulatorProcess } from '@sightline/camera-simulator/launch'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { callApi } from '../../tests/signed-in.ts'
import { cameraMac } from '../installation.ts'

const PATIENCE_MS = 60_000
const credentials = { username: 'viewer', password: 'only for the bench' }

/** The owner of the demonstration, at a running product. */
export interface Owner {
  readonly origin: string
  readonly token: string
}

type Clip = Awaited<ReturnType<typeof sceneClips>>['main']

/** Adds simulated cameras to the demonstration's account and waits until all cameras are online. */
export async function addSimulatedCameras(
  { origin, token }: Owner,
  { count, main }: { readonly count: number; readonly main?: Clip },
): Promise<{ readonly simulator: SimulatorProcess; readonly cameraIds: readonly number[] }> {
  const scene = await sceneClips('car-park')
  const clips = main === undefined ? scene : { ...scene, main }
  const simulator = await launchSimulator({
    cameras: Array.from({ length: count }, (_, at) => ({
      name: `Camera ${at}`,
      mac: cameraMac(at),
      ...credentials,
      clips,
    })),
  })
  const { body: zones } = await callApi<{ zoneId: number }[]>(origin, token, 'GET zones')
  const cameraIds: number[] = []
  for (const { onvifPort: port } of simulator.cameras) {
    const body = { name: `Bench ${port}`, zoneId: zones[0]?.zoneId, address: '127.0.0.1', port, ...credentials }
    const added = await callApi<{ cameraId: number }>(origin, token, 'POST cameras', body)
    if (added.status >= 400) throw new Error(`a camera wasn't taken: ${JSON.stringify(added.body)}`)
    cameraIds.push(added.body.cameraId)
  }
  await untilOnline({ origin, token })
  return { simulator, cameraIds }
}

/** Waits until all cameras of the account are online. */
export async function untilOnline({ origin, token }: Owner): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await callApi<{ online: boolean }[]>(origin, token, 'GET cameras/all/status')
    if (body.every(({ online }) => online)) return
    if (Date.now() > deadline) throw new Error('the cameras of the demonstration did not come online')
    await sleep(200)
  }
}
