import { launchSimulator } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { CameraDiscovery } from '@sightline/contract/camera-discovery'
import { startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken } from '../../tests/signed-in.ts'
import type { Bench, BenchResult, Pace } from '../figure.ts'
import { cameraMac } from '../installation.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const ROUNDS: Readonly<Record<Pace, number>> = { full: 10, short: 1 }
const CAMERAS: Readonly<Record<Pace, number>> = { full: 64, short: 8 }
/** Allows for other load on the machine. */
const READY_WITHIN_MS = 120_000
const POLL_MS = 50
const GIVE_UP_MS = 20_000
const GOAL_MS = 5000

/** How long a search takes until all cameras of a network are in its list. */
export const discovery: Bench = {
  name: 'discovery',
  title: 'Discovery',
  run: (pace) => inTemporaryFolder((folder) => measure(folder, pace)),
}

async function measure(dataFolder: string, pace: Pace): Promise<BenchResult> {
  const [rounds, count] = [ROUNDS[pace], CAMERAS[pace]]
  const clips = await sceneClips('car-park')
  await using _ = await launchSimulator({
    discovery: { interfaceAddress: '127.0.0.1' },
    cameras: Array.from({ length: count }, (_, at) => ({
      name: `Camera ${at}`,
      mac: cameraMac(at),
      username: 'viewer',
      password: 'only for the bench',
      clips,
    })),
  })
  const ours = new Set(Array.from({ length: count }, (_, at) => cameraMac(at)))
  await using product = await startProduct({ dataFolder, cameras: false, readyWithinMs: READY_WITHIN_MS })
  const token = await fetchToken(product.origin, 'owner@demo.example')
  const ask = async (request: string, body?: unknown) =>
    (await callApi<CameraDiscovery>(product.origin, token, request, body)).body
  const foundOf = ({ cameras }: CameraDiscovery) =>
    new Set(cameras.map(({ ethMacAddress }) => ethMacAddress).filter((mac) => ours.has(mac))).size
  const times: number[] = []
  const missing: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    let state = await ask('POST cameras/discovery', {})
    while (foundOf(state) < count && state.state === 'running' && performance.now() - startedAt < GIVE_UP_MS) {
      await new Promise((done) => setTimeout(done, POLL_MS))
      state = await ask('GET cameras/discovery')
    }
    times.push(performance.now() - startedAt)
    missing.push(count - foundOf(state))
    while (state.state === 'running') {
      await new Promise((done) => setTimeout(done, POLL_MS))
      state = await ask('GET cameras/discovery')
    }
  }
  return {
    figures: [
      {
        what: `${count} cameras found, 95th percentile`,
        unit: 'ms',
        ours: quantile(times, 0.95),
        target: { is: 'at most', value: GOAL_MS },
      },
      {
        what: 'Cameras that weren’t found, all rounds',
        unit: '',
        ours: missing.reduce((sum, one) => sum + one, 0),
        target: { is: 'at most', value: 0 },
      },
    ],
    remarks: [
      `${rounds} searches by multicast on loopback, median ${Math.round(quantile(times, 0.5))} ms. Simulated cameras answer at once; real ones wait for up to half a second before they answer.`,
    ],
  }
}
