// Counts marks of unfinished work. Fails only if a count rises; `--accept` records lower counts.
import { readFileSync, writeFileSync } from 'node:fs'
import { productFiles, readJson } from './tree.ts'
import { report } from './verdict.ts'

const LEDGER = 'tools/checks/ratchet.json'

interface Sighting {
  readonly what: string
  readonly where: string
}

/** A to-do without an issue never gets done. */
const UNFINISHED = /\b(?:TODO(?!\(#\d+\):)|FIXME|XXX|HACK)\b/

function marks(): readonly Sighting[] {
  return productFiles('.ts', '.tsx', '.mjs', '.sql', '.css')
    .filter((file) => !file.startsWith('tools/checks/'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) => (UNFINISHED.test(line) ? [{ what: 'unfinished', where: `${file}:${i + 1}` }] : [])),
    )
}

const seen = Object.groupBy(marks(), (sighting) => sighting.what)
const before = readJson(LEDGER) as Readonly<Record<string, number>>
const now = Object.fromEntries(Object.entries(seen).map(([what, sightings = []]) => [what, sightings.length]))

if (process.argv.includes('--accept')) {
  writeFileSync(LEDGER, `${JSON.stringify(now, Object.keys(now).sort(), 2)}\n`)
} else {
  report(
    Object.entries(seen)
      .filter(([what, sightings = []]) => sightings.length > (before[what] ?? 0))
      .flatMap(([what, sightings = []]) => [
        `${what}: ${before[what] ?? 0} before, ${sightings.length} now`,
        ...sightings.map((sighting) => `   ${sighting.where}`),
      ]),
  )
}
