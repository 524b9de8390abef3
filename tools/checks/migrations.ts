// What was applied anywhere never changes: every migration is listed with its hash, and a released hash stays.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readJson } from './tree.ts'
import { report, skip } from './verdict.ts'

const FOLDER = 'server/platform/src/db/migrations'
const LIST = `${FOLDER}/hashes.json`
type Hashes = Readonly<Record<string, string>>

/** The list as it was at the newest release; nothing before the first one. */
function released(): Hashes {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return JSON.parse(git('show', `${git('describe', '--tags', '--abbrev=0', '--match', 'v*')}:${LIST}`)) as Hashes
  } catch {
    return {} // No release yet, or none with migrations.
  }
}

function problems(): readonly string[] {
  const listed = readJson(LIST) as Hashes
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  const now = Object.fromEntries(
    files.map((file) => [
      file.slice(0, -'.sql'.length),
      createHash('sha256')
        .update(readFileSync(`${FOLDER}/${file}`))
        .digest('hex'),
    ]),
  )
  const lastReleased = Object.keys(released()).sort().at(-1) ?? ''
  return [
    ...Object.keys(now)
      .filter((name) => listed[name] === undefined)
      .map((name) => `${FOLDER}/${name}.sql is not in hashes.json`),
    ...Object.entries(listed)
      .filter(([name]) => now[name] === undefined)
      .map(([name]) => `${FOLDER}/${name}.sql is in hashes.json but gone`),
    ...Object.entries(listed)
      .filter(([name, hash]) => now[name] !== undefined && now[name] !== hash)
      .map(([name]) => `${FOLDER}/${name}.sql was changed; write a new migration instead`),
    ...Object.entries(released())
      .filter(([name, hash]) => listed[name] !== hash)
      .map(([name]) => `${LIST}: ${name} was released with another hash`),
    ...Object.keys(listed)
      .filter((name) => released()[name] === undefined && name < lastReleased)
      .map((name) => `${FOLDER}/${name}.sql is older than the last released migration, ${lastReleased}`),
  ]
}

if (existsSync(LIST)) report(problems())
else skip(`${LIST} is not there yet`)
