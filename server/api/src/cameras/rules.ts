export interface CameraFilter {
  readonly zoneId?: number | undefined
  readonly online?: boolean | undefined
  /** For SQL `ilike`. */
  readonly namePattern?: string | undefined
}

/** The filter that a query string asks for. What people type is text, so `%`, `_` and `\` stand for themselves. */
export function toFilter(query: {
  zoneId?: number | undefined
  online?: 'true' | 'false' | undefined
  q?: string | undefined
}): CameraFilter {
  const text = query.q?.trim() ?? ''
  return {
    zoneId: query.zoneId,
    online: query.online === undefined ? undefined : query.online === 'true',
    namePattern: text === '' ? undefined : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
  }
}

/** Whether a picture is wanted as MP4 rather than JPEG; the first of the two that an Accept header names. */
export function snapshotFormat(accept: string | undefined): 'mp4' | 'jpeg' {
  const named = /video\/mp4|image\/(?:jpeg|\*)|\*\/\*/.exec(accept ?? '')
  return named?.[0] === 'video/mp4' ? 'mp4' : 'jpeg'
}
