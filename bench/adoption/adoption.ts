import { launchSimulator } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { AddedCamera } from '@sightline/contract/camera-additions'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { openProductDatabase } from '../../tests/chaos/product-database.ts'
import { startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken } from '../../tests/signed-in.ts'
import type { Bench, BenchResult, Pace } from '../figure.ts'
import { cameraMac } from '../installation.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const SINGLE: Readonly<Record<Pace, number>> = { full: 20, short: 2 }
const AT_ONCE: Readonly<Record<Pace, number>> = { full: 50, short: 4 }
/** Allows for other load on the machine. */
const READY_WITHIN_MS = 120_000
const POLL_MS = 100
const GIVE_UP_MS = 180_000
const SINGLE_GOAL_MS = 8000
const AT_ONCE_GOAL_MS = 60_000
const credentials = { username: 'viewer', password: 'only for the bench' }

/** How long a camera takes from the request until its footage is on the disk. */
export const adoption: Bench = {
  name: 'adoption',
  title: 'Adoption',
  run: (pace) => inTemporaryFolder((folder) => measure(folder, pace)),
}

/** Its own cameras, which don't run here, take slots too. */
const DEMO_CAMERAS = 4

/** The demonstration's account has slots for ten cameras. */
async function openSlots(dataFolder: string, count: number): Promise<void> {
  await using db = openProductDatabase(dataFolder)
  await db.plain.updateTable('accounts').set({ max_cameras: count }).execute()
}

/** @throws if it never will be. */
function isAdded({ additionStatus, additionSubStatus }: CameraStatus): boolean {
  if (additionStatus === 'failure') throw new Error(`a camera wasn't added: ${additionSubStatus}`)
  return additionStatus === 'added'
}

async function measure(dataFolder: string, pace: Pace): Promise<BenchResult> {
  const [single, atOnce] = [SINGLE[pace], AT_ONCE[pace]]
  const clips = await sceneClips('car-park')
  await using simulator = await launchSimulator({
    cameras: Array.from({ length: single + atOnce }, (_, at) => ({
      name: `Camera ${at}`,
      mac: cameraMac(at),
      ...credentials,
      clips,
    })),
  })
  await using product = await startProduct({ dataFolder, cameras: false, readyWithinMs: READY_WITHIN_MS })
  const token = await fetchToken(product.origin, 'owner@demo.example')
  const ask = async <T>(request: string, body?: unknown): Promise<T> =>
    (await callApi<T>(product.origin, token, request, body)).body
  await openSlots(dataFolder, DEMO_CAMERAS + single + atOnce)
  const [zone] = await ask<{ zoneId: number }[]>('GET zones')
  if (zone === undefined) throw new Error('the demonstration has no zone')
  const bodyOf = (at: number) => ({
    name: `Camera ${at}`,
    address: '127.0.0.1',
    port: simulator.cameras[at]?.onvifPort,
    ...credentials,
  })
  /** Milliseconds from `startedAt` until each is added, in the order in which they are. */
  const whenAdded = async (cameraIds: readonly number[], startedAt: number): Promise<number[]> => {
    const waiting = new Set(cameraIds)
    const times: number[] = []
    while (waiting.size > 0) {
      const statuses = await ask<CameraStatus[]>('GET cameras/all/status')
      const added = statuses.filter((status) => waiting.has(status.cameraId) && isAdded(status))
      for (const { cameraId } of added) waiting.delete(cameraId)
      times.push(...added.map(() => performance.now() - startedAt))
      if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`${waiting.size} cameras weren't added in time`)
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
    return times
  }
  const alone: number[] = []
  for (let at = 0; at < single; at++) {
    const startedAt = performance.now()
    const { cameraId, ...refusal } = await ask<Camera>('POST cameras', { zoneId: zone.zoneId, ...bodyOf(at) })
    if (cameraId === undefined) throw new Error(`a camera wasn't taken: ${JSON.stringify(refusal)}`)
    alone.push(...(await whenAdded([cameraId], startedAt)))
  }
  const startedAt = performance.now()
  const cameras = Array.from({ length: atOnce }, (_, at) => bodyOf(single + at))
  const rows = await ask<AddedCamera[]>('POST cameras/batch', { zoneId: zone.zoneId, cameras })
  const ids = rows.flatMap(({ camera }) => (camera === null ? [] : [camera.cameraId]))
  if (ids.length !== atOnce) throw new Error(`only ${ids.length} of ${atOnce} additions began`)
  const together = await whenAdded(ids, startedAt)
  return {
    figures: [
      {
        what: 'One camera, until it is recorded, 95th percentile',
        unit: 'ms',
        ours: quantile(alone, 0.95),
        target: { is: 'at most', value: SINGLE_GOAL_MS },
      },
      {
        what: `${atOnce} cameras with one call, until the last is recorded`,
        unit: 'ms',
        ours: Math.max(...together),
        target: { is: 'at most', value: AT_ONCE_GOAL_MS },
      },
    ],
    remarks: [
      `${single} cameras one after the other, median ${Math.round(quantile(alone, 0.5))} ms; of ${atOnce} at once, half were recorded after ${Math.round(quantile(together, 0.5))} ms. Simulated cameras of 1080p on loopback, found by ONVIF; the state is asked every ${POLL_MS} ms.`,
    ],
  }
}
