import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { captured } from './captured.mjs'
import { holdWhile } from './hold.mjs'
import { ROOT } from './install.mjs'
import { Refusal } from './refusal.mjs'

/** Where the built apps are, one folder each. */
const BUILT = join(ROOT, 'dist', 'web')
export const BUILD_STAMP = join(ROOT, 'dist', '.sightline-build')

/** Names of the folders of web/ that Vite builds. */
export function browserApps() {
  return readdirSync(join(ROOT, 'web')).filter((name) => existsSync(join(ROOT, 'web', name, 'vite.config.ts')))
}

/**
 * Builds the browser apps when their sources changed since the last time.
 * @throws {Refusal} when the build fails; its output says why
 */
export async function ensureBuilt(node) {
  if (isFresh()) return
  await holdWhile(`build ${ROOT}`, async () => {
    if (isFresh()) return
    checkWritable()
    console.log('Building the browser apps (after each change of their sources) …')
    const began = Date.now()
    const { code, output } = await captured(node, [join(ROOT, 'tools', 'build-web.mjs')], {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0' },
    })
    if (code !== 0) throw new Refusal(`The browser apps could not be built:\n${output.trim()}`)
    console.log(`Built in ${Math.round((Date.now() - began) / 1000)} s.`)
  })
}

function checkWritable() {
  try {
    accessSync(ROOT, constants.W_OK)
  } catch (cause) {
    throw new Refusal(
      `The browser apps must be built, and this user may not write into ${ROOT}: let the owner of the folder run "npm start" there once.`,
      { cause },
    )
  }
}

function isFresh() {
  const isComplete = browserApps().every((app) => existsSync(join(BUILT, app)))
  return isComplete && existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === sourceHash()
}

/** Changes when anything does that the built apps depend on. */
export function sourceHash() {
  const hash = createHash('sha256')
  for (const file of [join(ROOT, 'package-lock.json'), ...sourcesIn('web'), ...sourcesIn('contract')]) {
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function sourcesIn(folder) {
  return filesIn(join(ROOT, folder)).filter((file) => !/\.test\.tsx?$/.test(file))
}

function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
}
