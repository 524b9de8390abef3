import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { audioTicks } from './part-assembler.ts'

const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** Times of a camera are rounded; a frame that is this near follows the one before without a gap or an overlap. */
const NEAR_TICKS = 20 * TICKS_PER_MS

/**
 * Places sound that a card replayed: by the time that its packet said, in milliseconds since 1970, not by when it arrived, because a
 * replay is faster than real time. `start` is time 0 of the run; sound before `from` (in ticks of the run) is left out. Frames
 * continue what ended at `after`, if they are near it.
 */
export function placeCardSound(
  units: readonly AccessUnit[],
  { track, start, from, after }: { track: TrackConfig; start: number; from: number; after: number | undefined },
): { readonly placed: readonly AccessUnit[]; readonly end: number | undefined } {
  const placed: AccessUnit[] = []
  let packet: AccessUnit | undefined
  let end = after
  for (const unit of units) {
    // Frames of one packet have its time, and their own distances.
    if (packet?.wallClock !== unit.wallClock) packet = unit
    const said = Math.round((packet.wallClock - start) * TICKS_PER_MS) + (unit.time - packet.time)
    const time: number = end !== undefined && Math.abs(said - end) <= NEAR_TICKS ? end : said
    // Times never go back within a track.
    if (time < from || (end !== undefined && time < end)) continue
    placed.push({ ...unit, time })
    end = time + audioTicks(track, unit)
  }
  return { placed, end }
}
