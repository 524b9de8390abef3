import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captured } from './captured.mjs'
import { holdWhile, isAlive } from './hold.mjs'
import { ROOT } from './install.mjs'
import { hashOfSources } from './source-hash.mjs'

/** One folder for each state of the sources, so that a running server keeps its files. */
export const BUNDLES = join(ROOT, 'dist', 'server')

/** Folders of the checkout that can be bundled. */
export const SOURCES = ['contract', 'server', 'camera-simulator']

const isSource = (path) => /\.(ts|json)$/.test(path) && !path.endsWith('.test.ts')

/** The folder for the bundle of the current sources; it gets this name once it is complete. */
export function bundleFolder() {
  const hash = hashOfSources(['package-lock.json', 'tools/build-server.mjs', ...SOURCES], isSource)
  return join(BUNDLES, hash.slice(0, 16))
}

/** The server's program: from the bundle of the current sources if there is one, else the source. */
export const serverProgram = () => programIn(bundleFolder())

/**
 * Bundles the server if its sources have changed, and returns the program to run. Sources also run, only slower, so a
 * read-only folder does not prevent a start.
 */
export async function bundledServer(node) {
  const folder = bundleFolder()
  if (!existsSync(folder)) await holdWhile(`bundle ${ROOT}`, () => bundle(node, folder))
  keepWhileRunning(folder)
  return programIn(folder)
}

const USED_BY = 'used-by-'

/** Marks the bundle as in use, so that it is not removed while this process runs, and counts as recently run afterwards. */
function keepWhileRunning(folder) {
  const mark = join(folder, `${USED_BY}${process.pid}`)
  try {
    writeFileSync(mark, '')
  } catch {
    // There is no bundle, or the folder is read-only.
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

/** Whether a server runs from that bundle, because it may load more of its files later. */
export const isInUse = (folder) =>
  readdirSync(folder).some((name) => name.startsWith(USED_BY) && isAlive(Number(name.slice(USED_BY.length))))

function programIn(folder) {
  const bundled = join(folder, 'start.mjs')
  return existsSync(bundled) ? bundled : join(ROOT, 'server/run/programs/start.ts')
}

async function bundle(node, folder) {
  // Another start may have created it meanwhile.
  if (existsSync(folder)) return
  const { code, output } = await captured(node, [join(ROOT, 'tools', 'build-server.mjs')], { cwd: ROOT })
  if (code !== 0) console.error(`Could not bundle the server; it starts more slowly from its sources: ${output.trim()}`)
}
