// Applied migrations never change: every migration is listed with its hash, and a released hash stays. `--accept` adds new
// migrations; a changed one fails until it is restored or its line is removed by hand.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readJson } from './tree.ts'
import { report } from './verdict.ts'

const FOLDER = 'server/platform/src/db/migrations'
const LIST = `${FOLDER}/hashes.json`
type Hashes = Readonly<Record<string, string>>

/** The list at the newest release; empty before the first one. */
function released(): Hashes {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return JSON.parse(git('show', `${git('describe', '--tags', '--abbrev=0', '--match', 'v*')}:${LIST}`)) as Hashes
  } catch {
    return {} // No release yet, or none with migrations.
  }
}

/** The current migrations by name, with their hashes. */
function present(): Hashes {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  const hash = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(`${FOLDER}/${file}`))
      .digest('hex')
  return Object.fromEntries(files.sort().map((file) => [file.slice(0, -'.sql'.length), hash(file)]))
}

function problems(listed: Hashes, now: Hashes): readonly string[] {
  const before = released()
  const lastReleased = Object.keys(before).sort().at(-1) ?? ''
  const names = (of: Hashes, isWrong: (name: string) => boolean): readonly string[] => Object.keys(of).filter(isWrong)
  return [
    ...names(now, (name) => listed[name] === undefined).map(
      (name) => `${FOLDER}/${name}.sql is not in hashes.json; add it with node tools/checks/migrations.ts --accept`,
    ),
    ...names(listed, (name) => now[name] === undefined).map(
      (name) => `${FOLDER}/${name}.sql is in hashes.json but gone`,
    ),
    ...names(listed, (name) => now[name] !== undefined && now[name] !== listed[name]).map(
      (name) => `${FOLDER}/${name}.sql was changed; write a new migration instead`,
    ),
    ...names(before, (name) => listed[name] !== before[name]).map(
      (name) => `${LIST}: ${name} was released with another hash`,
    ),
    ...names(listed, (name) => before[name] === undefined && name < lastReleased).map(
      (name) => `${FOLDER}/${name}.sql is older than the last released migration, ${lastReleased}`,
    ),
  ]
}

const listed = existsSync(LIST) ? (readJson(LIST) as Hashes) : {}
if (process.argv.includes('--accept')) {
  writeFileSync(LIST, `${JSON.stringify({ ...present(), ...listed }, null, 2)}\n`)
} else {
  report(problems(listed, present()))
}
