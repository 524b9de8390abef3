import type { PicturePiece } from './picture-viewer.ts'

const BOUNDARY = 'sightline-part'

export const MULTIPART_TYPE = `multipart/x-mixed-replace; boundary=${BOUNDARY}`

const CONTENT_TYPES = { picture: 'image/jpeg', sound: 'audio/basic' } as const

/**
 * One part of a stream (RFC 2046 §5.1), with the boundary after it: browsers show a picture when its part has ended, so they would
 * otherwise be one picture late. The first one has a boundary before it, too.
 */
export function toPart({ kind, bytes, at }: PicturePiece, isFirst: boolean): Uint8Array {
  const lines = [
    ...(isFirst ? [`--${BOUNDARY}`] : []),
    `Content-Type: ${CONTENT_TYPES[kind]}`,
    `Content-Length: ${bytes.length}`,
    `X-Taken-At: ${new Date(at).toISOString()}`,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes, Buffer.from(`\r\n--${BOUNDARY}\r\n`)])
}
