import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captured } from './captured.mjs'
import { holdWhile, isAlive } from './hold.mjs'
import { ROOT } from './install.mjs'
import { hashOfSources } from './source-hash.mjs'

/** One folder for each state of the sources: a server that is running keeps the files of its own. */
export const BUNDLES = join(ROOT, 'dist', 'server')

/** What may be bundled of the checkout. */
export const SOURCES = ['contract', 'server', 'camera-simulator']

const isSource = (path) => /\.(ts|json)$/.test(path) && !path.endsWith('.test.ts')

/** Where the bundle of the present sources belongs; it appears under its name when it is complete. */
export function bundleFolder() {
  const hash = hashOfSources(['package-lock.json', 'tools/build-server.mjs', ...SOURCES], isSource)
  return join(BUNDLES, hash.slice(0, 16))
}

/** The server's program: of the bundle where there is one of the present sources, else the source itself. */
export const serverProgram = () => programIn(bundleFolder())

/**
 * Bundles the server when its sources changed since the last time, and answers what to run. Sources run as well, only
 * slower, so a folder that cannot be written is no reason to refuse a start.
 */
export async function bundledServer(node) {
  const folder = bundleFolder()
  if (!existsSync(folder)) await holdWhile(`bundle ${ROOT}`, () => bundle(node, folder))
  keepWhileRunning(folder)
  return programIn(folder)
}

const USED_BY = 'used-by-'

/** Marks the bundle, so that it is not removed while this process lives, and is among those that were run last afterwards. */
function keepWhileRunning(folder) {
  const mark = join(folder, `${USED_BY}${process.pid}`)
  try {
    writeFileSync(mark, '')
  } catch {
    // There is no bundle, or none can be made in place of this one either.
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

/** Whether a server runs from that bundle: it loads some of its files late. */
export const isInUse = (folder) =>
  readdirSync(folder).some((name) => name.startsWith(USED_BY) && isAlive(Number(name.slice(USED_BY.length))))

function programIn(folder) {
  const bundled = join(folder, 'start.mjs')
  return existsSync(bundled) ? bundled : join(ROOT, 'server/run/programs/start.ts')
}

async function bundle(node, folder) {
  // Another start may have done it while this one waited.
  if (existsSync(folder)) return
  const { code, output } = await captured(node, [join(ROOT, 'tools', 'build-server.mjs')], { cwd: ROOT })
  if (code !== 0) console.error(`Could not bundle the server; it starts more slowly from its sources: ${output.trim()}`)
}
