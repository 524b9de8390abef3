import { expect, test } from 'vitest'
import type { Translate } from '../text.ts'
import { gapText, skippedText } from './gap-text.ts'

const english = ((text: string, values: Record<string, string> = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')) as Translate
const place = { timeZone: 'Europe/Amsterdam', locale: 'en-GB' }
const evening = Date.UTC(2026, 10, 20, 21, 30)
const MINUTE = 60_000

test('a gap of minutes shows times, a shorter one also seconds', () => {
  const gap = { from: evening, till: evening + 5 * MINUTE, reason: 'cameraOffline' } as const
  expect(gapText(gap, place, english)).toBe('No footage 22:30–22:35: camera offline')
  expect(gapText({ ...gap, till: evening + 5000 }, place, english)).toContain('22:30:00–22:30:05')
})

test('a gap across days shows the days', () => {
  const gap = { from: evening, till: evening + 12 * 60 * MINUTE, reason: 'disk' } as const
  expect(gapText(gap, place, english)).toBe('No footage 20 Nov 22:30–21 Nov 10:30: disk full or slow')
})

test('a gap caused by the server is not blamed on a person', () => {
  const gap = { from: evening, till: evening + 5 * MINUTE }
  expect(gapText({ ...gap, reason: 'restart' }, place, english)).toMatch(/server restarted$/)
  expect(gapText({ ...gap, reason: 'stopped' }, place, english)).toMatch(/server or recording stopped$/)
  expect(skippedText({ ...gap, reason: 'restart' }, place, english)).toContain('(server restarted)')
  expect(skippedText(gap, place, english)).toBe('Nothing was recorded 22:30–22:35; it was skipped.')
})
