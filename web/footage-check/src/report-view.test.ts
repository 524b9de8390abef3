import type { ExportReport } from '@sightline/contract/footage-proof'
import { expect, test } from 'vitest'
import { reportNotes } from './report-view.ts'
import { pickLanguage } from './texts.ts'

const noon = Date.UTC(2026, 10, 28, 12)

/** Of a file with text in its pictures, of which some footage was missing and some was damaged. */
const report = {
  findings: [],
  manifest: {
    derived: { overlay: true },
    sound: 'none',
    gaps: [
      { from: noon, till: noon + 10_000, cause: null },
      { from: noon + 20_000, till: noon + 21_000, cause: 'damaged' },
    ],
  },
  recorded: { proven: 0, parts: 0, unsigned: 0, incomplete: 0, elsewhere: [] },
} as unknown as ExportReport

test.each(['en', 'de', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'])(
  '%s: damaged footage isn’t called “not recorded”',
  (name) => {
    const language = pickLanguage([name])
    const [, missing = '', damaged = '', ...more] = reportNotes(report, language)
    expect(more).toEqual([])
    const said = ({ from, till }: { from: number; till: number }) =>
      language.text('{from} to {till}', { from: language.time(from), till: language.time(till) })
    expect(missing).toBe(language.text('Not recorded: {time}', { time: said({ from: noon, till: noon + 10_000 }) }))
    expect(damaged).toContain(said({ from: noon + 20_000, till: noon + 21_000 }))
    expect(damaged.split(':')[0]).not.toBe(missing.split(':')[0])
  },
)

test('it is called damaged, and not in the file', () => {
  const notes = reportNotes(report, pickLanguage(['en']))
  expect(notes.at(-1)).toMatch(/^Damaged, so not in this file: /)
})
