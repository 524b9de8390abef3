import { expect, test } from 'vitest'
import { profileAdded } from '../permission-profiles/index.ts'
import { brandThemePatch, resellerGiven } from '../resellers/index.ts'
import { packageGiven } from '../subscriptions/index.ts'
import { steersText } from './index.ts'

const steering = [
  '\r\n',
  '\u0000',
  '\u007f',
  '\u0085',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
]

test.each(steering)('%j steers the text it stands in, whatever name it is in', (character) => {
  const name = `Shop${character}door`
  expect(steersText(name)).toBe(true)
  const refused = [
    profileAdded.shape.name.safeParse(name),
    brandThemePatch.shape.companyName.safeParse(name),
    resellerGiven.shape.name.safeParse(name),
    packageGiven.shape.name.safeParse(name),
  ]
  expect(refused.map((parsed) => parsed.success)).toEqual([false, false, false, false])
})

test.each(['Köln – Süd', 'متجر', 'קומה 2', '👩‍👧 crèche', 'می‌خواهم'])('%j is a name', (name) => {
  expect(steersText(name)).toBe(false)
  expect(brandThemePatch.shape.companyName.safeParse(name).success).toBe(true)
})
