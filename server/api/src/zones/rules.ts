import type { ApiError } from '@sightline/contract/errors'

/** Why a zone cannot be deleted: only empty ones can, and never the last (specification §4). */
export function deletionFault(zone: {
  readonly cameras: number
  readonly devices: number
  readonly otherZones: number
}): ApiError | undefined {
  if (zone.cameras + zone.devices > 0) {
    return {
      error: 'businessRule',
      detail: `only empty zones can be deleted: this zone has ${zone.cameras} cameras and ${zone.devices} devices`,
    }
  }
  if (zone.otherZones > 0) return undefined
  return { error: 'businessRule', detail: "you can't delete the last zone of an account" }
}
