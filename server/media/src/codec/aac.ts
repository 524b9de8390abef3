import type { TrackConfig } from '../frame/index.ts'
import { BitReader } from './bit-reader.ts'

/** What an AudioSpecificConfig says (ISO 14496-3 §1.6.2.1). */
export interface AacConfig {
  /** 2 is AAC-LC, 5 is SBR (HE-AAC), 29 is SBR with parametric stereo. */
  readonly objectType: number
  /** Of the core coder: with SBR what is heard has twice the rate. */
  readonly sampleRate: number
  readonly channels: number
}

/** Samples in one frame, for all object types met in cameras. */
export const AAC_FRAME_SAMPLES = 1024

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
const EXPLICIT_RATE = 15
const ESCAPED_OBJECT_TYPE = 31
const MAX_CONFIG_BYTES = 64

/** undefined if it is cut short, names a reserved rate, or leaves the channels to a program element (not seen in cameras). */
export function parseAudioSpecificConfig(bytes: Uint8Array): AacConfig | undefined {
  if (bytes.length > MAX_CONFIG_BYTES) return undefined
  const reader = new BitReader(bytes)
  const objectType = readObjectType(reader)
  const sampleRate = readRate(reader)
  const channelConfiguration = reader.bits(4)
  const channels = channelConfiguration === 7 ? 8 : channelConfiguration
  if (reader.overrun || sampleRate === undefined || sampleRate < 1000 || sampleRate > 192_000) return undefined
  return objectType > 0 && channels >= 1 && channels <= 8 ? { objectType, sampleRate, channels } : undefined
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5)
  return type === ESCAPED_OBJECT_TYPE ? 32 + reader.bits(6) : type
}

function readRate(reader: BitReader): number | undefined {
  const index = reader.bits(4)
  return index === EXPLICIT_RATE ? reader.bits(24) : RATES[index]
}

/** The two or five bytes that describe a plain stream; object types up to 30. */
export function buildAudioSpecificConfig({ objectType, sampleRate, channels }: AacConfig): Uint8Array {
  const index = RATES.indexOf(sampleRate)
  const channelBits = channels === 8 ? 7 : channels
  if (index >= 0) return Uint8Array.of((objectType << 3) | (index >> 1), ((index & 1) << 7) | (channelBits << 3))
  // 5 bits type, 4 bits "explicit", 24 bits rate, 4 bits channels, 3 bits of nothing
  const high = (objectType << 11) | (EXPLICIT_RATE << 7) | (sampleRate >> 17)
  const low = ((sampleRate & 0x1_ff_ff) << 7) | (channelBits << 3)
  return Uint8Array.of(high >> 8, high & 0xff, (low >>> 16) & 0xff, (low >>> 8) & 0xff, low & 0xff)
}

export interface AdtsHeader {
  readonly config: AacConfig
  readonly headerBytes: number
  /** Header included. */
  readonly frameBytes: number
}

/** Reads the header at the start of an ADTS frame (ISO 13818-7 §6.2); undefined if there is none. */
export function parseAdts(bytes: Uint8Array): AdtsHeader | undefined {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0] = bytes
  if (bytes.length < 7 || b0 !== 0xff || (b1 & 0xf6) !== 0xf0) return undefined
  const sampleRate = RATES[(b2 >> 2) & 0x0f]
  const channelConfiguration = ((b2 & 1) << 2) | (b3 >> 6)
  const headerBytes = (b1 & 1) === 1 ? 7 : 9
  const frameBytes = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5)
  if (sampleRate === undefined || channelConfiguration === 0 || frameBytes < headerBytes) return undefined
  const channels = channelConfiguration === 7 ? 8 : channelConfiguration
  return { config: { objectType: (b2 >> 6) + 1, sampleRate, channels }, headerBytes, frameBytes }
}

/**
 * The 7-byte header with which `frame` can be played without the others; undefined if the configuration has no ADTS
 * form or the frame is too long.
 */
export function buildAdts(config: AacConfig, frame: Uint8Array): Uint8Array | undefined {
  const index = RATES.indexOf(config.sampleRate)
  const total = frame.length + 7
  if (index < 0 || config.objectType > 4 || total > 0x1f_ff) return undefined
  const channelBits = config.channels === 8 ? 7 : config.channels
  return Uint8Array.of(
    0xff,
    0xf1,
    ((config.objectType - 1) << 6) | (index << 2) | (channelBits >> 2),
    ((channelBits & 3) << 6) | (total >> 11),
    (total >> 3) & 0xff,
    ((total & 7) << 5) | 0x1f,
    0xfc,
  )
}

/** The track an AudioSpecificConfig describes, or undefined if it cannot be read. */
export function aacTrack(config: Uint8Array): Extract<TrackConfig, { kind: 'audio' }> | undefined {
  const parsed = parseAudioSpecificConfig(config)
  if (parsed === undefined) return undefined
  const { objectType, sampleRate, channels } = parsed
  return { kind: 'audio', codec: 'aac', codecString: `mp4a.40.${objectType}`, sampleRate, channels, config }
}
