import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { type Fault, type SimulatedCamera, type SimulatorInput, startCameras } from '../camera-simulator/src/index.ts'
import type { ProductSettings } from './running-product.ts'
import { type RunningWebApp, startWebApp } from './web-app.ts'

/** The Web App with one simulated camera, Gate, that is connected by ONVIF. */
export interface WebAppWithCamera extends AsyncDisposable {
  readonly app: RunningWebApp
  readonly camera: SimulatedCamera
  readonly cameraId: number
}

type Given = Partial<SimulatorInput['cameras'][number]>

/** The camera has `faults` before it is added. */
export async function webAppWithCamera(
  given: Given = {},
  faults: readonly Fault[] = [],
  environment: NonNullable<ProductSettings['environment']> = {},
): Promise<WebAppWithCamera> {
  const login = { username: 'viewer', password: 'right one' }
  const clips = await sceneClips('car-park')
  const settings = { name: 'Gate', mac: '02:00:00:00:00:31', ...login, clips, ...given }
  const simulator = await startCameras({ cameras: [settings] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('the simulator has no camera')
  for (const fault of faults) await camera.fault(fault)
  const app = await startWebApp({ environment })
  const zones = await app.ask<{ zoneId: number; name: string }[]>('GET zones')
  const { cameraId } = await app.ask<{ cameraId: number }>('POST cameras', {
    name: 'Gate',
    zoneId: zones.find(({ name }) => name === 'Outside')?.zoneId,
    address: '127.0.0.1',
    port: camera.address.onvifPort,
    ...login,
  })
  await app.ask(`GET cameras/${cameraId}/additionStatus/poll`)
  return {
    app,
    camera,
    cameraId,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await simulator[Symbol.asyncDispose]()
    },
  }
}
