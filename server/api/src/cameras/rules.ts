import type { Camera, CameraPatch, CameraWarning } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { SnapshotFormat } from '@sightline/contract/media-plane'
import type { Right } from '@sightline/contract/rights'

export interface CameraFilter {
  /** Any of these; undefined means all, and an empty list means none. */
  readonly zoneIds?: readonly number[] | undefined
  readonly cameraIds?: readonly number[] | undefined
  readonly online?: boolean | undefined
  /** For SQL `ilike`. */
  readonly namePattern?: string | undefined
}

/** The filter of a query string. `%`, `_` and `\` in the user's text are literal. */
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

/** For SQL `ilike`: contains that text. Undefined if the text is empty. */
export function toNamePattern(typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? ''
  return text === '' ? undefined : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** The intersection of both filters. */
function bothOf(one: number | undefined, many: readonly number[] | undefined): readonly number[] | undefined {
  if (one === undefined) return many
  return many === undefined || many.includes(one) ? [one] : []
}

/** The coordinates after a patch, which may name them by themselves or as a location. */
export function patchedCoordinates(
  { latitude, longitude, location }: Pick<CameraPatch, 'latitude' | 'longitude' | 'location'>,
  before: Pick<Camera, 'latitude' | 'longitude'>,
): Pick<Camera, 'latitude' | 'longitude'> {
  if (location !== undefined) return location ?? { latitude: null, longitude: null }
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  return { latitude: before.latitude, longitude: before.longitude }
}

interface Keeper {
  readonly rights: Pick<ReadonlySet<Right>, 'has'>
  readonly support?: unknown
}

/** Why a caller can't have footage of a camera kept for so many hours. A shorter time deletes what is older. */
export function retentionFault(
  caller: Keeper,
  { retention, maxRetention }: Pick<Camera, 'retention' | 'maxRetention'>,
  wanted: number,
): ApiError | undefined {
  if (wanted === retention) return undefined
  if (wanted > maxRetention || wanted < 1) {
    const message = `expected hours from 1 to ${maxRetention}, which the account's package allows`
    return { error: 'validation', detail: `retention: ${message}`, fields: [{ field: 'retention', message }] }
  }
  if (wanted > retention) return undefined
  if (caller.support !== undefined)
    return { error: 'notAuthorized', detail: "retention can't be shortened in a support session: it deletes footage" }
  if (caller.rights.has('deleteRecording')) return undefined
  const detail = 'a shorter retention deletes footage, so it needs the right deleteRecording'
  return { error: 'notAuthorized', detail }
}

/** The changeable values of a camera, for the audit log. */
export const toSettings = ({ name, zoneId, timeZone, retention, latitude, longitude }: Camera) => ({
  name,
  zoneId,
  timeZone,
  retention,
  latitude,
  longitude,
})

/**
 * The format of a picture: the first of MP4 and JPEG in the Accept header. If the owner hides video from support, a
 * blurred JPEG; undefined if only MP4 is accepted, which can't be blurred.
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

/**
 * Why this picture isn't available; undefined if it is. Only the latest picture exists, in the size that the camera
 * sends.
 */
export function getSnapshotDenyReason(asked: {
  readonly time?: string | undefined
  readonly resolution?: string | undefined
}): ApiError | undefined {
  const parameter = asked.time === undefined ? 'resolution' : 'time'
  if (asked[parameter] === undefined) return undefined
  const detail = `${parameter} is not supported yet: omit it to get the latest snapshot in the camera's own size`
  return { error: 'mediaNotSupported', detail }
}

interface WarningFacts {
  /** What the media plane and the storage found. */
  readonly warnings: readonly CameraWarning[]
  readonly width: number | null
  readonly height: number | null
  readonly sub_width: number | null
  readonly sub_height: number | null
}

/** What the owner of a camera should change. */
export function cameraWarnings({ warnings, width, height, sub_width, sub_height }: WarningFacts): CameraWarning[] {
  const area = (width ?? 0) * (height ?? 0)
  return area > 0 && (sub_width ?? 0) * (sub_height ?? 0) > area ? ['streamsSwapped', ...warnings] : [...warnings]
}
