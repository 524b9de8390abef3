import { expect, test } from 'vitest'
import { tileSize } from './decoder-budget.ts'

test('a camera alone has its main stream, several have the small one', () => {
  expect(tileSize({ count: 1, cores: 2 })).toBe('full')
  expect(tileSize({ count: 2, cores: 1 })).toBe('small')
  expect(tileSize({ count: 4, cores: 16 })).toBe('small')
})

test('where a main stream would have to be decoded for each of many tiles, key pictures are enough', () => {
  expect(tileSize({ count: 5, cores: 16 })).toBe('many')
  expect(tileSize({ count: 3, cores: 2 })).toBe('many')
  expect(tileSize({ count: 9, cores: 16 })).toBe('many')
})
