import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { captured } from './captured.mjs'
import { holdWhile } from './hold.mjs'
import { ROOT } from './install.mjs'
import { OperatorError } from './operator-error.mjs'
import { hashOfSources } from './source-hash.mjs'

/** Folder of the built apps, with one folder each. */
const BUILT = join(ROOT, 'dist', 'web')
export const BUILD_STAMP = join(ROOT, 'dist', '.sightline-build')

/** Names of the folders in web/ that Vite builds. */
export function browserApps() {
  return readdirSync(join(ROOT, 'web')).filter((name) => existsSync(join(ROOT, 'web', name, 'vite.config.ts')))
}

/**
 * Builds the browser apps if their sources have changed since the last build.
 * @throws {OperatorError} if the build fails; its output says why
 */
export async function ensureBuilt(node) {
  if (isFresh()) return
  await holdWhile(`build ${ROOT}`, async () => {
    if (isFresh()) return
    checkWritable()
    console.log('Building the browser apps because their sources changed …')
    const began = Date.now()
    const { code, output } = await captured(node, [join(ROOT, 'tools', 'build-web.mjs')], {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0' },
    })
    if (code !== 0) throw new OperatorError(`Could not build the browser apps:\n${output.trim()}`)
    console.log(`Built in ${Math.round((Date.now() - began) / 1000)} s.`)
  })
}

function checkWritable() {
  try {
    accessSync(ROOT, constants.W_OK)
  } catch (cause) {
    throw new OperatorError(
      `Could not build the browser apps: this user has no permission to write to ${ROOT}. Have the owner of the folder run "npm start" there once.`,
      { cause },
    )
  }
}

function isFresh() {
  const isComplete = browserApps().every((app) => existsSync(join(BUILT, app)))
  return isComplete && existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === sourceHash()
}

/** Changes with anything that the built apps depend on. */
export const sourceHash = () =>
  hashOfSources(['package-lock.json', 'web', 'contract'], (path) => !/\.test\.tsx?$/.test(path))
