import type { SnapshotAnswer, SnapshotFormat } from '@sightline/contract/media-plane'
import type { CodedPicture, Decoder } from '../decoder/index.ts'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { Hub, KeyPicture } from '../hub/index.ts'
import { fragment, initSegment } from '../mux/index.ts'

/** A picture older than this is not one of now; the camera counts as offline then. */
const MAX_AGE_MS = 30_000

/** The newest key picture of a hub, as the caller wants it. */
export async function takeSnapshot(
  hub: Hub,
  wanted: { format: SnapshotFormat; width?: number | undefined; now: number; decoder: Decoder | undefined },
): Promise<SnapshotAnswer> {
  const picture = hub.latestKeyPicture()
  if (picture === undefined || wanted.now - picture.unit.wallClock > MAX_AGE_MS) return { kind: 'cameraOffline' }
  const takenAt = picture.unit.wallClock
  if (picture.lead !== undefined && !isWhole(picture.lead)) return { kind: 'cameraOffline' }
  if (wanted.format === 'mp4') {
    if (picture.lead !== undefined) return { kind: 'noDecoder' }
    return { kind: 'picture', contentType: 'video/mp4', bytes: asSingleSample(picture), takenAt }
  }
  const track = picture.tracks.find((candidate) => candidate.kind === 'video')
  const { decoder } = wanted
  if (decoder === undefined || track === undefined) return { kind: 'noDecoder' }
  const draw = (coded: CodedPicture) =>
    wanted.format === 'blurredJpeg' ? decoder.toBlurredJpeg(coded) : decoder.toJpeg(coded, wanted.width)
  try {
    return {
      kind: 'picture',
      contentType: 'image/jpeg',
      bytes: await draw({ track, units: [...(picture.lead ?? []), picture.unit], shown: picture.lead?.length ?? 0 }),
      takenAt,
    }
  } catch {
    // The camera's picture may be undecodable; callers can still try the MP4 sample.
    return { kind: 'timedOut' }
  }
}

/** Without enough pictures before it, a recovery point is mostly a guess. */
function isWhole([start, ...others]: readonly AccessUnit[]): boolean {
  return start !== undefined && others.length + 1 >= (start.recovery ?? 0)
}

/** A whole MP4 of one sample that lasts a second: browsers draw it, no decoder is needed here. */
export function asSingleSample({ tracks, unit }: KeyPicture): Uint8Array {
  const video = tracks
    .filter((track): track is Extract<TrackConfig, { kind: 'video' }> => track.kind === 'video')
    .slice(0, 1)
  // Without other pictures it is shown when it is decoded.
  const { compositionOffset: _, ...alone } = unit
  const samples = [{ track: 0, unit: alone, duration: TICKS_PER_SECOND }]
  const chunks = fragment({ sequence: 1, tracks: video, samples, origin: unit.time })
  return Buffer.concat([initSegment(video), ...chunks])
}
