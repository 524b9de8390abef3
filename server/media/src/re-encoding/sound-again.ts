import {
  type AddedSound,
  type ClipPiece,
  type ClipSoundSource,
  type EncodedPacket,
  soundFragment,
  TICKS_PER_SAMPLE,
} from '../clips/index.ts'
import { AAC_FRAME_SAMPLES } from '../codec/index.ts'
import type { SoundEncoder } from '../decoder/index.ts'
import type { TrackConfig } from '../frame/index.ts'
import { readFragment } from '../mux/index.ts'
import { g711Values } from '../sound/index.ts'

/** A shorter break is jitter and isn't filled with silence. */
const JITTER_SAMPLES = 160
/** The encoder hears so much after a packet, silence if there is nothing else, before it is waited for. */
const AHEAD_SAMPLES = 7000
const SILENCE = new Int16Array(8000)

/** Encodes the G.711 sound of a clip while the clip is read: each sample is heard at the time at which it was recorded. */
export class SoundAgain implements ClipSoundSource {
  readonly #plan: AddedSound
  readonly #encoder: SoundEncoder
  /** Samples given to the encoder. */
  #given = 0

  constructor(plan: AddedSound, encoder: SoundEncoder) {
    this.#plan = plan
    this.#encoder = encoder
  }

  /** Hears a piece, before its times are changed. @param payload as on the disk. */
  async hear(
    payload: Uint8Array,
    tracks: readonly TrackConfig[],
    { shift, runFrom }: Pick<ClipPiece, 'shift' | 'runFrom'>,
  ): Promise<void> {
    for (const { track, unit } of readFragment(payload, tracks, { origin: shift, wallClockAtZero: 0 })) {
      const codec = tracks[track]?.codec
      if ((codec !== 'pcma' && codec !== 'pcmu') || unit.time < runFrom) continue
      const values = g711Values[codec]
      for (const codes of unit.units)
        await this.#push(
          unit.time,
          Int16Array.from(codes, (code) => values[code] ?? 0),
        )
    }
  }

  async #push(time: number, samples: Int16Array): Promise<void> {
    const at = Math.round(time / TICKS_PER_SAMPLE)
    if (at > this.#given + JITTER_SAMPLES) await this.#fill(at)
    const isEarly = at < this.#given - JITTER_SAMPLES
    await this.#give(isEarly ? samples.subarray(Math.min(samples.length, this.#given - at)) : samples)
  }

  async #fill(till: number): Promise<void> {
    while (this.#given < till) await this.#give(SILENCE.subarray(0, till - this.#given))
  }

  async #give(samples: Int16Array): Promise<void> {
    this.#given += samples.length
    if (samples.length > 0) await this.#encoder.push(samples)
  }

  /** What comes after a piece, in exactly the room that was planned for it. @param index of the piece. */
  async take(index: number): Promise<readonly Uint8Array[]> {
    const { packets, placed } = this.#plan
    const due = packets[index] ?? []
    const last = due.at(-1)
    if (last === undefined) return []
    await this.#fill((last + 1) * AAC_FRAME_SAMPLES + AHEAD_SAMPLES)
    if (index === packets.length - 1) this.#encoder.finish()
    const encoded: EncodedPacket[] = []
    for (const number of due) encoded.push({ number, bytes: await this.#encoder.packet(number) })
    // Numbers of fragments count up; those of the parts are their own.
    return soundFragment(encoded, { sequence: index + 1, placed })
  }

  [Symbol.dispose](): void {
    this.#encoder[Symbol.dispose]()
  }
}
