/** Pictures are judged in this size, in square blocks. */
export const WIDTH = 160
export const HEIGHT = 90
export const BLOCK = 5
export const COLUMNS = WIDTH / BLOCK
export const ROWS = HEIGHT / BLOCK

/** For each block, how many pixels differ from another picture by more than `levels`, after `light` is taken off. */
export function countDifferences(
  pixels: Uint8Array,
  other: ArrayLike<number>,
  { levels, light = 0 }: { readonly levels: number; readonly light?: number },
): Uint8Array {
  const counts = new Uint8Array(COLUMNS * ROWS)
  for (let at = 0; at < pixels.length; at++) {
    const difference = (pixels[at] ?? 0) - (other[at] ?? 0) - light
    if (difference <= levels && difference >= -levels) continue
    const block = pixelBlocks[at] ?? 0
    counts[block] = (counts[block] ?? 0) + 1
  }
  return counts
}

/** The block of each pixel. */
export const pixelBlocks = Uint16Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
  const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
  return Math.floor(y / BLOCK) * COLUMNS + Math.floor(x / BLOCK)
})

/** The number of blocks in the largest area of connected ones (1), with their corners. */
export const largestArea = (blocks: Uint8Array): number =>
  connectedBlocks(blocks).reduce((largest, { length }) => Math.max(largest, length), 0)

/** The areas of connected blocks (1), with their corners: the numbers of the blocks in each. */
export function connectedBlocks(blocks: Uint8Array): readonly (readonly number[])[] {
  const isSeen = new Uint8Array(blocks.length)
  const areas: number[][] = []
  for (let start = 0; start < blocks.length; start++) {
    if (blocks[start] !== 1 || isSeen[start] === 1) continue
    isSeen[start] = 1
    // Grows while it is read.
    const area = [start]
    for (const block of area)
      for (const next of neighbours(block)) {
        if (blocks[next] !== 1 || isSeen[next] === 1) continue
        isSeen[next] = 1
        area.push(next)
      }
    areas.push(area)
  }
  return areas
}

function neighbours(block: number): readonly number[] {
  const [column, row] = [block % COLUMNS, Math.floor(block / COLUMNS)]
  const found: number[] = []
  for (let y = Math.max(0, row - 1); y <= Math.min(ROWS - 1, row + 1); y++)
    for (let x = Math.max(0, column - 1); x <= Math.min(COLUMNS - 1, column + 1); x++) found.push(y * COLUMNS + x)
  return found
}
