import type { CameraStatus } from '@sightline/contract/cameras'
import { startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken } from '../../tests/signed-in.ts'
import type { Bench, BenchResult, Figure, Pace } from '../figure.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const ROUNDS: Readonly<Record<Pace, number>> = { full: 30, short: 3 }
/** Allows for other load on the machine. */
const READY_WITHIN_MS = 120_000
const POLL_MS = 20
const GIVE_UP_MS = 20_000
const GOAL_MS = 1000

/** How long a change of mode takes until the worker obeys it, as a client sees it. */
export const modes: Bench = {
  name: 'modes',
  title: 'Modes',
  run: (pace) => inTemporaryFolder((folder) => measure(folder, ROUNDS[pace])),
}

async function measure(dataFolder: string, rounds: number): Promise<BenchResult> {
  await using product = await startProduct({ dataFolder, readyWithinMs: READY_WITHIN_MS })
  const token = await fetchToken(product.origin, 'owner@demo.example')
  const ask = async <T>(request: string, body?: unknown): Promise<T> =>
    (await callApi<T>(product.origin, token, request, body)).body
  const zones = await ask<{ zoneId: number; cameraIds: number[] }[]>('GET zones')
  const zone = zones.find(({ cameraIds }) => cameraIds.length > 0)
  const [cameraId] = zone?.cameraIds ?? []
  if (zone === undefined || cameraId === undefined) throw new Error('the demonstration has no camera')
  const isReached = async (ids: readonly number[], wanted: (status: CameraStatus) => boolean) =>
    (await ask<CameraStatus[]>(`GET cameras/all/status?cameraIds=${ids.join(',')}`)).every(wanted)
  const isRecorded = ({ recordingOnCloud }: CameraStatus) => recordingOnCloud
  const until = async (ids: readonly number[], wanted: (status: CameraStatus) => boolean) => {
    const deadline = performance.now() + GIVE_UP_MS
    while (!(await isReached(ids, wanted))) {
      if (performance.now() > deadline) throw new Error('a mode was not obeyed')
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
  }
  /** From the request until the state is the wanted one; and the answer alone. */
  const change = async (path: string, mode: string, ids: readonly number[], wanted: (s: CameraStatus) => boolean) => {
    const startedAt = performance.now()
    await ask(`PATCH ${path}/mode`, { mode })
    const answered = performance.now() - startedAt
    await until(ids, wanted)
    return { answered, obeyed: performance.now() - startedAt }
  }
  const camera = `cameras/${cameraId}`
  const stops: Record<'disarmed' | 'private' | 'zone', number[]> = { disarmed: [], private: [], zone: [] }
  const answers: number[] = []
  await until(zone.cameraIds, isRecorded)
  for (let round = 0; round < rounds; round++) {
    const disarmed = await change(camera, 'disarmed', [cameraId], (status) => !isRecorded(status))
    await change(camera, 'armed', [cameraId], isRecorded)
    const hidden = await change(camera, 'private', [cameraId], ({ online }) => !online)
    await change(camera, 'armed', [cameraId], isRecorded)
    const all = await change(`zones/${zone.zoneId}`, 'disarmed', zone.cameraIds, (status) => !isRecorded(status))
    await change(`zones/${zone.zoneId}`, 'armed', zone.cameraIds, isRecorded)
    stops.disarmed.push(disarmed.obeyed)
    stops.private.push(hidden.obeyed)
    stops.zone.push(all.obeyed)
    answers.push(disarmed.answered, hidden.answered, all.answered)
  }
  const answer = { name: 'the answer to the call', value: quantile(answers, 0.95) }
  const figure = (what: string, values: readonly number[]): Figure => ({
    what,
    unit: 'ms',
    ours: quantile(values, 0.95),
    beside: answer,
    target: { is: 'at most', value: GOAL_MS },
  })
  return {
    figures: [
      figure('Disarmed: recording stops, 95th percentile', stops.disarmed),
      figure('Private: the camera is off, 95th percentile', stops.private),
      figure('A zone disarmed: all its cameras stop, 95th percentile', stops.zone),
    ],
    remarks: [
      `${rounds} rounds with the demonstration's cameras; ${zone.cameraIds.length} in the zone. From sending the request until \`cameras/all/status\` says so, asked every ${POLL_MS} ms.`,
    ],
  }
}
