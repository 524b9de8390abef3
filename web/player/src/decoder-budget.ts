/** How a tile of several is played: its main stream, the sub-stream, or key pictures where there is no sub-stream. */
export type TileSize = 'full' | 'small' | 'many'

/** Main streams of cameras without a sub-stream that are decoded whole, on any device. One in 1080p takes 0.6 of a core without hardware. */
const MOST_MAIN_STREAMS = 4

/**
 * Divides what the device can decode among `count` tiles. A camera alone has its main stream. With more tiles than `cores`, but at
 * most {@link MOST_MAIN_STREAMS}, main streams are only shown by their key pictures.
 */
export function tileSize({ count, cores }: { readonly count: number; readonly cores: number }): TileSize {
  if (count === 1) return 'full'
  return count > Math.min(MOST_MAIN_STREAMS, Math.max(2, cores)) ? 'many' : 'small'
}
