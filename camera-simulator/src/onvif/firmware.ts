import type { IncomingMessage } from 'node:http'

/** Of an image. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024

/** How an image of a simulated camera begins: what it is for, and its version. */
const HEAD = /^SIGHTLINE-FIRMWARE ([^\n]{1,64})\n([^\n]{1,64})\n/

/** An image for a simulated camera of that model; `bytes` is its whole size. */
export function simulatedFirmware(model: string, version: string, bytes = 65_536): Buffer {
  const image = Buffer.alloc(bytes, 0x5a)
  image.write(`SIGHTLINE-FIRMWARE ${model}\n${version}\n`)
  return image
}

/** The version that an image has; undefined if it isn't one for this model. */
export function firmwareVersion(image: Buffer, model: string): string | undefined {
  const [, target, version] = HEAD.exec(image.subarray(0, 256).toString('latin1')) ?? []
  return target === model ? version : undefined
}

/** Reads an upload; undefined if it is larger than an image can be. `isCutOff`: the connection is reset in the middle. */
export async function readImage(request: IncomingMessage, isCutOff: boolean): Promise<Buffer | undefined> {
  const half = Number(request.headers['content-length'] ?? 0) / 2
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return undefined
    bytes += chunk.length
    if (bytes > MAX_IMAGE_BYTES) return undefined
    if (isCutOff && bytes >= half) request.socket.resetAndDestroy()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A message with an image attached (MTOM): the envelope, and the bytes of the last part. */
export async function readAttachedImage(
  request: IncomingMessage,
  isCutOff: boolean,
): Promise<{ readonly message: string; readonly image: Buffer }> {
  const boundary = /boundary="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  const whole = (await readImage(request, isCutOff)) ?? Buffer.alloc(0)
  const [message = Buffer.alloc(0), image = Buffer.alloc(0)] = partsOf(whole, `--${boundary}`)
  return { message: message.toString('utf8'), image }
}

const BLANK_LINE = '\r\n\r\n'

function partsOf(whole: Buffer, mark: string): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let at = whole.indexOf(mark); at !== -1; ) {
    const next = whole.indexOf(`\r\n${mark}`, at + mark.length)
    const begin = whole.indexOf(BLANK_LINE, at)
    if (next === -1 || begin === -1) break
    parts.push(whole.subarray(begin + BLANK_LINE.length, next))
    at = next + 2
  }
  return parts
}
