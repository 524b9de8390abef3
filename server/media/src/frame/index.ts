import type { UnitMemory } from './unit-memory.ts'

export { PictureCadence } from './picture-cadence.ts'
export { SlidingMinimum } from './sliding-minimum.ts'
export { holdUnit, keepUnit, releaseUnit, UnitMemory } from './unit-memory.ts'

/** Ticks per second of every time inside the media plane; RTP video uses the same clock (RFC 6184 §8.2.1). */
export const TICKS_PER_SECOND = 90_000

export type VideoCodec = 'h264' | 'h265'
export type AudioCodec = 'aac' | 'pcma' | 'pcmu' | 'opus'

/** What a camera says about a track before the first picture. A change of it begins a new segment. */
export type TrackConfig =
  | {
      readonly kind: 'video'
      readonly codec: VideoCodec
      /** RFC 6381, as a browser wants it: `avc1.4d0028`. */
      readonly codecString: string
      readonly width: number
      readonly height: number
      /** NAL units without start code or length: VPS (H.265 only), SPS, PPS. */
      readonly parameterSets: readonly Uint8Array[]
    }
  | {
      readonly kind: 'audio'
      readonly codec: AudioCodec
      readonly codecString: string
      readonly sampleRate: number
      readonly channels: number
      /** AudioSpecificConfig for AAC (ISO 14496-3), OpusHead for Opus, empty for G.711. */
      readonly config: Uint8Array
    }

/**
 * One coded picture or audio frame, byte for byte as the camera sent it.
 * Video is a list of NAL units without start codes or lengths (SEI included); audio is one frame.
 */
export interface AccessUnit {
  readonly kind: 'video' | 'audio'
  /** Decode time in ticks of {@link TICKS_PER_SECOND}, counted from the start of the run: never wraps, never goes back. */
  readonly time: number
  /**
   * Ticks from `time` until it is shown; absent if both are the same, as without B pictures and for sound. Below 0 only
   * for a few pictures after a camera began to reorder them without announcing it.
   */
  readonly compositionOffset?: number
  /** Server's wall clock when the first byte arrived, milliseconds since 1970. */
  readonly wallClock: number
  /** The camera's own clock for this picture, milliseconds since 1970; absent until it has sent it (RTCP sender report, RFC 3550 §6.4.1). */
  readonly cameraClock?: number
  /** Set on the first picture after some were lost or damaged on the way; it is a key picture. */
  readonly followsLoss?: true
  /** Set on the first picture after the camera's RTP clock jumped: its distance to the one before is only known by our clock. */
  readonly followsJump?: true
  /** A decoder can start here. Always true for audio. */
  readonly isKey: boolean
  /**
   * Of a key picture that is no whole picture: if a decoder starts here, the picture so many later is the first that is
   * as the camera sent it. Streams that refresh gradually have such recovery points instead of key pictures.
   */
  readonly recovery?: number
  readonly units: readonly Uint8Array[]
  /** Where they lie, if that is written to again once nobody holds it; absent if they stay as they are. */
  readonly memory?: readonly UnitMemory[]
}

/** When it is seen or heard, in ticks since the start of the run. */
export const getPresentationTime = ({ time, compositionOffset = 0 }: AccessUnit): number => time + compositionOffset

/** What a source publishes, in order. */
export type StreamMessage =
  /** Always before the first unit, and at each change. */
  | { readonly kind: 'tracks'; readonly tracks: readonly TrackConfig[] }
  /** `track` is an index into the tracks announced last. */
  | { readonly kind: 'unit'; readonly unit: AccessUnit; readonly track: number }
  /** The source is lost. Another 'tracks' may follow: a new run, whose time starts again. */
  | { readonly kind: 'ended'; readonly cause: string }
