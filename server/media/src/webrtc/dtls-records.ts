import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Records of DTLS 1.2 (RFC 6347 §4.1). */

export const CHANGE_CIPHER_SPEC = 20
export const ALERT = 21
export const HANDSHAKE = 22

const HEADER_BYTES = 13
export const DTLS_1_2 = 0xfe_fd
const EXPLICIT_NONCE_BYTES = 8
const TAG_BYTES = 16
/** Twice what a flight of a client has. */
const MAX_RECORDS = 16

export interface DtlsRecord {
  readonly type: number
  readonly epoch: number
  /** 0 to 2^48-1. */
  readonly sequence: number
  readonly payload: Uint8Array
}

/** The whole records of a datagram; what can't be read is left out (RFC 6347 §4.1.2.7). */
export function readRecords(datagram: Buffer): readonly DtlsRecord[] {
  const records: DtlsRecord[] = []
  let at = 0
  while (at + HEADER_BYTES <= datagram.length && records.length < MAX_RECORDS) {
    const end = at + HEADER_BYTES + datagram.readUInt16BE(at + 11)
    if (end > datagram.length || datagram[at + 1] !== 0xfe) break
    const [epoch, sequence] = [datagram.readUInt16BE(at + 3), datagram.readUIntBE(at + 5, 6)]
    records.push({ type: datagram[at] ?? 0, epoch, sequence, payload: datagram.subarray(at + HEADER_BYTES, end) })
    at = end
  }
  return records
}

export function recordBytes({ type, epoch, sequence, payload }: DtlsRecord): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = type
  header.writeUInt16BE(DTLS_1_2, 1)
  header.writeUInt16BE(epoch, 3)
  header.writeUIntBE(sequence, 5, 6)
  header.writeUInt16BE(payload.length, 11)
  return Buffer.concat([header, payload])
}

/** One direction of AES-128-GCM (RFC 5288, RFC 6347 §4.1.2.1). */
export class RecordCipher {
  readonly #key: Uint8Array
  readonly #salt: Uint8Array

  /** `key` has 16 bytes, `salt` 4. */
  constructor(key: Uint8Array, salt: Uint8Array) {
    this.#key = key
    this.#salt = salt
  }

  seal(record: DtlsRecord): DtlsRecord {
    const counter = counterOf(record)
    const cipher = createCipheriv('aes-128-gcm', this.#key, Buffer.concat([this.#salt, counter]))
    cipher.setAAD(associatedData(record, record.payload.length))
    const sealed = [cipher.update(record.payload), cipher.final(), cipher.getAuthTag()]
    return { ...record, payload: Buffer.concat([counter, ...sealed]) }
  }

  /** Undefined if someone else wrote it. */
  open(record: DtlsRecord): DtlsRecord | undefined {
    const { payload } = record
    const length = payload.length - EXPLICIT_NONCE_BYTES - TAG_BYTES
    if (length < 0) return undefined
    const nonce = Buffer.concat([this.#salt, payload.subarray(0, EXPLICIT_NONCE_BYTES)])
    const decipher = createDecipheriv('aes-128-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(associatedData(record, length))
    decipher.setAuthTag(payload.subarray(EXPLICIT_NONCE_BYTES + length))
    try {
      const text = decipher.update(payload.subarray(EXPLICIT_NONCE_BYTES, EXPLICIT_NONCE_BYTES + length))
      return { ...record, payload: Buffer.concat([text, decipher.final()]) }
    } catch {
      return undefined
    }
  }
}

function counterOf({ epoch, sequence }: DtlsRecord): Buffer {
  const counter = Buffer.alloc(8)
  counter.writeUInt16BE(epoch, 0)
  counter.writeUIntBE(sequence, 2, 6)
  return counter
}

function associatedData(record: DtlsRecord, length: number): Buffer {
  const rest = Buffer.alloc(5)
  rest[0] = record.type
  rest.writeUInt16BE(DTLS_1_2, 1)
  rest.writeUInt16BE(length, 3)
  return Buffer.concat([counterOf(record), rest])
}
