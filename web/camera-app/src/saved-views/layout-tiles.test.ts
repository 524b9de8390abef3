import { describe, expect, test } from 'vitest'
import { camerasOfLayout, layoutOfCameras } from './layout-tiles.ts'

describe('a layout', () => {
  test.each([
    [1, 1],
    [2, 4],
    [4, 4],
    [5, 9],
    [9, 9],
  ])('of %i cameras has a grid of %i, and gives them back in their order', (count, grid) => {
    const cameraIds = Array.from({ length: count }, (_, index) => 100 - index)
    const layout = layoutOfCameras(cameraIds)
    expect(layout.grid).toBe(grid)
    expect(new Set(layout.tiles.map(({ x, y }) => `${x},${y}`)).size).toBe(count)
    expect(camerasOfLayout(layout.tiles.toReversed())).toEqual(cameraIds)
  })
})
