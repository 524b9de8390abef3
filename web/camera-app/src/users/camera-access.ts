import type { Camera } from '@sightline/contract/cameras'
import type { UserAccess } from '@sightline/contract/sub-users'
import type { Zone } from '@sightline/contract/zones'

/** One switch of a user's access. */
export type AccessChange =
  | { readonly kind: 'all'; readonly on: boolean }
  | { readonly kind: 'zone' | 'camera'; readonly id: number; readonly on: boolean }

const withId = (ids: readonly number[], id: number, on: boolean): number[] =>
  on ? [...ids.filter((one) => one !== id), id] : ids.filter((one) => one !== id)

export function afterChange(access: UserAccess, change: AccessChange): UserAccess {
  if (change.kind === 'all') return { ...access, allCameras: change.on }
  if (change.kind === 'zone') return { ...access, zoneIds: withId(access.zoneIds, change.id, change.on) }
  return { ...access, cameraIds: withId(access.cameraIds, change.id, change.on) }
}

export type PlacedCamera = Pick<Camera, 'cameraId' | 'name' | 'zoneId'>

/** A zone with the cameras that the current user has access to. */
export interface AssignableZone {
  readonly zoneId: number
  readonly name: string
  /** Required to assign the zone. */
  readonly whole: boolean
  readonly cameras: readonly PlacedCamera[]
}

export const assignableZones = (
  zones: readonly Pick<Zone, 'zoneId' | 'name' | 'whole'>[],
  cameras: readonly PlacedCamera[],
): readonly AssignableZone[] =>
  zones.map(({ zoneId, name, whole }) => ({
    zoneId,
    name,
    whole,
    cameras: cameras.filter((camera) => camera.zoneId === zoneId),
  }))
