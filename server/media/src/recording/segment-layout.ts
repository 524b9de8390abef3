/**
 * Our own boxes in a segment, bit by bit; `docs/design/recording-format.md` is their specification. Numbers are
 * big-endian, as everywhere in ISO base media files.
 */
import { crc32 } from 'node:zlib'
import { crc32c } from './crc32c.ts'
import { isRunEnd, type RunEnd, type StreamName } from './run-log.ts'

/** Version 1 has no digests, is never encrypted, and has CRC-32C where version 2 has CRC-32. */
export type FormatVersion = 1 | 2

const isKnownVersion = (version: number): version is FormatVersion => version === 1 || version === 2

/** Bytes of each fixed part, the 24 of size, 'uuid' and extended type included. */
export const HEADER_BYTES = 144
export const PART_BYTES = 72
/** Of a PART box before its checksum. */
export const PART_SIGNED_BYTES = PART_BYTES - 4
const INDEX_HEAD_BYTES = 32
/** Entries of version 2 end with a digest. */
const INDEX_ENTRY_BYTES: Readonly<Record<FormatVersion, number>> = { 1: 40, 2: 72 }
export const DIGEST_BYTES = 32
const INDEX_TAIL_BYTES = 40
/** SHA-256, size once more, CRC: the last bytes of a closed segment. */
export const INDEX_FOOT_BYTES = 8
/** A segment never has more parts than this: a reader may allocate memory for them. */
export const MAX_PARTS = 65_535

const UUID_TYPE = 0x75_75_69_64
const uuid = (kind: number): Uint8Array =>
  Buffer.from(`53696768746c${(0x80_00 + kind).toString(16)}80007265636f7264`, 'hex')

const HEADER_UUID = uuid(1)
const PART_UUID = uuid(2)
/** Replaces moof and mdat if footage is encrypted. */
const SEALED_UUID = uuid(3)
const INDEX_UUID = uuid(4)
/** Every part begins with this after its size; recovery searches for it behind a damaged part. */
export const PART_MARK: Uint8Array = Buffer.concat([Buffer.from('uuid'), PART_UUID])

/** 32 lower-case hexadecimal digits. */
export type Id128 = string

/** The key id of footage that is not encrypted. */
export const NO_KEY: Id128 = '0'.repeat(32)

export type SegmentKind = 'continuous' | 'event'

/** Why a segment was closed: its time had passed, its codec parameters changed, or its run ended. */
export type SegmentEnd = 'rotation' | RunEnd

/** Where footage came from, if not from the camera's stream: its card, by which a gap was filled. */
export type SegmentOrigin = 'card'

export interface SegmentHeader {
  readonly version: FormatVersion
  readonly accountId: number
  readonly cameraId: number
  readonly stream: StreamName
  readonly kind: SegmentKind
  readonly segmentId: Id128
  readonly runId: Id128
  /** 0 for the first segment of its run. */
  readonly segmentInRun: number
  readonly fence: number
  /** Wall clock of the first part, milliseconds since 1970. */
  readonly start: number
  /** Ticks since the start of the run at time 0 of this file. */
  readonly baseTime: number
  readonly keyId: Id128
  readonly origin?: SegmentOrigin
}

/** One part, as its envelope and the index describe it. Times in ticks of 90 kHz since time 0 of the file. */
export interface PartInfo {
  readonly time: number
  readonly duration: number
  /** Milliseconds since 1970, by the server's clock. */
  readonly wallClock: number
  readonly isKey: boolean
  /** Of a key part: only so many pictures later, all is as it was sent; 0 if its first picture is whole. */
  readonly recovery: number
  /** Coded pictures in it. */
  readonly pictures: number
}

export interface PartEnvelope extends PartInfo {
  readonly sequence: number
  /** The camera's own clock, milliseconds since 1970, if it gave one. */
  readonly cameraClock: number | undefined
  readonly payloadBytes: number
  readonly crc: number
}

export interface IndexedPart extends PartInfo {
  /** Of the PART box, from the start of the file. */
  readonly offset: number
  /** PART box and payload. */
  readonly bytes: number
}

export interface SegmentIndex {
  readonly version: FormatVersion
  readonly parts: readonly IndexedPart[]
  /** Of the access units of each part; empty in version 1, and zeros where they aren't known. */
  readonly digests: readonly Uint8Array[]
  readonly end: SegmentEnd
  /** Of all bytes before the INDEX box. */
  readonly sha256: Uint8Array
}

/** Of the digest in an entry of the INDEX. */
const ENTRY_DIGEST = 40
const KEY_FLAG = 1
/** The upper half of the flags. */
const RECOVERY_SHIFT = 16

const encodeFlags = ({ isKey, recovery }: PartInfo): number => (isKey ? KEY_FLAG : 0) + recovery * 2 ** RECOVERY_SHIFT

const decodeFlags = (flags: number): Pick<PartInfo, 'isKey' | 'recovery'> => ({
  isKey: (flags & KEY_FLAG) !== 0,
  recovery: flags >>> RECOVERY_SHIFT,
})
const EVENT_FLAG = 1
const CARD_FLAG = 2
const TIME_SCALE = 90_000

/** The order is the number on disk; only ever appended to. */
const ENDS: readonly SegmentEnd[] = [
  'rotation',
  'parameters',
  'cameraOffline',
  'network',
  'disk',
  'schedule',
  'mode',
  'restart',
  'clock',
  'stopped',
  'takeover',
  'database',
  'noEvent',
  'deleted',
]

const isStreamName = (text: string): text is StreamName => text === 'main' || text === 'sub'

/** The first `bytes` of a box of that size. */
function openBox(length: number, type: Uint8Array, size = length): { bytes: Uint8Array; view: DataView } {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, size)
  view.setUint32(4, UUID_TYPE)
  bytes.set(type, 8)
  return { bytes, view }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Above 2^53 a number would be rounded; such a field is damage. */
function readNumber(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at))
  return Number.isSafeInteger(value) ? value : Number.NaN
}

const isBox = (bytes: Uint8Array, type: Uint8Array): boolean =>
  bytes.length >= 24 &&
  viewOf(bytes).getUint32(4) === UUID_TYPE &&
  type.every((byte, index) => bytes[8 + index] === byte)

/** The first 24 bytes of a SEALED box of that size. */
export const encryptedBoxHead = (size: number): Uint8Array => openBox(24, SEALED_UUID, size).bytes

/** Whether a payload is encrypted, whatever the header says of a key. */
export const isEncrypted = (payload: Uint8Array): boolean => isBox(payload, SEALED_UUID)

const hex = (bytes: Uint8Array): Id128 => Buffer.from(bytes).toString('hex')

const checksums: Readonly<Record<FormatVersion, (bytes: Uint8Array, previous: number) => number>> = {
  1: crc32c,
  2: crc32,
}

/** `init` is what precedes it in the file (ftyp and moov); the checksum covers both. */
export function encodeHeader(header: SegmentHeader, init: Uint8Array): Uint8Array {
  const { bytes, view } = openBox(HEADER_BYTES, HEADER_UUID)
  view.setUint16(24, header.version)
  view.setUint16(26, (header.kind === 'event' ? EVENT_FLAG : 0) | (header.origin === 'card' ? CARD_FLAG : 0))
  view.setUint32(28, TIME_SCALE)
  view.setBigUint64(32, BigInt(header.accountId))
  view.setBigUint64(40, BigInt(header.cameraId))
  bytes.set(Buffer.from(header.stream, 'ascii'), 48)
  bytes.set(Buffer.from(header.segmentId, 'hex'), 64)
  bytes.set(Buffer.from(header.runId, 'hex'), 80)
  view.setBigUint64(96, BigInt(header.fence))
  view.setBigUint64(104, BigInt(header.start))
  view.setBigUint64(112, BigInt(header.baseTime))
  bytes.set(Buffer.from(header.keyId, 'hex'), 120)
  view.setUint32(136, header.segmentInRun)
  const checksum = checksums[header.version]
  view.setUint32(140, checksum(bytes.subarray(0, 140), checksum(init, 0)))
  return bytes
}

/** Undefined if the bytes aren't a HEADER of a known version, or the checksum over `init` and the header is wrong. */
export function decodeHeader(bytes: Uint8Array, init: Uint8Array): SegmentHeader | undefined {
  if (bytes.length < HEADER_BYTES || !isBox(bytes, HEADER_UUID)) return undefined
  const view = viewOf(bytes)
  const version = view.getUint16(24)
  if (!isKnownVersion(version)) return undefined
  const checksum = checksums[version]
  if (view.getUint32(140) !== checksum(bytes.subarray(0, 140), checksum(init, 0))) return undefined
  const stream = Buffer.from(bytes.subarray(48, 64)).toString('latin1').replace(/\0+$/, '')
  if (view.getUint32(28) !== TIME_SCALE || !isStreamName(stream)) return undefined
  return {
    version,
    accountId: readNumber(view, 32),
    cameraId: readNumber(view, 40),
    stream,
    kind: (view.getUint16(26) & EVENT_FLAG) === 0 ? 'continuous' : 'event',
    segmentId: hex(bytes.subarray(64, 80)),
    runId: hex(bytes.subarray(80, 96)),
    fence: readNumber(view, 96),
    start: readNumber(view, 104),
    baseTime: readNumber(view, 112),
    keyId: hex(bytes.subarray(120, 136)),
    segmentInRun: view.getUint32(136),
    ...((view.getUint16(26) & CARD_FLAG) === 0 ? {} : { origin: 'card' as const }),
  }
}

/**
 * The checksum of a part covers the segment's id (so that a part of another file, left in a block of the disk, is never
 * accepted as one of this file), the envelope before the checksum, and the payload.
 */
export class PartChecksum {
  readonly #checksum: (bytes: Uint8Array, previous: number) => number
  readonly #seed: number

  constructor({ version, segmentId }: Pick<SegmentHeader, 'version' | 'segmentId'>) {
    this.#checksum = checksums[version]
    this.#seed = this.#checksum(Buffer.from(segmentId, 'hex'), 0)
  }

  of(envelope: Uint8Array, payload: readonly Uint8Array[]): number {
    let crc = this.#checksum(envelope.subarray(0, PART_SIGNED_BYTES), this.#seed)
    for (const chunk of payload) crc = this.#checksum(chunk, crc)
    return crc
  }
}

/** Without its checksum, which is in the last four bytes ({@link PartChecksum}). */
export function encodePart(part: Omit<PartEnvelope, 'crc'>): { bytes: Uint8Array; seal: (crc: number) => void } {
  const { bytes, view } = openBox(PART_BYTES, PART_UUID)
  view.setUint32(24, part.sequence)
  view.setUint32(28, encodeFlags(part))
  view.setBigUint64(32, BigInt(part.time))
  view.setUint32(40, part.duration)
  view.setUint32(44, part.payloadBytes)
  view.setBigUint64(48, BigInt(part.wallClock))
  view.setBigUint64(56, BigInt(part.cameraClock ?? 0))
  view.setUint32(64, part.pictures)
  return { bytes, seal: (crc) => view.setUint32(PART_BYTES - 4, crc) }
}

/** Undefined if the bytes don't begin a part. Its content is trusted only after the checksum. */
export function decodePart(bytes: Uint8Array): PartEnvelope | undefined {
  if (bytes.length < PART_BYTES || !isBox(bytes, PART_UUID)) return undefined
  const view = viewOf(bytes)
  const cameraClock = readNumber(view, 56)
  return {
    sequence: view.getUint32(24),
    ...decodeFlags(view.getUint32(28)),
    time: readNumber(view, 32),
    duration: view.getUint32(40),
    payloadBytes: view.getUint32(44),
    wallClock: readNumber(view, 48),
    cameraClock: cameraClock === 0 ? undefined : cameraClock,
    pictures: view.getUint32(64),
    crc: view.getUint32(PART_BYTES - 4),
  }
}

export function encodeIndex(index: SegmentIndex): Uint8Array {
  const entryBytes = INDEX_ENTRY_BYTES[index.version]
  const size = INDEX_HEAD_BYTES + index.parts.length * entryBytes + INDEX_TAIL_BYTES
  const { bytes, view } = openBox(size, INDEX_UUID)
  view.setUint32(24, index.parts.length)
  view.setUint32(28, ENDS.indexOf(index.end))
  let at = INDEX_HEAD_BYTES
  for (const [number, part] of index.parts.entries()) {
    view.setBigUint64(at, BigInt(part.offset))
    view.setBigUint64(at + 8, BigInt(part.time))
    view.setBigUint64(at + 16, BigInt(part.wallClock))
    view.setUint32(at + 24, part.bytes)
    view.setUint32(at + 28, part.duration)
    view.setUint32(at + 32, encodeFlags(part))
    view.setUint32(at + 36, part.pictures)
    const digest = index.digests[number]
    if (index.version === 2 && digest !== undefined) bytes.set(digest, at + ENTRY_DIGEST)
    at += entryBytes
  }
  bytes.set(index.sha256, at)
  view.setUint32(at + 32, size)
  view.setUint32(at + 36, checksums[index.version](bytes.subarray(0, size - 4), 0))
  return bytes
}

/** Bytes of the INDEX box that ends a file, from that file's last eight; undefined if they name an impossible size. */
export function indexBytes(foot: Uint8Array, version: FormatVersion): number | undefined {
  const size = viewOf(foot).getUint32(0)
  const entries = size - INDEX_HEAD_BYTES - INDEX_TAIL_BYTES
  const entryBytes = INDEX_ENTRY_BYTES[version]
  return entries >= 0 && entries % entryBytes === 0 && entries / entryBytes <= MAX_PARTS ? size : undefined
}

/** Undefined if the bytes aren't an INDEX or its checksum is wrong. */
export function decodeIndex(bytes: Uint8Array, version: FormatVersion): SegmentIndex | undefined {
  if (!isBox(bytes, INDEX_UUID)) return undefined
  const view = viewOf(bytes)
  const end = ENDS[view.getUint32(28)]
  const count = view.getUint32(24)
  const entryBytes = INDEX_ENTRY_BYTES[version]
  if (bytes.length !== INDEX_HEAD_BYTES + count * entryBytes + INDEX_TAIL_BYTES || end === undefined) return undefined
  if (view.getUint32(bytes.length - 4) !== checksums[version](bytes.subarray(0, bytes.length - 4), 0)) return undefined
  const parts = Array.from({ length: count }, (_, index): IndexedPart => {
    const at = INDEX_HEAD_BYTES + index * entryBytes
    return {
      offset: readNumber(view, at),
      time: readNumber(view, at + 8),
      wallClock: readNumber(view, at + 16),
      bytes: view.getUint32(at + 24),
      duration: view.getUint32(at + 28),
      ...decodeFlags(view.getUint32(at + 32)),
      pictures: view.getUint32(at + 36),
    }
  })
  const digestAt = (index: number): Uint8Array => {
    const at = INDEX_HEAD_BYTES + index * entryBytes + ENTRY_DIGEST
    return bytes.slice(at, at + DIGEST_BYTES)
  }
  const digests = version === 1 ? [] : parts.map((_, index) => digestAt(index))
  return { version, parts, digests, end, sha256: bytes.slice(bytes.length - INDEX_TAIL_BYTES, bytes.length - 8) }
}

/** The run's end that corresponds to a segment's end: none if the run continues in the next segment. */
export const toRunEnd = (end: SegmentEnd): RunEnd | undefined =>
  isRunEnd(end) && end !== 'parameters' ? end : undefined

/** When the last picture of these parts ends, in milliseconds since 1970; undefined without parts. */
export function getPartsEnd(parts: readonly PartInfo[]): number | undefined {
  const last = parts.at(-1)
  return last && last.wallClock + Math.round(last.duration / (TIME_SCALE / 1000))
}
