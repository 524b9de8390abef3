import type { TrackConfig } from '../frame/index.ts'
import { browserTracks, initSegment, type Sample } from '../mux/index.ts'

/** Which of the recorded tracks a viewer gets, and how their samples are numbered then. */
export class SelectedTracks {
  #init: Uint8Array | undefined
  #numberOf = new Map<number, number>()
  shown: readonly TrackConfig[] = []

  forget(): void {
    this.#init = undefined
  }

  /** Returns whether the viewer must be notified. */
  change(recorded: readonly TrackConfig[], sound: 'played' | 'left-out'): boolean {
    const kept = browserTracks(recorded).filter((track) => track.kind === 'video' || sound === 'played')
    const init = initSegment(kept)
    if (this.#init !== undefined && Buffer.from(this.#init).equals(init)) return false
    this.#init = init
    this.shown = kept
    this.#numberOf = new Map(kept.map((track, number) => [recorded.indexOf(track), number]))
    return true
  }

  pick(samples: readonly Sample[]): readonly Sample[] {
    return samples.flatMap((sample) => {
      const track = this.#numberOf.get(sample.track)
      return track === undefined ? [] : [{ ...sample, track }]
    })
  }
}
