import type { ChannelKeeperDeps } from './channel-keeper.ts'
import type { Handovers } from './handovers.ts'
import { type CameraToServe, endHandovers, isUnidentified, loadCameras } from './store.ts'

export interface ListedCameras {
  readonly wanted: ReadonlyMap<number, CameraToServe>
  /** Private ones: nothing of them is fetched, so nothing can be stored or shown. */
  readonly hidden: ReadonlySet<number>
  /** Those that another worker serves now. */
  readonly moved: ReadonlySet<number>
}

export function listCameras(
  cameras: readonly CameraToServe[],
  moved: ListedCameras['moved'] = new Set(),
): ListedCameras {
  const identified = cameras.filter((camera) => !isUnidentified(camera))
  const isPrivate = ({ mode }: CameraToServe) => mode === 'private'
  return {
    wanted: new Map(identified.filter((camera) => !isPrivate(camera)).map((camera) => [camera.cameraId, camera])),
    hidden: new Set(identified.filter(isPrivate).map(({ cameraId }) => cameraId)),
    moved,
  }
}

interface ServedNow {
  /** This worker's own, and those that it serves until the worker that is to have them is ready. */
  readonly cameras: readonly CameraToServe[]
  readonly moved: ListedCameras['moved']
}

/** With the networks that they can be in. */
export async function loadServedCameras(
  { db, networks, owns, introduce }: Pick<ChannelKeeperDeps, 'db' | 'networks' | 'owns' | 'introduce'>,
  handovers: Handovers,
  isOnline: (cameraId: number) => boolean,
): Promise<ServedNow> {
  await introduce()
  await networks.refresh()
  await endHandovers(db)
  const cameras = await loadCameras(db)
  const isOwn = ({ cameraId, machines }: CameraToServe) => owns(cameraId, machines)
  const left = cameras.filter((camera) => !isOwn(camera) && isOnline(camera.cameraId))
  await handovers.keep(new Set(left.map(({ cameraId }) => cameraId)))
  return {
    cameras: cameras.filter((camera) => isOwn(camera) || left.includes(camera)),
    moved: new Set(cameras.filter((camera) => !isOwn(camera)).map(({ cameraId }) => cameraId)),
  }
}
