import { expect, test } from 'vitest'
import { edgePan } from './use-drag.ts'

test('dragging in the middle does not pan the timeline', () => {
  expect(edgePan(400, 800)).toBe(0)
  expect(edgePan(30, 800)).toBe(0)
})

test('dragging at an edge pans beyond it, faster the closer the pointer is', () => {
  expect(edgePan(790, 800)).toBeGreaterThan(0)
  expect(edgePan(810, 800)).toBeGreaterThan(edgePan(790, 800))
  expect(edgePan(10, 800)).toBeLessThan(0)
  expect(edgePan(-20, 800)).toBeLessThan(edgePan(10, 800))
})
