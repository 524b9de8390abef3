import type { Camera, CameraPatch } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { SnapshotFormat } from '@sightline/contract/media-plane'

export interface CameraFilter {
  /** Any of them; undefined is all, and none of them is none. */
  readonly zoneIds?: readonly number[] | undefined
  readonly cameraIds?: readonly number[] | undefined
  readonly online?: boolean | undefined
  /** For SQL `ilike`. */
  readonly namePattern?: string | undefined
}

/** The filter that a query string asks for. What people type is text, so `%`, `_` and `\` stand for themselves. */
export function toFilter(query: {
  zoneId?: number | undefined
  zoneIds?: readonly number[] | undefined
  cameraIds?: readonly number[] | undefined
  online?: 'true' | 'false' | undefined
  q?: string | undefined
}): CameraFilter {
  return {
    zoneIds: bothOf(query.zoneId, query.zoneIds),
    cameraIds: query.cameraIds,
    online: query.online === undefined ? undefined : query.online === 'true',
    namePattern: toNamePattern(query.q),
  }
}

/** For SQL `ilike`: what holds that text. Undefined where nothing was typed. */
export function toNamePattern(typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? ''
  return text === '' ? undefined : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** What both filters leave over. */
function bothOf(one: number | undefined, many: readonly number[] | undefined): readonly number[] | undefined {
  if (one === undefined) return many
  return many === undefined || many.includes(one) ? [one] : []
}

/** Why a patch cannot be made on this server; what it leaves as it is passes. Never a 200 for what was not changed. */
export function unsupportedChange(
  patch: Pick<CameraPatch, 'retention' | 'latitude' | 'longitude' | 'location'>,
  { retention }: Pick<Camera, 'retention'>,
): ApiError | undefined {
  if (patch.retention !== undefined && patch.retention !== retention) {
    const detail = `retention: the subscription decides how long recordings are kept, ${retention} hours for this camera`
    return { error: 'mediaNotSupported', detail }
  }
  const { latitude = null, longitude = null, location = null } = patch
  if (latitude === null && longitude === null && location === null) return undefined
  return {
    error: 'mediaNotSupported',
    detail: 'latitude, longitude: this server keeps the location of zones, not of cameras',
  }
}

/** What of a camera can be changed, for the audit log. */
export const toSettings = ({ name, zoneId, timeZone }: Camera) => ({ name, zoneId, timeZone })

/**
 * How a picture is wanted: the first of MP4 and JPEG that an Accept header names. Where the owner has hidden video from
 * support it is a blurred JPEG, and undefined where only the MP4 would do, which cannot be blurred.
 */
export function snapshotFormat(
  accept: string | undefined,
  video: 'shown' | 'hidden' | undefined,
): SnapshotFormat | undefined {
  const named = accept?.match(/video\/mp4|image\/(?:jpeg|\*)|\*\/\*/g) ?? ['*/*']
  const format = named[0] === 'video/mp4' ? 'mp4' : 'jpeg'
  if (video !== 'hidden') return format
  return named.some((type) => type !== 'video/mp4') ? 'blurredJpeg' : undefined
}

/** Why there is no such picture, or undefined: only the newest one is there, in the size that the camera sends. */
export function getSnapshotDenyReason(asked: {
  readonly time?: string | undefined
  readonly resolution?: string | undefined
}): ApiError | undefined {
  const parameter = asked.time === undefined ? 'resolution' : 'time'
  if (asked[parameter] === undefined) return undefined
  const detail = `${parameter} is not supported yet: leave it out to get the newest picture in the camera's own size`
  return { error: 'mediaNotSupported', detail }
}
