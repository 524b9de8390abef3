// Bundles the server's programs with their imports into dist/server/<hash of the sources>; runs under Node 24.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import http from 'node:http'
import { dirname, join, relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { rolldown } from 'rolldown'
import { ROOT } from './start/install.mjs'
import { BUNDLES, bundleFolder, isInUse, SOURCES } from './start/server-bundle.mjs'

/** Entry points of processes and threads: name in the bundle, and source. */
const PROGRAMS = {
  start: 'server/run/programs/start.ts',
  'media-worker': 'server/run/programs/media.ts',
  'camera-simulator': 'camera-simulator/src/main.ts',
  'report-printing': 'server/api/src/reports/pdf/printing-process.ts',
  'picture-reencoding': 'server/api/src/resellers/brand-pictures/reencoding-thread.ts',
}

/** Native packages, and imports of package features that we don't use. */
const NOT_BUNDLED = [/^@node-rs\/argon2/, 'pg-native', 'typescript']

/** How many of the most recently run bundles to keep. */
const BUNDLES_KEPT = 3

const UNFINISHED = 'unfinished-'
/** An unfinished bundle older than this was left by a killed process. */
const BUNDLING_MS = 600_000

async function buildServer() {
  const target = bundleFolder()
  // A separate folder, because a bundler that outlives its start may still be writing its files.
  const unfinished = join(BUNDLES, `${UNFINISHED}${randomUUID()}`)
  mkdirSync(unfinished, { recursive: true })
  try {
    await bundleInto(unfinished)
    if (bundleFolder() !== target) throw new Error('the sources changed while they were bundled')
    removeOld()
    // A server may already run from a bundle that another start created meanwhile.
    if (!existsSync(target)) renameSync(unfinished, target)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function bundleInto(folder) {
  const input = Object.fromEntries(Object.entries(PROGRAMS).map(([name, source]) => [name, join(ROOT, source)]))
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: NOT_BUNDLED,
    plugins: [keepLocations, plainHttp],
    logLevel: 'silent',
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    // All in one folder, so that a program is next to the file that starts it.
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // One package uses its class names as record names.
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await build.close()
  checkHashed(output)
}

const PROGRAM = /new URL\((['"])(\.[\w./-]+\.ts)\1, import\.meta\.url\)/g
const LOCATION = /import\.meta\.(url|dirname|filename)\b|\b__(dirname|filename)\b/g
/** Spelled so that the bundler does not replace it. */
const BUNDLE_URL = 'import.meta["url"]'

/**
 * A program started by a bundled one is in the bundle. All other files that a module looks for stay next to the module's
 * source.
 */
const keepLocations = {
  name: 'keep-locations',
  transform: {
    // Excludes the bundler's virtual modules.
    filter: { id: /^[^\0]/, code: /import\.meta|__(dirname|filename)/ },
    handler: (code, id) => ({
      code: code
        .replace(PROGRAM, (_, _quote, file) => `new URL('./${programAt(join(dirname(id), file))}.mjs', ${BUNDLE_URL})`)
        .replace(LOCATION, (_, ofModule, ofCommonJs) => locationOf(id, ofModule ?? ofCommonJs)),
      map: null,
    }),
  },
}

/**
 * Importing `node:http` as a module reads all its names, and `WebSocket` loads a whole HTTP client: a fifteenth of a small
 * process's start time.
 */
const plainHttp = {
  name: 'plain-http',
  resolveId: {
    filter: { id: /^(node:)?http$/ },
    handler: (_id, _importer, { kind }) => (kind === 'import-statement' ? PLAIN_HTTP : null),
  },
  load: {
    filter: { id: /^\0plain-http$/ },
    handler() {
      const names = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => get === undefined)
      return `const http = process.getBuiltinModule('node:http')
        export default http
        export const { ${names.map(([name]) => name).join(', ')} } = http`
    },
  },
}
const PLAIN_HTTP = '\0plain-http'

function programAt(file) {
  const [name] = Object.entries(PROGRAMS).find(([, source]) => join(ROOT, source) === file) ?? []
  if (name === undefined) throw new Error(`${file} is a program: name it in PROGRAMS of tools/build-server.mjs`)
  return name
}

/** An expression for `import.meta.<what>` of that source, evaluated in the bundle. */
function locationOf(id, what) {
  const source = relative(join(BUNDLES, 'hash'), what === 'dirname' ? dirname(id) : id).replaceAll(sep, '/')
  const url = `new URL(${JSON.stringify(source)}, ${BUNDLE_URL})`
  return what === 'url' ? `${url}.href` : `process.getBuiltinModule('node:url').fileURLToPath(${url})`
}

/** A source outside the hash could change without a new bundle. */
function checkHashed(output) {
  const hashed = [...SOURCES, 'node_modules'].map((folder) => join(ROOT, folder) + sep)
  const bundled = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const other = bundled.find((id) => id.startsWith(ROOT + sep) && !hashed.some((folder) => id.startsWith(folder)))
  if (other !== undefined) throw new Error(`${other} is in none of SOURCES of tools/start/server-bundle.mjs`)
}

function removeOld() {
  const found = readdirSync(BUNDLES).map((name) => ({ name, changedAt: statSync(join(BUNDLES, name)).mtimeMs }))
  const isUnfinished = ({ name }) => name.startsWith(UNFINISHED)
  const bundles = found.filter((each) => !isUnfinished(each)).toSorted((a, b) => b.changedAt - a.changedAt)
  const left = found.filter((each) => isUnfinished(each) && each.changedAt < Date.now() - BUNDLING_MS)
  const old = bundles.slice(BUNDLES_KEPT - 1).filter(({ name }) => !isInUse(join(BUNDLES, name)))
  for (const { name } of [...old, ...left]) rmSync(join(BUNDLES, name), { recursive: true, force: true })
}

try {
  await buildServer()
} catch (error) {
  // The bundler's message has file and line, in colors that callers can't use; its stack is only about the bundler.
  console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
}
