// docs/reference matches the code, so that reviews show changes of the API, the settings or the schema. `--write` (npm run
// reference) regenerates it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFERENCE, referencePages } from '../reference/pages.ts'
import { report } from './verdict.ts'

const pages = await referencePages()
/** Written by hand; tools/checks/asvs.ts checks that the tests and files it cites exist. */
const WRITTEN = new Set(['asvs.md'])

/** Describes where two texts first differ. */
function firstDifference(before: string, now: string): string {
  const lines = before.split('\n')
  const n = now.split('\n').findIndex((line, i) => line !== lines[i])
  return n < 0 ? 'it has lines too many' : `line ${n + 1} would be: ${now.split('\n')[n]?.slice(0, 160)}`
}

if (process.argv.includes('--write')) {
  mkdirSync(REFERENCE, { recursive: true })
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(REFERENCE, name), text)
} else {
  const there = existsSync(REFERENCE) ? readdirSync(REFERENCE) : []
  const stale = Object.entries(pages).flatMap(([name, text]) => {
    const file = join(REFERENCE, name)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return before === text
      ? []
      : [`${file} is not what the code says: npm run reference (${firstDifference(before, text)})`]
  })
  const strays = there
    .filter((name) => !(name in pages) && !WRITTEN.has(name))
    .map((name) => `${join(REFERENCE, name)} is generated from nothing`)
  report([...stale, ...strays])
}
