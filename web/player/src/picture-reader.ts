/** A picture of a `multipart/x-mixed-replace` stream of the server. */
export interface PicturePart {
  readonly jpeg: Uint8Array<ArrayBuffer>
  /** When it was taken, milliseconds since 1970; undefined if the stream doesn't say. */
  readonly wallclock: number | undefined
}

/** More than any picture of the server has; a stream with a larger part isn't one. */
const MAX_PART_BYTES = 8 * 1024 * 1024
const MAX_HEAD_BYTES = 4096
const HEAD_END = [0x0d, 0x0a, 0x0d, 0x0a]

/** Finds the pictures in the bytes of a stream (RFC 2046 §5.1) whose parts say how long they are. Parts of other types are left out. */
export class PictureReader {
  #held: Uint8Array<ArrayBuffer> = new Uint8Array(0)

  /** The pictures that are complete with these bytes. Throws if the bytes aren't such a stream. */
  push(bytes: Uint8Array): readonly PicturePart[] {
    const joined = new Uint8Array(this.#held.length + bytes.length)
    joined.set(this.#held)
    joined.set(bytes, this.#held.length)
    const parts: PicturePart[] = []
    let at = 0
    for (;;) {
      const body = endOfHead(joined, at)
      if (body === -1) break
      const head = new TextDecoder().decode(joined.subarray(at, body))
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (!(length <= MAX_PART_BYTES)) throw new Error('a part does not say its length, or is too long')
      if (joined.length < body + length) break
      if (/content-type: *image\/jpeg/i.test(head)) parts.push(toPart(head, joined.slice(body, body + length)))
      at = body + length
    }
    this.#held = joined.slice(at)
    if (this.#held.length > MAX_PART_BYTES + MAX_HEAD_BYTES) throw new Error('a part has no end')
    return parts
  }
}

function toPart(head: string, jpeg: Uint8Array<ArrayBuffer>): PicturePart {
  const wallclock = Date.parse(/x-taken-at: *(\S+)/i.exec(head)?.[1] ?? '')
  return { jpeg, wallclock: Number.isNaN(wallclock) ? undefined : wallclock }
}

/** Where the body of a part begins; -1 if its head isn't complete. Throws if a head is longer than any. */
function endOfHead(bytes: Uint8Array, from: number): number {
  const till = Math.min(bytes.length, from + MAX_HEAD_BYTES)
  for (let at = bytes.indexOf(0x0d, from); at !== -1 && at + 4 <= till; at = bytes.indexOf(0x0d, at + 1))
    if (HEAD_END.every((byte, index) => bytes[at + index] === byte)) return at + 4
  if (bytes.length - from > MAX_HEAD_BYTES) throw new Error('a part has no head')
  return -1
}
