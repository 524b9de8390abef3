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
  const text = query.q?.trim() ?? ''
  return {
    zoneIds: bothOf(query.zoneId, query.zoneIds),
    cameraIds: query.cameraIds,
    online: query.online === undefined ? undefined : query.online === 'true',
    namePattern: text === '' ? undefined : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
  }
}

/** What both filters leave over. */
function bothOf(one: number | undefined, many: readonly number[] | undefined): readonly number[] | undefined {
  if (one === undefined) return many
  return many === undefined || many.includes(one) ? [one] : []
}

/** Whether a picture is wanted as MP4 rather than JPEG; the first of the two that an Accept header names. */
export function snapshotFormat(accept: string | undefined): 'mp4' | 'jpeg' {
  const named = /video\/mp4|image\/(?:jpeg|\*)|\*\/\*/.exec(accept ?? '')
  return named?.[0] === 'video/mp4' ? 'mp4' : 'jpeg'
}
