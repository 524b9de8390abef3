import { makeGreyStart } from '../codec/index.ts'
import type { TrackConfig } from '../frame/index.ts'
import type { Sample } from './fragment.ts'

/** For a decoder that starts with these samples: a gray picture takes the first tick of the recovery point that it begins with. */
export function startingGrey(samples: readonly Sample[], tracks: readonly TrackConfig[]): readonly Sample[] {
  const at = samples.findIndex(({ unit }) => unit.kind === 'video')
  const first = samples[at]
  const grey = first && makeGreyStart(first.unit, tracks[first.track])
  if (first === undefined || grey === undefined) return samples
  const { track, unit, duration } = first
  const start = { track, unit: { ...grey, time: unit.time }, duration: 1 }
  return samples.toSpliced(at, 1, start, { track, unit: { ...unit, time: unit.time + 1 }, duration: duration - 1 })
}
