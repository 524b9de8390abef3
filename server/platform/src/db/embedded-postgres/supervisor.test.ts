import { expect, test } from 'vitest'
import { restartPauseMs } from './supervisor.ts'

test('the first restart comes at once, later ones after growing pauses of at most 30 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1000].map(restartPauseMs)).toEqual([
    200, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})
