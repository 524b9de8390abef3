import { type Layout, type LayoutTile, sideOfGrid } from '@sightline/contract/saved-views'

const grids = [1, 4, 9] as const

/** Cameras in the order of their tiles, as a layout: row by row in the smallest grid that holds them. */
export function layoutOfCameras(cameraIds: readonly number[]): Pick<Layout, 'grid' | 'tiles'> {
  const grid = grids.find((cells) => cells >= cameraIds.length) ?? 9
  const side = sideOfGrid(grid)
  const tiles = cameraIds.map((cameraId, place) => ({
    x: place % side,
    y: Math.floor(place / side),
    w: 1,
    h: 1,
    cameraId,
  }))
  return { grid, tiles }
}

/** The cameras of a layout, row by row. Multiview gives each the same room. */
export const camerasOfLayout = (tiles: readonly LayoutTile[]): readonly number[] =>
  tiles.toSorted((a, b) => a.y - b.y || a.x - b.x).map(({ cameraId }) => cameraId)
