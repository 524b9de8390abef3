import type { Writable } from 'node:stream'
import { makeGreyStart } from '../codec/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

const START_CODE = Buffer.of(0, 0, 0, 1)
/** Tells the parser that a picture is complete; otherwise it would wait for the next one. */
const DELIMITERS = { h264: Buffer.of(0, 0, 0, 1, 9, 0xf0), h265: Buffer.of(0, 0, 0, 1, 0x46, 1, 0x50) } as const
/** A decoder that doesn't read fast enough misses pictures up to the next key picture. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024

const isParameterSet: Record<VideoTrack['codec'], (nal: Uint8Array) => boolean> = {
  h264: (nal) => [7, 8].includes((nal[0] ?? 0) & 31),
  h265: (nal) => [32, 33, 34].includes(((nal[0] ?? 0) >> 1) & 63),
}

export interface VideoInputOptions {
  /** The decoder's standard input. */
  readonly stdin: Writable
  readonly track: VideoTrack
  /** Called for each picture before it is written: when it arrived, or undefined if what the decoder makes of it isn't whole yet. */
  readonly onWrite: (at: number | undefined) => void
}

/** ffmpeg's options for reading what {@link videoInput} writes, so that each picture comes out as soon as it is written. */
export const videoInputArguments = ({ codec }: VideoTrack, options: readonly string[]): readonly string[] => [
  ...['-probesize', '32', '-analyzeduration', '0', '-flags', 'low_delay', '-flags2', 'fast+showall'],
  ...[...options, '-f', codec === 'h264' ? 'h264' : 'hevc', '-i', 'pipe:0'],
]

/** Writes a stream's pictures for a decoder, from a key picture on. */
export function videoInput({ stdin, track, onWrite }: VideoInputOptions): (picture: AccessUnit) => void {
  let toSkip = 0
  let waitsForKey = true
  const write = (picture: AccessUnit, at: number | undefined): void => {
    onWrite(at)
    stdin.write(toByteStream(track, picture))
  }
  const begin = (key: AccessUnit): void => {
    waitsForKey = false
    toSkip = key.recovery ?? 0
    const grey = makeGreyStart(key, track)
    if (grey !== undefined) write(grey, undefined)
  }
  return (picture) => {
    if (stdin.writableLength > MAX_WAITING_BYTES) waitsForKey = true
    if (waitsForKey && !picture.isKey) return
    if (waitsForKey) begin(picture)
    write(picture, toSkip-- > 0 ? undefined : picture.wallClock)
  }
}

/** NAL units with start codes (ITU-T H.264 annex B), with the parameter sets if a key picture doesn't bring its own. */
function toByteStream(track: VideoTrack, { isKey, units }: AccessUnit): Uint8Array {
  const sets = isKey && !units.some(isParameterSet[track.codec]) ? track.parameterSets : []
  return Buffer.concat([...[...sets, ...units].flatMap((unit) => [START_CODE, unit]), DELIMITERS[track.codec]])
}
