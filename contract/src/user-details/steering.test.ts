import { expect, test } from 'vitest'
import { newProfile } from '../permission-profiles/index.ts'
import { brandThemePatch, newReseller } from '../resellers/index.ts'
import { newPackage } from '../subscriptions/index.ts'
import { companyProblem, nameProblem, steersText } from './index.ts'

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
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u{e0041}',
]

test.each(steering)('%j can change how text is displayed and is refused in every kind of name', (character) => {
  const name = `Shop${character}door`
  expect(steersText(name)).toBe(true)
  const refused = [
    newProfile.shape.name.safeParse(name),
    brandThemePatch.shape.companyName.safeParse(name),
    newReseller.shape.name.safeParse(name),
    newPackage.shape.name.safeParse(name),
  ]
  expect(refused.map((parsed) => parsed.success)).toEqual([false, false, false, false])
})

test.each(['Köln – Süd', 'متجر', 'קומה 2', '👩‍👧 crèche', 'می‌خواهم', 'क्‍ष', '👩🏽‍💻'])('%j is a valid name', (name) => {
  expect(steersText(name)).toBe(false)
  expect(brandThemePatch.shape.companyName.safeParse(name).success).toBe(true)
})

test.each(['می‌', '‌می', 'a‌می‌b', '👩‍', 'می‌‌خواهم'])('a joiner at the edge of %j joins nothing and is refused', (name) => {
  expect(steersText(name)).toBe(true)
})

test('people and companies may have names in scripts that join letters', () => {
  expect(nameProblem('First', 'می‌خواهم')).toBeUndefined()
  expect(companyProblem('क्‍ष')).toBeUndefined()
  expect(nameProblem('First', 'Anna\u200dBelle')).toBeDefined()
})
