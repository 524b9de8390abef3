import { expect, test } from 'vitest'
import { edgePan } from './use-drag.ts'

test('a timeline that is held in the middle stays', () => {
  expect(edgePan(400, 800)).toBe(0)
  expect(edgePan(30, 800)).toBe(0)
})

test('held at an edge it goes on towards what is beyond, the faster the nearer', () => {
  expect(edgePan(790, 800)).toBeGreaterThan(0)
  expect(edgePan(810, 800)).toBeGreaterThan(edgePan(790, 800))
  expect(edgePan(10, 800)).toBeLessThan(0)
  expect(edgePan(-20, 800)).toBeLessThan(edgePan(10, 800))
})
