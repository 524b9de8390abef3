import { steersText } from '../user-details/index.ts'

/** The most cameras that are shown at once (specification §9, multiview). */
export const MAX_VIEW_CAMERAS = 9

const MAX_NAME_LENGTH = 64

/** What is wrong with the name of a group, sequence or layout: 1-64 characters, none of them invisible ones that steer what shows them. */
export function savedViewNameProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Name is required'
  if ([...text].length > MAX_NAME_LENGTH) return 'Name should be 1-64 characters'
  return steersText(text) ? 'Please enter a valid name' : undefined
}

/** Where a camera is in a grid, in cells from the top left. */
export interface LayoutTile {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly cameraId: number
}

/** Cells in a row or column of a grid of 1, 4 or 9. */
export const sideOfGrid = (grid: number): number => Math.sqrt(grid)

/** What is wrong with the tiles of a layout, or undefined. */
export function tilesProblem(grid: number, tiles: readonly LayoutTile[]): string | undefined {
  const side = sideOfGrid(grid)
  if (tiles.some(({ x, y, w, h }) => x + w > side || y + h > side))
    return `must be inside the grid of ${side} × ${side}`
  if (new Set(tiles.map(({ cameraId }) => cameraId)).size < tiles.length) return 'each camera once'
  const cells = tiles.flatMap(cellsOf)
  return new Set(cells).size < cells.length ? 'must not overlap' : undefined
}

const cellsOf = ({ x, y, w, h }: LayoutTile): readonly string[] =>
  Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`)
