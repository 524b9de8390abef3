import type { RtspAddress } from '../rtsp/rtsp-address.ts'

/** What decides whether a profile becomes a stream. */
export interface StreamProfile {
  /** Which picture it shows; empty or missing if the camera doesn't say. */
  readonly source?: string
  /** In the camera's spelling: `H264`, `H265`, `JPEG`; empty if it doesn't say. */
  readonly encoding: string
  /** 0 if the camera doesn't say. */
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly stream: RtspAddress
}

export interface ChosenStreams<Profile> {
  readonly main: Profile
  readonly sub: Profile | undefined
}

const MIN_FRAMES_PER_SECOND = 5
/** What is good enough for a tile, and no more than that: "around 640×480". */
const SUB_AREA = { from: 480 * 270, to: 1280 * 720, ideal: 640 * 480 }

const areaOf = ({ width, height }: StreamProfile): number => width * height
const isPlayable = ({ encoding }: StreamProfile): boolean => encoding === '' || /^H\.?26[45]$/i.test(encoding)
const isH264 = ({ encoding }: StreamProfile): boolean => /^H\.?264$/i.test(encoding)

/**
 * The streams of a camera. The main stream is the largest that can be played. The sub-stream is the smallest H.264 beside it that
 * is around 640×480 with at least 5 pictures a second, or the one nearest to that; H.264, because every browser plays it. Undefined
 * if nothing can be played.
 */
export function chooseStreams<Profile extends StreamProfile>(
  profiles: readonly Profile[],
): ChosenStreams<Profile> | undefined {
  const main = profiles.filter(isPlayable).toSorted((a, b) => areaOf(b) - areaOf(a))[0]
  if (main === undefined) return undefined
  const candidates = profiles.filter((profile) => isSubOf(main, profile)).toSorted((a, b) => areaOf(a) - areaOf(b))
  const fitting = candidates.find((profile) => areaOf(profile) >= SUB_AREA.from && areaOf(profile) <= SUB_AREA.to)
  const distance = (profile: Profile): number => Math.abs(Math.log(Math.max(areaOf(profile), 1) / SUB_AREA.ideal))
  const [nearest] = candidates.toSorted((a, b) => distance(a) - distance(b))
  return { main, sub: fitting ?? nearest }
}

function isSubOf<Profile extends StreamProfile>(main: Profile, profile: Profile): boolean {
  if (profile === main || !isH264(profile) || (profile.source ?? '') !== (main.source ?? '')) return false
  const { framesPerSecond, stream } = profile
  if (framesPerSecond > 0 && framesPerSecond < MIN_FRAMES_PER_SECOND) return false
  // Some cameras answer every profile with one address.
  if (stream.port !== main.stream.port || stream.path === main.stream.path) return false
  // Of the same size it is of use only if browsers can't play the main stream.
  return isH264(main) ? areaOf(profile) < areaOf(main) : areaOf(profile) <= areaOf(main)
}
