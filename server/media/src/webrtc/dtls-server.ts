import { createECDH, createHash, type KeyObject, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import {
  CERTIFICATE,
  CERTIFICATE_REQUEST,
  CERTIFICATE_VERIFY,
  CLIENT_HELLO,
  CLIENT_KEY_EXCHANGE,
  type ClientHello,
  FINISHED,
  type HandshakeMessage,
  HandshakeReader,
  listedNumbers,
  messageBytes,
  number16,
  readCertificate,
  readClientHello,
  readClientKey,
  readSignature,
  SERVER_HELLO,
  SERVER_HELLO_DONE,
  SERVER_KEY_EXCHANGE,
  vector,
} from './dtls-messages.ts'
import { ECDSA_SHA256, findProofFlaw, SCHEMES } from './dtls-proof.ts'
import {
  ALERT,
  CHANGE_CIPHER_SPEC,
  DTLS_1_2,
  type DtlsRecord,
  HANDSHAKE,
  RecordCipher,
  readRecords,
  recordBytes,
} from './dtls-records.ts'
import { prf } from './prf.ts'
import { SRTP_KEY_BYTES, SRTP_PROFILES, type SrtpKeys, type SrtpProfile, srtpSaltBytes } from './srtp.ts'

/** What the server proves to be; new for each start of a worker. */
export interface DtlsIdentity {
  /** DER. */
  readonly certificate: Buffer
  /** Of an elliptic curve (P-256). */
  readonly key: KeyObject
}

export interface DtlsOptions {
  readonly identity: DtlsIdentity
  /** Whether that certificate (DER) is the one that the offer named. */
  readonly isExpected: (certificate: Buffer) => boolean
  /** Sends a datagram. */
  readonly send: (datagram: Uint8Array) => void
  /** Called once, when both sides have proved who they are. */
  readonly onKeys: (keys: SrtpKeys) => void
  /** Called once: the client has left, or the handshake failed. */
  readonly onEnd: (reason: string) => void
}

const ECDHE_ECDSA_AES_128_GCM_SHA256 = 0xc0_2b
const P256 = 23
const NAMED_CURVE = 3
const POINT_BYTES = 65
const LONG_FORM = 4
const EXTENSIONS = { groups: 10, pointFormats: 11, srtp: 14, extendedMasterSecret: 23, renegotiation: 0xff_01 } as const
const CLIENT_CERTIFICATE_TYPES = [64, 1]
const VERIFY_BYTES = 12
const MAX_DATAGRAM = 1200
const RESEND_MS = 1000
const MAX_RESENDS = 5
/** Clients repeat themselves; each repetition is answered at most so often. */
const REPEAT_MS = 200

interface Secrets {
  readonly master: Buffer
  readonly receives: RecordCipher
  readonly sends: RecordCipher
}

interface SentMessage {
  readonly type: number
  readonly epoch: number
  readonly bytes: Uint8Array
}

class HandshakeFailure extends Error {}

/**
 * The server's side of a DTLS 1.2 handshake (RFC 6347) that only agrees on keys for SRTP (RFC 5764), with one suite: ECDHE over P-256,
 * ECDSA and AES-128-GCM. The client has to prove that it has the key of the certificate in its offer. There is no cookie: whoever uses it
 * lets nothing in or out before the client's address has answered by ICE.
 */
export class DtlsServer implements Disposable {
  readonly #options: DtlsOptions
  readonly #reader = new HandshakeReader()
  readonly #ecdh = createECDH('prime256v1')
  readonly #random = randomBytes(32)
  readonly #transcript: Buffer[] = []
  #clientRandom: Buffer = Buffer.alloc(0)
  #profile: SrtpProfile = 'AES_CM_128_HMAC_SHA1_80'
  #clientCertificate: Buffer | undefined
  #isVerified = false
  #secrets: Secrets | undefined
  #isFinished = false
  #hasEnded = false
  #flight: readonly SentMessage[] = []
  #sequence = 0
  readonly #sent: [number, number] = [0, 0]
  #resends = 0
  #resending: NodeJS.Timeout | undefined
  #repeatedAt = Number.NEGATIVE_INFINITY

  constructor(options: DtlsOptions) {
    this.#options = options
  }

  receive(datagram: Buffer): void {
    try {
      for (const record of readRecords(datagram)) if (!this.#hasEnded) this.#takeRecord(record)
    } catch (error) {
      if (!(error instanceof HandshakeFailure || error instanceof RangeError)) throw error
      this.#end(`DTLS: ${error.message}`)
    }
  }

  /** Tells the client that it is over. */
  close(): void {
    if (!this.#hasEnded && this.#isFinished) this.#sendRecord({ type: ALERT, epoch: 1, bytes: Uint8Array.of(1, 0) })
    this[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
    clearTimeout(this.#resending)
  }

  #end(reason: string): void {
    if (this.#hasEnded) return
    if (!this.#isFinished) this.#sendRecord({ type: ALERT, epoch: 0, bytes: Uint8Array.of(2, 40) })
    this[Symbol.dispose]()
    this.#options.onEnd(reason)
  }

  #takeRecord(record: DtlsRecord): void {
    if (record.epoch > 1) return
    const isSealed = record.epoch === 1
    const opened = isSealed ? this.#secrets?.receives.open(record) : record
    if (opened === undefined) return
    // Without a seal, anybody may have written it.
    if (opened.type === ALERT && isSealed) this.#end('the viewer has left')
    else if (opened.type === HANDSHAKE && (isSealed || !this.#isFinished)) this.#takeHandshake(opened.payload, isSealed)
  }

  #takeHandshake(payload: Uint8Array, isSealed: boolean): void {
    const { messages, isOld } = this.#reader.feed(payload)
    if (isOld) this.#repeat()
    for (const message of messages) {
      if ((message.type === FINISHED) !== isSealed) throw new HandshakeFailure('a message in the wrong place')
      this.#answer(message)
      this.#transcript.push(messageBytes(message))
      if (message.type === CLIENT_HELLO) this.#sendHello()
      if (message.type === CLIENT_KEY_EXCHANGE) this.#agree(readClientKey(message.body))
      if (message.type === FINISHED) this.#finish()
    }
  }

  /** What a message says; the transcript doesn't have it yet. */
  #answer({ type, sequence, body }: HandshakeMessage): void {
    const expected = [CLIENT_HELLO, CERTIFICATE, CLIENT_KEY_EXCHANGE, CERTIFICATE_VERIFY, FINISHED][sequence]
    if (type !== expected) throw new HandshakeFailure(`message ${type} instead of ${expected}`)
    if (type === CLIENT_HELLO) this.#greet(readClientHello(body))
    if (type === CERTIFICATE) this.#identify(readCertificate(body))
    if (type === CERTIFICATE_VERIFY) this.#verify(body)
    if (type === FINISHED) this.#checkFinished(body)
  }

  #greet({ version, random, suites, extensions }: ClientHello): void {
    if (version !== DTLS_1_2) throw new HandshakeFailure('the client doesn’t know DTLS 1.2')
    if (!suites.includes(ECDHE_ECDSA_AES_128_GCM_SHA256))
      throw new HandshakeFailure('the client doesn’t know ECDHE-ECDSA-AES128-GCM-SHA256')
    const groups = extensions.get(EXTENSIONS.groups)
    if (groups !== undefined && !listedNumbers(groups).includes(P256))
      throw new HandshakeFailure('the client doesn’t know the curve P-256')
    if (!extensions.has(EXTENSIONS.extendedMasterSecret))
      throw new HandshakeFailure('the client doesn’t know the extended master secret (RFC 7627)')
    const profiles = listedNumbers(extensions.get(EXTENSIONS.srtp))
    const profile = SRTP_PROFILES.find(({ number }) => profiles.includes(number))?.name
    if (profile === undefined) throw new HandshakeFailure('the client knows none of the SRTP profiles')
    this.#clientRandom = random
    this.#profile = profile
  }

  #sendHello(): void {
    const { identity } = this.#options
    const profile = SRTP_PROFILES.find(({ name }) => name === this.#profile)?.number ?? 0
    const extension = (type: number, ...content: readonly Uint8Array[]) =>
      Buffer.concat([number16(type), vector(2, ...content)])
    const extensions = vector(
      2,
      extension(EXTENSIONS.renegotiation, Buffer.of(0)),
      extension(EXTENSIONS.extendedMasterSecret),
      extension(EXTENSIONS.pointFormats, Buffer.of(1, 0)),
      extension(EXTENSIONS.srtp, vector(2, number16(profile)), Buffer.of(0)),
    )
    const suite = number16(ECDHE_ECDSA_AES_128_GCM_SHA256)
    const hello = [Buffer.of(0xfe, 0xfd), this.#random, Buffer.of(0), suite, Buffer.of(0), extensions]
    const point = Buffer.concat([Buffer.of(NAMED_CURVE), number16(P256), vector(1, this.#ecdh.generateKeys())])
    const signature = sign('sha256', Buffer.concat([this.#clientRandom, this.#random, point]), identity.key)
    const schemes = Object.keys(SCHEMES).map((scheme) => number16(Number(scheme)))
    const request = [vector(1, Buffer.from(CLIENT_CERTIFICATE_TYPES)), vector(2, ...schemes), number16(0)]
    this.#sendFlight([
      this.#message(SERVER_HELLO, ...hello),
      this.#message(CERTIFICATE, vector(3, vector(3, identity.certificate))),
      this.#message(SERVER_KEY_EXCHANGE, point, number16(ECDSA_SHA256), vector(2, signature)),
      this.#message(CERTIFICATE_REQUEST, ...request),
      this.#message(SERVER_HELLO_DONE),
    ])
    this.#resendLater()
  }

  #identify(certificate: Buffer): void {
    if (!this.#options.isExpected(certificate)) throw new HandshakeFailure('another certificate than in the offer')
    this.#clientCertificate = certificate
  }

  #agree(point: Buffer): void {
    const hash = createHash('sha256').update(Buffer.concat(this.#transcript)).digest()
    const master = prf(this.#sharedSecret(point), 'extended master secret', hash, 48)
    const block = prf(master, 'key expansion', Buffer.concat([this.#random, this.#clientRandom]), 40)
    const cipher = (key: number, salt: number) =>
      new RecordCipher(block.subarray(key, key + 16), block.subarray(salt, salt + 4))
    this.#secrets = { master, receives: cipher(0, 32), sends: cipher(16, 36) }
  }

  #sharedSecret(point: Buffer): Buffer {
    // In its long form (RFC 8422 §5.4.1); whether it is on the curve is checked below.
    if (point.length !== POINT_BYTES || point[0] !== LONG_FORM)
      throw new HandshakeFailure('a key that is no point of the curve')
    try {
      return this.#ecdh.computeSecret(point)
    } catch (cause) {
      throw new HandshakeFailure('a key that is no point of the curve', { cause })
    }
  }

  /** The client has the key of its certificate: nobody else can have signed this handshake. */
  #verify(body: Buffer): void {
    const flaw = findProofFlaw(this.#clientCertificate, readSignature(body), Buffer.concat(this.#transcript))
    if (flaw !== undefined) throw new HandshakeFailure(flaw)
    this.#isVerified = true
  }

  #checkFinished(body: Buffer): void {
    const expected = this.#verifyData('client finished')
    if (!this.#isVerified || body.length !== VERIFY_BYTES || !timingSafeEqual(body, expected))
      throw new HandshakeFailure('a handshake that someone has changed')
  }

  #verifyData(label: string): Buffer {
    const hash = createHash('sha256').update(Buffer.concat(this.#transcript)).digest()
    return prf(this.#secrets?.master ?? Buffer.alloc(0), label, hash, VERIFY_BYTES)
  }

  #finish(): void {
    clearTimeout(this.#resending)
    const finished = this.#message(FINISHED, this.#verifyData('server finished'))
    this.#isFinished = true
    this.#sendFlight([
      { type: CHANGE_CIPHER_SPEC, epoch: 0, bytes: Uint8Array.of(1) },
      { ...finished, epoch: 1 },
    ])
    this.#options.onKeys(this.#exportKeys())
  }

  /** RFC 5764 §4.2. */
  #exportKeys(): SrtpKeys {
    const saltBytes = srtpSaltBytes(this.#profile)
    const seed = Buffer.concat([this.#clientRandom, this.#random])
    const length = 2 * (SRTP_KEY_BYTES + saltBytes)
    const all = prf(this.#secrets?.master ?? Buffer.alloc(0), 'EXTRACTOR-dtls_srtp', seed, length)
    const piece = (from: number, size: number) => all.subarray(from, from + size)
    const salts = 2 * SRTP_KEY_BYTES
    return {
      profile: this.#profile,
      receives: { key: piece(0, SRTP_KEY_BYTES), salt: piece(salts, saltBytes) },
      sends: { key: piece(SRTP_KEY_BYTES, SRTP_KEY_BYTES), salt: piece(salts + saltBytes, saltBytes) },
    }
  }

  #message(type: number, ...content: readonly Uint8Array[]): SentMessage {
    const bytes = messageBytes({ type, sequence: this.#sequence++, body: Buffer.concat(content) })
    this.#transcript.push(bytes)
    return { type: HANDSHAKE, epoch: 0, bytes }
  }

  #sendFlight(flight: readonly SentMessage[]): void {
    this.#flight = flight
    let datagram: Uint8Array[] = []
    let length = 0
    for (const message of flight) {
      const bytes = this.#recordOf(message)
      if (length > 0 && length + bytes.length > MAX_DATAGRAM) {
        this.#options.send(Buffer.concat(datagram))
        datagram = []
        length = 0
      }
      datagram.push(bytes)
      length += bytes.length
    }
    this.#options.send(Buffer.concat(datagram))
  }

  #sendRecord(message: SentMessage): void {
    this.#options.send(this.#recordOf(message))
  }

  #recordOf({ type, epoch, bytes }: SentMessage): Buffer {
    const sequence = this.#sent[epoch === 1 ? 1 : 0]++
    const record = { type, epoch, sequence, payload: bytes }
    return recordBytes(epoch === 1 ? (this.#secrets?.sends.seal(record) ?? record) : record)
  }

  /** The client has missed something, or it wasn't fast enough. */
  #repeat(): void {
    if (performance.now() - this.#repeatedAt < REPEAT_MS) return
    this.#repeatedAt = performance.now()
    this.#sendFlight(this.#flight)
  }

  #resendLater(): void {
    this.#resending = setTimeout(
      () => {
        if (++this.#resends > MAX_RESENDS) return this.#end('DTLS: the client doesn’t answer')
        this.#sendFlight(this.#flight)
        this.#resendLater()
      },
      RESEND_MS * 2 ** this.#resends,
    )
    this.#resending.unref()
  }
}
