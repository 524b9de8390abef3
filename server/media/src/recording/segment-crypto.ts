/**
 * How the parts of one segment are encrypted, and what proves their content. `docs/design/recording-format.md` specifies
 * both.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import {
  DIGEST_BYTES,
  encryptedBoxHead,
  type Id128,
  type IndexedPart,
  isEncrypted,
  PART_SIGNED_BYTES,
} from './segment-layout.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SALT_BYTES = 16
/** Size, `uuid` and extended type. */
const BOX_HEAD_BYTES = 24

/** What footage that is not encrypted has instead of a day key: its salts are no secret, because its content is none. */
const NO_SECRET = new Uint8Array(KEY_BYTES)

const derive = (secret: Uint8Array, segmentId: Id128, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.from(segmentId, 'hex'), `sightline ${use} 1`, KEY_BYTES))

function nonceOf(sequence: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(sequence, NONCE_BYTES - 4)
  return nonce
}

/** Encrypts and decrypts the parts of one segment. Each part's number is used once: the segment's id is new each time. */
export class PartCipher {
  readonly #key: KeyObject
  /** The HEADER box: part of what is authenticated. */
  readonly #header: Uint8Array

  constructor(dayKey: Uint8Array, segmentId: Id128, header: Uint8Array) {
    // As an object, so that it isn't made into one for each part.
    this.#key = createSecretKey(derive(dayKey, segmentId, 'segment'))
    this.#header = header
  }

  static sealedBytes(plainBytes: number): number {
    return BOX_HEAD_BYTES + plainBytes + TAG_BYTES
  }

  /** The SEALED box, as chunks. `envelope` is the part's PART box; its checksum isn't authenticated. */
  seal(plain: Uint8Array, sequence: number, envelope: Uint8Array): readonly Uint8Array[] {
    const cipher = createCipheriv(CIPHER, this.#key, nonceOf(sequence))
    cipher.setAAD(this.#authenticated(envelope))
    const body = cipher.update(plain)
    cipher.final()
    return [encryptedBoxHead(PartCipher.sealedBytes(plain.length)), body, cipher.getAuthTag()]
  }

  /** Undefined if a byte of HEADER, envelope or payload isn't what was written. */
  open(sealed: Uint8Array, sequence: number, envelope: Uint8Array): Uint8Array | undefined {
    if (!isEncrypted(sealed) || sealed.length < BOX_HEAD_BYTES + TAG_BYTES) return undefined
    if (new DataView(sealed.buffer, sealed.byteOffset).getUint32(0) !== sealed.length) return undefined
    const decipher = createDecipheriv(CIPHER, this.#key, nonceOf(sequence), { authTagLength: TAG_BYTES })
    decipher.setAAD(this.#authenticated(envelope)).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    const plain = decipher.update(sealed.subarray(BOX_HEAD_BYTES, sealed.length - TAG_BYTES))
    try {
      decipher.final()
      return plain
    } catch {
      return undefined
    }
  }

  #authenticated(envelope: Uint8Array): Buffer {
    return Buffer.concat([this.#header, envelope.subarray(0, PART_SIGNED_BYTES)])
  }
}

/** The salted digests of one segment's parts. */
export class PartDigests {
  /** As an object: one made for each part would cost more than the salt. */
  readonly #secret: KeyObject

  /** @param dayKey undefined for footage that is not encrypted. */
  constructor(dayKey: Uint8Array | undefined, segmentId: Id128) {
    this.#secret = createSecretKey(derive(dayKey ?? NO_SECRET, segmentId, 'salt'))
  }

  /** What a proof of this part, and of no other, has to tell. */
  saltOf(sequence: number): Uint8Array {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(sequence)
    return createHmac('sha256', this.#secret).update(number).digest().subarray(0, SALT_BYTES)
  }

  /** @param content what mdat contains: the access units as the camera sent them. */
  of(content: Uint8Array, sequence: number): Uint8Array {
    return createHash('sha256').update(this.saltOf(sequence)).update(content).digest()
  }
}

/** What mdat contains, in one moof and one mdat. */
export function mediaContent(fragment: Uint8Array): Uint8Array {
  const moofBytes = new DataView(fragment.buffer, fragment.byteOffset).getUint32(0)
  return fragment.subarray(moofBytes + 8)
}

export const UNKNOWN_DIGEST: Uint8Array = new Uint8Array(DIGEST_BYTES)

const isKnown = (digest: Uint8Array): boolean => digest.some((byte) => byte !== 0)

/** What the content root binds of a part: its number, its times and its digest. */
function leafOf({ time, duration, wallClock }: IndexedPart, sequence: number, digest: Uint8Array): Buffer {
  const leaf = Buffer.alloc(25)
  leaf.writeUInt32BE(sequence, 1)
  leaf.writeBigUInt64BE(BigInt(time), 5)
  leaf.writeUInt32BE(duration, 13)
  leaf.writeBigUInt64BE(BigInt(wallClock), 17)
  return createHash('sha256').update(leaf).update(digest).digest()
}

/** RFC 6962 §2.1: the left half is the largest power of two below the number of leaves. */
function leftHalf(leaves: number): number {
  let left = 1
  while (left * 2 < leaves) left *= 2
  return left
}

function treeHead(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves
  if (first !== undefined && leaves.length === 1) return first
  const left = leftHalf(leaves.length)
  const hash = createHash('sha256').update(Uint8Array.of(1))
  return hash
    .update(treeHead(leaves.slice(0, left)))
    .update(treeHead(leaves.slice(left)))
    .digest()
}

/**
 * The Merkle root over the parts of a segment, 64 hexadecimal digits: what the manifest says of the content. Undefined
 * without parts, and if a digest isn't known.
 */
export function contentRoot(parts: readonly IndexedPart[], digests: readonly Uint8Array[]): string | undefined {
  if (parts.length === 0 || digests.length !== parts.length || !digests.every(isKnown)) return undefined
  const leaves = parts.map((part, index) => leafOf(part, index, digests[index] as Uint8Array))
  return Buffer.from(treeHead(leaves)).toString('hex')
}

/**
 * The hashes that lead from the leaves of some parts to the content root, from left to right: those of the largest subtrees that have
 * none of the parts. 64 hexadecimal digits each.
 */
export function contentPath(
  parts: readonly IndexedPart[],
  digests: readonly Uint8Array[],
  included: ReadonlySet<number>,
): readonly string[] {
  const leaves = parts.map((part, index) => leafOf(part, index, digests[index] ?? UNKNOWN_DIGEST))
  const pathOf = (from: number, till: number): readonly Uint8Array[] => {
    const own = leaves.slice(from, till)
    if (!own.some((_, index) => included.has(from + index))) return [treeHead(own)]
    if (own.length === 1) return []
    const middle = from + leftHalf(own.length)
    return [...pathOf(from, middle), ...pathOf(middle, till)]
  }
  return pathOf(0, leaves.length).map((hash) => Buffer.from(hash).toString('hex'))
}
