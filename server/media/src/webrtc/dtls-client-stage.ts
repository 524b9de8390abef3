/** A client of DTLS for tests that need one that misbehaves: each step is the test's. */
import { createECDH, createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  CERTIFICATE,
  CERTIFICATE_VERIFY,
  CLIENT_HELLO,
  CLIENT_KEY_EXCHANGE,
  FINISHED,
  HandshakeReader,
  messageBytes,
  number16,
  SERVER_HELLO,
  SERVER_KEY_EXCHANGE,
  vector,
} from './dtls-messages.ts'
import { HANDSHAKE, RecordCipher, readRecords, recordBytes } from './dtls-records.ts'
import { prf } from './prf.ts'

export interface ClientIdentity {
  /** DER. */
  readonly certificate: Buffer
  readonly key: KeyObject
}

interface HelloOptions {
  readonly version?: number
  readonly extensions?: readonly Buffer[]
}

export const extension = (type: number, ...content: readonly Uint8Array[]): Buffer =>
  Buffer.concat([number16(type), vector(2, ...content)])
export const GROUPS = extension(10, vector(2, number16(23)))
export const EXTENDED_MASTER_SECRET = extension(23)
export const SRTP_GCM = extension(14, vector(2, number16(7)), Buffer.of(0))

export class DtlsTestClient {
  readonly ecdh = createECDH('prime256v1')
  readonly #identity: ClientIdentity
  readonly #random = randomBytes(32)
  readonly #reader = new HandshakeReader()
  #transcript: Buffer[] = []
  #serverRandom: Buffer = Buffer.alloc(0)
  #serverPoint: Buffer = Buffer.alloc(0)
  #master: Buffer = Buffer.alloc(0)
  #cipher: { readonly sends: RecordCipher; readonly receives: RecordCipher } | undefined
  #message = 0
  readonly #records: [number, number] = [0, 0]
  /** Explicit nonces of what the server sealed. */
  readonly nonces: string[] = []
  /** Types of the server's messages. */
  readonly heard: number[] = []

  constructor(identity: ClientIdentity) {
    this.#identity = identity
    this.ecdh.generateKeys()
  }

  /** What the server has sent. */
  take(datagram: Uint8Array): void {
    for (const record of readRecords(Buffer.from(datagram))) {
      if (record.epoch === 1) this.nonces.push(Buffer.from(record.payload.subarray(0, 8)).toString('hex'))
      const opened = record.epoch === 1 ? this.#cipher?.receives.open(record) : record
      if (opened?.type !== HANDSHAKE) continue
      for (const message of this.#reader.feed(opened.payload).messages) {
        this.heard.push(message.type)
        this.#transcript.push(messageBytes(message))
        if (message.type === SERVER_HELLO) this.#serverRandom = message.body.subarray(2, 34)
        if (message.type === SERVER_KEY_EXCHANGE) this.#serverPoint = message.body.subarray(4, 69)
      }
    }
  }

  hello({ version = 0xfe_fd, extensions = [GROUPS, EXTENDED_MASTER_SECRET, SRTP_GCM] }: HelloOptions = {}): Buffer {
    const suites = vector(2, number16(0xc0_2b))
    const rest = [vector(1), vector(1), suites, vector(1, Buffer.of(0)), vector(2, ...extensions)]
    return this.plain(CLIENT_HELLO, number16(version), this.#random, ...rest)
  }

  certificate(): Buffer {
    return this.plain(CERTIFICATE, vector(3, vector(3, this.#identity.certificate)))
  }

  /** The point may be any bytes. */
  keyExchange(point: Buffer = this.ecdh.getPublicKey()): Buffer {
    return this.plain(CLIENT_KEY_EXCHANGE, vector(1, point))
  }

  /** Signed as `scheme` says, or with any bytes. */
  proof(scheme = 0x04_03, signature?: Buffer): Buffer {
    this.#agree()
    const signed = signature ?? sign('sha256', Buffer.concat(this.#transcript), this.#identity.key)
    return this.plain(CERTIFICATE_VERIFY, number16(scheme), vector(2, signed))
  }

  /** Changed by `change`, if given. */
  finished(change: (verifyData: Buffer) => Buffer = (data) => data): Buffer {
    const hash = createHash('sha256').update(Buffer.concat(this.#transcript)).digest()
    return this.sealed(FINISHED, change(prf(this.#master, 'client finished', hash, 12)))
  }

  plain(type: number, ...content: readonly Uint8Array[]): Buffer {
    return recordBytes({ type: HANDSHAKE, epoch: 0, sequence: this.#records[0]++, payload: this.#next(type, content) })
  }

  sealed(type: number, ...content: readonly Uint8Array[]): Buffer {
    return this.sealedRecord(HANDSHAKE, this.#next(type, content))
  }

  sealedRecord(type: number, payload: Uint8Array): Buffer {
    const record = { type, epoch: 1, sequence: this.#records[1]++, payload }
    return recordBytes(this.#cipher?.sends.seal(record) ?? record)
  }

  #next(type: number, content: readonly Uint8Array[]): Buffer {
    const bytes = messageBytes({ type, sequence: this.#message++, body: Buffer.concat(content) })
    this.#transcript.push(bytes)
    return bytes
  }

  #agree(): void {
    const hash = createHash('sha256').update(Buffer.concat(this.#transcript)).digest()
    this.#master = prf(this.ecdh.computeSecret(this.#serverPoint), 'extended master secret', hash, 48)
    const block = prf(this.#master, 'key expansion', Buffer.concat([this.#serverRandom, this.#random]), 40)
    const cipher = (key: number, salt: number) =>
      new RecordCipher(block.subarray(key, key + 16), block.subarray(salt, salt + 4))
    this.#cipher = { sends: cipher(0, 32), receives: cipher(16, 36) }
  }
}
