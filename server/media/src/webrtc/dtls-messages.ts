/** Messages of the handshake (RFC 5246 §7.4, RFC 6347 §4.2.2), as far as a server for media needs them. */

export const CLIENT_HELLO = 1
export const SERVER_HELLO = 2
export const CERTIFICATE = 11
export const SERVER_KEY_EXCHANGE = 12
export const CERTIFICATE_REQUEST = 13
export const SERVER_HELLO_DONE = 14
export const CERTIFICATE_VERIFY = 15
export const CLIENT_KEY_EXCHANGE = 16
export const FINISHED = 20

const HEADER_BYTES = 12
/** More than any browser sends: key shares of TLS 1.3 and certificates come to some kilobytes. */
const MAX_MESSAGE_BYTES = 16 * 1024
/** Messages that wait for an earlier one. */
const MAX_WAITING = 8

export interface HandshakeMessage {
  readonly type: number
  readonly sequence: number
  readonly body: Buffer
}

/** As it counts for the hash of the handshake: whole, even if it came in fragments (RFC 6347 §4.2.6). */
export function messageBytes({ type, sequence, body }: HandshakeMessage): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = type
  header.writeUIntBE(body.length, 1, 3)
  header.writeUInt16BE(sequence, 4)
  header.writeUIntBE(body.length, 9, 3)
  return Buffer.concat([header, body])
}

interface Pending {
  readonly type: number
  readonly body: Buffer
  /** 1 for each byte that has come. */
  readonly got: Uint8Array
}

/** Puts fragments together and in order. */
export class HandshakeReader {
  readonly #pending = new Map<number, Pending>()
  #next = 0

  /** The messages that are whole now, in order. `isOld`: something of before came again. */
  feed(payload: Uint8Array): { readonly messages: readonly HandshakeMessage[]; readonly isOld: boolean } {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
    let isOld = false
    let at = 0
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + HEADER_BYTES + bytes.readUIntBE(at + 9, 3)
      if (end > bytes.length) break
      isOld = this.#take(bytes.subarray(at, end)) || isOld
      at = end
    }
    return { messages: this.#whole(), isOld }
  }

  #take(fragment: Buffer): boolean {
    const [length, sequence] = [fragment.readUIntBE(1, 3), fragment.readUInt16BE(4)]
    const offset = fragment.readUIntBE(6, 3)
    const piece = fragment.subarray(HEADER_BYTES)
    if (sequence < this.#next) return true
    const isFitting = length <= MAX_MESSAGE_BYTES && offset + piece.length <= length
    if (!isFitting || sequence >= this.#next + MAX_WAITING) return false
    const type = fragment[0] ?? 0
    const pending = this.#pending.get(sequence) ?? { type, body: Buffer.alloc(length), got: new Uint8Array(length) }
    if (pending.body.length !== length || pending.type !== type) return false
    piece.copy(pending.body, offset)
    pending.got.fill(1, offset, offset + piece.length)
    this.#pending.set(sequence, pending)
    return false
  }

  #whole(): readonly HandshakeMessage[] {
    const messages: HandshakeMessage[] = []
    for (let found = this.#pending.get(this.#next); found !== undefined; found = this.#pending.get(this.#next)) {
      if (found.got.includes(0)) break
      this.#pending.delete(this.#next)
      messages.push({ type: found.type, sequence: this.#next, body: found.body })
      this.#next++
    }
    return messages
  }
}

/** Reads one field after another; beyond the end it throws a `RangeError`. */
class FieldReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  number(size: 1 | 2 | 3): number {
    const value = this.#bytes.readUIntBE(this.#at, size)
    this.#at += size
    return value
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('a field is longer than its message')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** With its length in front, of so many bytes. */
  vector(size: 1 | 2 | 3): Buffer {
    return this.bytes(this.number(size))
  }
}

export interface ClientHello {
  readonly version: number
  readonly random: Buffer
  readonly suites: readonly number[]
  readonly extensions: ReadonlyMap<number, Buffer>
}

export function readClientHello(body: Buffer): ClientHello {
  const fields = new FieldReader(body)
  const version = fields.number(2)
  const random = fields.bytes(32)
  fields.vector(1)
  fields.vector(1)
  const suites = readNumbers(fields.vector(2))
  fields.vector(1)
  const extensions = new Map<number, Buffer>()
  const listed = new FieldReader(fields.isAtEnd ? Buffer.alloc(0) : fields.vector(2))
  while (!listed.isAtEnd) {
    const type = listed.number(2)
    if (extensions.has(type)) throw new RangeError('an extension comes twice')
    extensions.set(type, listed.vector(2))
  }
  return { version, random, suites, extensions }
}

/** Numbers of 16 bits. */
const readNumbers = (bytes: Buffer): readonly number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(index * 2))

/** The numbers of an extension that is a list of them; empty if it is absent. */
export const listedNumbers = (extension: Buffer | undefined): readonly number[] =>
  extension === undefined ? [] : readNumbers(new FieldReader(extension).vector(2))

/** The first certificate, in DER. */
export const readCertificate = (body: Buffer): Buffer => new FieldReader(new FieldReader(body).vector(3)).vector(3)

/** The client's public point. */
export const readClientKey = (body: Buffer): Buffer => new FieldReader(body).vector(1)

export function readSignature(body: Buffer): { readonly scheme: number; readonly signature: Buffer } {
  const fields = new FieldReader(body)
  return { scheme: fields.number(2), signature: fields.vector(2) }
}

/** With its length in front. */
export function vector(size: 1 | 2 | 3, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const length = Buffer.alloc(size)
  length.writeUIntBE(body.length, 0, size)
  return Buffer.concat([length, body])
}

export const number16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff)
