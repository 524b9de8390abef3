import { crossesLine, type VideoDetection } from '@sightline/contract/detectors'
import { COLUMNS, connectedBlocks, ROWS } from './blocks.ts'

/** Something that moves, by the middle of its blocks, in shares of the picture. */
interface Body {
  readonly x: number
  readonly y: number
}

interface Track extends Body {
  readonly at: number
  /** When it last crossed each tripwire. */
  readonly crossed: ReadonlyMap<number, number>
}

/** Connected blocks of something that is followed; fewer are noise. */
const MIN_BLOCKS = 2
/** What moves farther between two pictures is something else. */
const MAX_STEP = 0.25
/** What isn't seen for so long is gone. */
const MAX_GONE_MS = 3000
/** The shape of what moves changes, so that its middle may go back and forth over a line. */
const AGAIN_MS = 2000
/** More bodies are leaves or rain. */
const MAX_BODIES = 24

type Area = VideoDetection['areas'][number]

/** Follows what moves from picture to picture, and finds out which tripwires it crosses in their direction. Pure. */
export class TripwireWatch {
  #areas: readonly Area[] | undefined
  #wires: readonly Area[] = []
  #tracks: readonly Track[] = []

  /** Applies from the next picture on. */
  tune(areas: readonly Area[]): void {
    if (areas === this.#areas) return
    this.#areas = areas
    this.#wires = areas.filter(({ kind, enabled }) => kind === 'tripwire' && enabled)
  }

  /** Whether something moves that may cross one: then every picture counts. */
  get isAlert(): boolean {
    return this.#tracks.length > 0
  }

  /**
   * The next picture's moving blocks, 32 × 18; `at` in milliseconds since 1970. Returns the ids of the tripwires that were
   * crossed since the picture before.
   */
  add(at: number, moving: Uint8Array): readonly number[] {
    if (this.#wires.length === 0) {
      this.#tracks = []
      return []
    }
    const waiting = this.#tracks.filter((track) => at >= track.at && at - track.at <= MAX_GONE_MS)
    const found: number[] = []
    const next: Track[] = []
    for (const body of bodiesOf(moving)) {
      const before = takeNearest(waiting, body)
      const crossed = new Map(before?.crossed)
      for (const wire of before === undefined ? [] : this.#wires) {
        const isAgain = at - (crossed.get(wire.areaId) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS
        if (before === undefined || !crossesLine(wire, [before.x, before.y], [body.x, body.y])) continue
        crossed.set(wire.areaId, at)
        if (!isAgain) found.push(wire.areaId)
      }
      next.push({ ...body, at, crossed })
    }
    this.#tracks = [...next, ...waiting]
    return [...new Set(found)]
  }

  /** The camera is lost, or sends another stream. */
  end(): void {
    this.#tracks = []
  }
}

function bodiesOf(moving: Uint8Array): readonly Body[] {
  const bodies = connectedBlocks(moving).filter((blocks) => blocks.length >= MIN_BLOCKS)
  if (bodies.length > MAX_BODIES) return []
  return bodies.map((blocks) => {
    let [x, y] = [0, 0]
    for (const block of blocks) {
      x += (block % COLUMNS) + 0.5
      y += Math.floor(block / COLUMNS) + 0.5
    }
    return { x: x / blocks.length / COLUMNS, y: y / blocks.length / ROWS }
  })
}

/** Takes the track that was nearest to the body out of those that wait. */
function takeNearest(waiting: Track[], { x, y }: Body): Track | undefined {
  const distances = waiting.map((track) => Math.hypot(track.x - x, track.y - y))
  const nearest = Math.min(...distances)
  return nearest <= MAX_STEP ? waiting.splice(distances.indexOf(nearest), 1)[0] : undefined
}
