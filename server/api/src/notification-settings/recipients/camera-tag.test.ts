import { expect, test } from 'vitest'
import { cameraTag } from './camera-tag.ts'

test('messages about the same cameras have one tag, in whatever order; those about others have another', () => {
  const both = cameraTag('motion', [7, 12])
  expect(cameraTag('motion', [12, 7])).toBe(both)
  expect(cameraTag('motion', [7])).toBe('motion-7')
  const others = [cameraTag('motion', [7, 13]), cameraTag('motion', [7, 12, 13]), cameraTag('deviceTrouble', [7, 12])]
  expect(new Set([both, 'motion-7', ...others]).size).toBe(5)
})

test('a tag is a topic of push services: at most 32 letters of the URL-safe alphabet', () => {
  expect(cameraTag('deviceTampered', [900_000_000_000_007, 900_000_000_000_008])).toMatch(/^[\w-]{1,32}$/)
})
