import { AAC_FRAME_SAMPLES, opusPacketSamples } from '../codec/index.ts'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { Sample } from '../mux/index.ts'

/** Access units that go to disk together: at most one GOP, beginning with a key picture or continuing one. */
export interface Part {
  readonly samples: readonly Sample[]
  /**
   * Decode time of the first picture (of the first audio frame if there is none), in ticks since the start of the run.
   */
  readonly time: number
  readonly duration: number
  readonly wallClock: number
  readonly cameraClock: number | undefined
  readonly isKey: boolean
  /** As in {@link AccessUnit}; 0 unless the part begins with a recovery point. */
  readonly recovery: number
  readonly pictures: number
}

interface Waiting {
  readonly track: number
  readonly unit: AccessUnit
}

/**
 * A part is closed by the first picture this long after its beginning. Less than the promised second, because a crash
 * loses the open part and the picture whose successor hasn't arrived.
 */
const PART_TICKS = 0.8 * TICKS_PER_SECOND

/** The assumed duration of a picture without predecessor and successor: 25 pictures a second. */
const ASSUMED_PICTURE_TICKS = TICKS_PER_SECOND / 25

const PCM_RATE = 8000
const OPUS_RATE = 48_000
const OPUS_USUAL_SAMPLES = 960

/** Samples and their rate in one audio frame, from the codec. */
function audioSamples(track: TrackConfig, unit: AccessUnit): readonly [samples: number, rate: number] {
  const [frame = new Uint8Array(0)] = unit.units
  if (track.codec === 'aac') return [AAC_FRAME_SAMPLES, track.sampleRate]
  if (track.codec === 'opus') return [opusPacketSamples(frame) ?? OPUS_USUAL_SAMPLES, OPUS_RATE]
  return [frame.length / (track.kind === 'audio' ? track.channels : 1), PCM_RATE]
}

/** The duration of an audio frame; the next frame's time is used instead if there is one. */
export function audioTicks(track: TrackConfig, unit: AccessUnit): number {
  const [samples, rate] = audioSamples(track, unit)
  return Math.round((samples * TICKS_PER_SECOND) / rate)
}

/** Gathers units into parts. Pure: it knows no clock and no disk. */
export class PartAssembler {
  readonly #tracks: readonly TrackConfig[]
  /** The track whose pictures begin and end parts; -1 if there is only sound. */
  readonly #leading: number
  #waiting: Waiting[] = []
  /** Between the last two pictures. */
  #pictureTicks = ASSUMED_PICTURE_TICKS
  #lastTime: number | undefined

  constructor(tracks: readonly TrackConfig[]) {
    this.#tracks = tracks
    this.#leading = tracks.findIndex((track) => track.kind === 'video')
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Units of this track begin and end parts, and a key picture among them can start a segment. */
  leads(track: number): boolean {
    return this.#leading === -1 || track === this.#leading
  }

  /** Adds the next unit; returns the part that it closes, which doesn't contain it. */
  add(track: number, unit: AccessUnit): Part | undefined {
    const leads = this.leads(track)
    const closed = leads && this.#mustClose(unit) ? this.#close(unit.time) : undefined
    if (leads && this.#lastTime !== undefined && unit.time > this.#lastTime)
      this.#pictureTicks = unit.time - this.#lastTime
    if (leads) this.#lastTime = unit.time
    this.#waiting.push({ track, unit })
    return closed
  }

  /**
   * Closes the part without waiting for a successor, at the end of a stream or when time is up.
   * @param sinceLast ticks since the last picture arrived: it lasts at least that long.
   */
  flush(sinceLast: number): Part | undefined {
    if (this.#waiting.length === 0) return undefined
    const last = this.#waiting.findLast((waiting) => this.leads(waiting.track))
    return this.#close(last && last.unit.time + Math.max(this.#pictureTicks, Math.round(sinceLast)))
  }

  discard(): void {
    this.#waiting = []
  }

  #mustClose(next: AccessUnit): boolean {
    if (this.#leading !== -1 && next.isKey) return this.#waiting.length > 0
    const first = this.#waiting.find((waiting) => this.leads(waiting.track))
    return first !== undefined && next.time - first.unit.time >= PART_TICKS
  }

  #close(nextPicture: number | undefined): Part {
    const waiting = this.#waiting
    this.#waiting = []
    const samples = this.#withDurations(waiting, nextPicture)
    const leading = samples.filter((sample) => this.leads(sample.track))
    const first = (leading[0] ?? samples[0]) as Sample
    const last = (leading.at(-1) ?? samples.at(-1)) as Sample
    const pictures = samples.filter((sample) => sample.unit.kind === 'video').length
    return {
      samples,
      time: first.unit.time,
      duration: last.unit.time + last.duration - first.unit.time,
      wallClock: first.unit.wallClock,
      cameraClock: first.unit.cameraClock,
      isKey: leading[0]?.unit.isKey ?? false,
      recovery: leading[0]?.unit.recovery ?? 0,
      pictures,
    }
  }

  /** Each unit lasts until the next of its track; the last picture until the next picture, the last sound as long as it says. */
  #withDurations(waiting: readonly Waiting[], nextPicture: number | undefined): readonly Sample[] {
    const following = new Map<number, number>()
    const samples: Sample[] = []
    for (const { track, unit } of waiting.toReversed()) {
      const config = this.#tracks[track] as TrackConfig
      const next = following.get(track) ?? (config.kind === 'video' ? nextPicture : undefined)
      samples.push({ track, unit, duration: next === undefined ? audioTicks(config, unit) : next - unit.time })
      following.set(track, unit.time)
    }
    return samples.reverse()
  }
}
