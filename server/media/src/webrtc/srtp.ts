import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

/** SRTP (RFC 3711) and its form with AES-GCM (RFC 7714), as far as a sender needs it: it protects RTP and RTCP, and opens RTCP. */

export type SrtpProfile = 'AEAD_AES_128_GCM' | 'AES_CM_128_HMAC_SHA1_80'

/** The better one first; numbers by RFC 5764 §4.1.2 and RFC 7714 §14.2. */
export const SRTP_PROFILES: readonly { readonly name: SrtpProfile; readonly number: number }[] = [
  { name: 'AEAD_AES_128_GCM', number: 7 },
  { name: 'AES_CM_128_HMAC_SHA1_80', number: 1 },
]
export const SRTP_KEY_BYTES = 16
export const srtpSaltBytes = (profile: SrtpProfile): number => (profile === 'AEAD_AES_128_GCM' ? 12 : 14)

export interface MasterKey {
  readonly key: Uint8Array
  readonly salt: Uint8Array
}

export interface SrtpKeys {
  readonly profile: SrtpProfile
  readonly sends: MasterKey
  readonly receives: MasterKey
}

const SHA1_TAG_BYTES = 10
const GCM_TAG_BYTES = 16
const RTCP_HEADER_BYTES = 8
const RTP_HEADER_BYTES = 12
const INDEX_BYTES = 4
const ENCRYPTED = 0x80_00_00_00
const LABELS = { rtp: 0, rtcp: 3 } as const

/** Objects, because preparing a key from bytes for each packet takes longer than sealing it. */
interface SessionKeys {
  readonly encryption: KeyObject
  readonly authentication: KeyObject
  /** 14 bytes; the last two are 0 for AES-GCM. */
  readonly salt: Buffer
}

/** RFC 3711 §4.3, with a key that is never renewed. */
function sessionKeys({ key, salt }: MasterKey, first: number, profile: SrtpProfile): SessionKeys {
  const derive = (label: number, length: number) => {
    const counter = Buffer.alloc(16)
    counter.set(salt)
    counter[7] = (counter[7] ?? 0) ^ label
    return createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(length))
  }
  const padded = Buffer.alloc(14)
  padded.set(derive(first + 2, srtpSaltBytes(profile)))
  const keyOf = (label: number, length: number) => createSecretKey(derive(label, length))
  return { encryption: keyOf(first, SRTP_KEY_BYTES), authentication: keyOf(first + 1, 20), salt: padded }
}

/** RFC 3711 §4.1.1. `index` has 48 bits. */
function counterOf(salt: Buffer, ssrc: number, index: number): Buffer {
  const counter = Buffer.alloc(16)
  salt.copy(counter)
  const value = Buffer.alloc(16)
  value.writeUInt32BE(ssrc, 4)
  value.writeUIntBE(index, 8, 6)
  for (let at = 4; at < 14; at++) counter[at] = (counter[at] ?? 0) ^ (value[at] ?? 0)
  return counter
}

/** RFC 7714 §8.1 and §9.1. `index` has 48 bits. */
function nonceOf(salt: Buffer, ssrc: number, index: number): Buffer {
  const nonce = Buffer.from(salt.subarray(0, 12))
  const value = Buffer.alloc(12)
  value.writeUInt32BE(ssrc, 2)
  value.writeUIntBE(index, 6, 6)
  for (let at = 2; at < 12; at++) nonce[at] = (nonce[at] ?? 0) ^ (value[at] ?? 0)
  return nonce
}

const sha1Tag = (key: KeyObject, ...pieces: readonly Uint8Array[]): Buffer => {
  const hmac = createHmac('sha1', key)
  for (const piece of pieces) hmac.update(piece)
  return hmac.digest().subarray(0, SHA1_TAG_BYTES)
}

const numberBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Protects what one side sends; one for all its sources. */
export class SrtpSender {
  readonly #isGcm: boolean
  readonly #rtp: SessionKeys
  readonly #rtcp: SessionKeys
  readonly #rollovers = new Map<number, { sequence: number; count: number }>()
  #rtcpIndex = 0

  constructor({ profile, sends }: SrtpKeys) {
    this.#isGcm = profile === 'AEAD_AES_128_GCM'
    this.#rtp = sessionKeys(sends, LABELS.rtp, profile)
    this.#rtcp = sessionKeys(sends, LABELS.rtcp, profile)
  }

  /** `packet` has a header of 12 bytes; packets of a source come in the order of their numbers. */
  rtp(packet: Uint8Array): Buffer {
    const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.length)
    const [sequence, ssrc] = [bytes.readUInt16BE(2), bytes.readUInt32BE(8)]
    const rollover = this.#countRollover(ssrc, sequence)
    const index = rollover * 2 ** 16 + sequence
    const [header, payload] = [bytes.subarray(0, RTP_HEADER_BYTES), bytes.subarray(RTP_HEADER_BYTES)]
    const { encryption, authentication, salt } = this.#rtp
    if (this.#isGcm) {
      const cipher = createCipheriv('aes-128-gcm', encryption, nonceOf(salt, ssrc, index))
      cipher.setAAD(header)
      return Buffer.concat([header, cipher.update(payload), cipher.final(), cipher.getAuthTag()])
    }
    const sealed = createCipheriv('aes-128-ctr', encryption, counterOf(salt, ssrc, index)).update(payload)
    return Buffer.concat([header, sealed, sha1Tag(authentication, header, sealed, numberBytes(rollover))])
  }

  rtcp(packet: Uint8Array): Buffer {
    const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.length)
    const index = this.#rtcpIndex++
    const ssrc = bytes.readUInt32BE(4)
    const [header, payload] = [bytes.subarray(0, RTCP_HEADER_BYTES), bytes.subarray(RTCP_HEADER_BYTES)]
    const trailer = numberBytes(index + ENCRYPTED)
    const { encryption, authentication, salt } = this.#rtcp
    if (this.#isGcm) {
      const cipher = createCipheriv('aes-128-gcm', encryption, nonceOf(salt, ssrc, index))
      cipher.setAAD(Buffer.concat([header, trailer]))
      return Buffer.concat([header, cipher.update(payload), cipher.final(), cipher.getAuthTag(), trailer])
    }
    const sealed = createCipheriv('aes-128-ctr', encryption, counterOf(salt, ssrc, index)).update(payload)
    return Buffer.concat([header, sealed, trailer, sha1Tag(authentication, header, sealed, trailer)])
  }

  #countRollover(ssrc: number, sequence: number): number {
    const known = this.#rollovers.get(ssrc) ?? { sequence, count: 0 }
    if (sequence < known.sequence) known.count++
    known.sequence = sequence
    this.#rollovers.set(ssrc, known)
    return known.count
  }
}

/** How many indexes behind the newest one are remembered, against packets that are sent again. */
const REPLAY_WINDOW = 64
/** A viewer reports for sound and for pictures, each with an own number. */
const MAX_SOURCES = 16

/** Indexes of a source that have come (RFC 3711 §3.3.2). */
class Replays {
  #newest = -1
  #seen = new Set<number>()

  /** Whether it came before, or is too old to say. */
  has(index: number): boolean {
    return index <= this.#newest - REPLAY_WINDOW || this.#seen.has(index)
  }

  add(index: number): void {
    this.#newest = Math.max(this.#newest, index)
    this.#seen.add(index)
    if (this.#seen.size > 2 * REPLAY_WINDOW)
      this.#seen = new Set([...this.#seen].filter((each) => each > this.#newest - REPLAY_WINDOW))
  }
}

/** Opens the RTCP of the other side. */
export class SrtcpReceiver {
  readonly #isGcm: boolean
  readonly #keys: SessionKeys
  /** Each source counts for itself (RFC 3711 §3.2.3). */
  readonly #sources = new Map<number, Replays>()

  constructor({ profile, receives }: SrtpKeys) {
    this.#isGcm = profile === 'AEAD_AES_128_GCM'
    this.#keys = sessionKeys(receives, LABELS.rtcp, profile)
  }

  /** Undefined if someone else wrote it, or if it came before. */
  open(packet: Buffer): Buffer | undefined {
    const opened = this.#isGcm ? this.#openGcm(packet) : this.#openSha1(packet)
    if (opened === undefined || this.#isRepeated(packet.readUInt32BE(4), opened.index)) return undefined
    return opened.bytes
  }

  #openGcm(packet: Buffer) {
    const end = packet.length - INDEX_BYTES
    if (end < RTCP_HEADER_BYTES + GCM_TAG_BYTES) return undefined
    const [header, trailer] = [packet.subarray(0, RTCP_HEADER_BYTES), packet.subarray(end)]
    const word = trailer.readUInt32BE(0)
    if (word < ENCRYPTED) return undefined
    const index = word - ENCRYPTED
    const nonce = nonceOf(this.#keys.salt, packet.readUInt32BE(4), index)
    const decipher = createDecipheriv('aes-128-gcm', this.#keys.encryption, nonce, { authTagLength: GCM_TAG_BYTES })
    decipher.setAAD(Buffer.concat([header, trailer]))
    decipher.setAuthTag(packet.subarray(end - GCM_TAG_BYTES, end))
    try {
      const text = decipher.update(packet.subarray(RTCP_HEADER_BYTES, end - GCM_TAG_BYTES))
      return { index, bytes: Buffer.concat([header, text, decipher.final()]) }
    } catch {
      return undefined
    }
  }

  #openSha1(packet: Buffer) {
    const end = packet.length - SHA1_TAG_BYTES
    if (end < RTCP_HEADER_BYTES + INDEX_BYTES) return undefined
    const tag = sha1Tag(this.#keys.authentication, packet.subarray(0, end))
    if (!timingSafeEqual(tag, packet.subarray(end))) return undefined
    const word = packet.readUInt32BE(end - INDEX_BYTES)
    const [header, payload] = [
      packet.subarray(0, RTCP_HEADER_BYTES),
      packet.subarray(RTCP_HEADER_BYTES, end - INDEX_BYTES),
    ]
    if (word < ENCRYPTED) return { index: word, bytes: Buffer.concat([header, payload]) }
    const index = word - ENCRYPTED
    const counter = counterOf(this.#keys.salt, packet.readUInt32BE(4), index)
    const text = createCipheriv('aes-128-ctr', this.#keys.encryption, counter).update(payload)
    return { index, bytes: Buffer.concat([header, text]) }
  }

  #isRepeated(ssrc: number, index: number): boolean {
    const replays = this.#sources.get(ssrc) ?? new Replays()
    if (replays.has(index) || (this.#sources.size >= MAX_SOURCES && !this.#sources.has(ssrc))) return true
    this.#sources.set(ssrc, replays)
    replays.add(index)
    return false
  }
}
