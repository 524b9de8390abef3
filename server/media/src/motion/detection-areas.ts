import { areaCovers, type VideoDetection } from '@sightline/contract/detectors'
import { COLUMNS, ROWS } from './blocks.ts'

/** Points of a block in each direction that are looked at. */
const SAMPLES = 4

/**
 * For each block whether motion counts there, 32 × 18: inside of an area of the kind intrusion, if there are any, and not
 * mostly in one of the kind exclusion.
 */
export function countedBlocks(areas: VideoDetection['areas']): Uint8Array {
  const used = areas.filter(({ enabled }) => enabled)
  const inside = used.filter(({ kind }) => kind === 'intrusion')
  const outside = used.filter(({ kind }) => kind === 'exclusion')
  const share = (block: number, within: typeof used): number => {
    let covered = 0
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const x = ((block % COLUMNS) + ((sample % SAMPLES) + 0.5) / SAMPLES) / COLUMNS
      const y = (Math.floor(block / COLUMNS) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / ROWS
      if (within.some(({ points }) => areaCovers(points, [x, y]))) covered++
    }
    return covered / (SAMPLES * SAMPLES)
  }
  const counts = (block: number) =>
    (inside.length === 0 || share(block, inside) > 0) && (outside.length === 0 || share(block, outside) < 0.5)
  return Uint8Array.from({ length: COLUMNS * ROWS }, (_, block) => (counts(block) ? 1 : 0))
}
