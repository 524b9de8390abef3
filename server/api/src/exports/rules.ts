import type { ApiError } from '@sightline/contract/errors'
import {
  isDerived,
  MAX_EXPORT_BYTES,
  MAX_EXPORT_HOURS,
  MAX_EXPORTS,
  MAX_WAITING_EXPORTS,
  type newExport,
} from '@sightline/contract/exports'
import type { Right } from '@sightline/contract/rights'
import type * as z from 'zod/mini'

/** Tolerance for client clocks that differ from ours. */
const AHEAD_MS = 60_000
const GIB = 1024 ** 3

const invalid = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `${field} ${message}`,
  fields: [{ field, message }],
})

/** Exporting footage also requires the right to play it. */
export function getExportDenyReason(rights: ReadonlySet<Right>): ApiError | undefined {
  for (const right of ['export', 'playback'] as const)
    if (!rights.has(right)) return { error: 'notAuthorized', detail: `exports need the right ${right}` }
  return undefined
}

export const noLogo: ApiError = {
  error: 'mediaNotSupported',
  detail: 'the brand has no logo as PNG: the dealer can upload one as PNG or JPEG',
}

/** Why the requested export isn't possible. */
export function findExportFault(
  { cameraIds, from, till, format, password, overlay, watermark, logo, speed }: z.output<typeof newExport>,
  { now, encodesPictures }: { readonly now: number; readonly encodesPictures: boolean },
): ApiError | undefined {
  if (till <= from) return invalid('till', 'must be later than from')
  if (till - from > MAX_EXPORT_HOURS * 3_600_000)
    return invalid('till', `must be at most ${MAX_EXPORT_HOURS} hours after from`)
  if (till > now + AHEAD_MS) return invalid('till', 'must not be in the future')
  if (format === 'mp4' && cameraIds.length > 1) return invalid('format', 'must be zip for several cameras')
  if (format === 'mp4' && password !== undefined) return invalid('password', 'is for the format zip only')
  if (isDerived({ overlay, watermark, logo, speed }) && !encodesPictures)
    return {
      error: 'mediaNotSupported',
      detail: 'overlay, watermark, logo and speed need ffmpeg with x264, libass and a font on the server',
    }
  return undefined
}

/** What the account already uses. */
export interface ExportUsage {
  /** Exports that are queued or in progress. */
  readonly waiting: number
  /** Exports with a file, and those in progress. */
  readonly kept: number
  /** Size of their files; estimated until known. */
  readonly bytes: number
}

/** Why an account can't have another export. */
export function findQuotaFault({ waiting, kept, bytes }: ExportUsage, estimatedBytes: number): ApiError | undefined {
  const full = (detail: string): ApiError => ({ error: 'businessRule', detail })
  if (waiting >= MAX_WAITING_EXPORTS)
    return full(`${MAX_WAITING_EXPORTS} exports are waiting or in progress: try again when one is done, or cancel one`)
  if (kept >= MAX_EXPORTS) return full(`the account has ${MAX_EXPORTS} exports: delete one first`)
  if (bytes + estimatedBytes <= MAX_EXPORT_BYTES) return undefined
  const left = Math.max(0, Math.floor((MAX_EXPORT_BYTES - bytes) / GIB))
  return full(
    `exports of an account have at most ${MAX_EXPORT_BYTES / GIB} GiB, of which ${left} GiB are left: delete one first`,
  )
}
