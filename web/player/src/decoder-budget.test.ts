import { expect, test } from 'vitest'
import { pictureSize } from './decoder-budget.ts'

test('a camera alone has its main stream, several have the small one', () => {
  expect(pictureSize({ count: 1, cores: 2 })).toBe('full')
  expect(pictureSize({ count: 2, cores: 1 })).toBe('small')
  expect(pictureSize({ count: 4, cores: 16 })).toBe('small')
})

test('where a main stream would have to be decoded for each of many tiles, key pictures are enough', () => {
  expect(pictureSize({ count: 5, cores: 16 })).toBe('many')
  expect(pictureSize({ count: 3, cores: 2 })).toBe('many')
  expect(pictureSize({ count: 9, cores: 16 })).toBe('many')
})
