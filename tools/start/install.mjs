import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdWhile } from './hold.mjs'
import { Refusal } from './refusal.mjs'

/** The folder of the checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const PLATFORM = `${process.platform}-${process.arch}`
const NODE_MAJOR = 24
const STAMP = join(ROOT, 'node_modules', '.sightline-install')
const PROGRESS_MS = 10_000

/**
 * Runs `npm ci` when what is in node_modules is not what package-lock.json asks for on this platform.
 * @throws {Refusal} when npm cannot do it
 */
export async function ensureInstalled() {
  const wanted = fingerprint()
  if (readIfThere(STAMP) === wanted) return
  await holdWhile(`install ${ROOT}`, async () => {
    // Somebody else may have installed while we waited.
    if (readIfThere(STAMP) === wanted) return
    if (!matchesLock()) await install()
    writeIfAllowed(STAMP, wanted)
  })
}

/**
 * Path of a Node that runs our TypeScript as it is: this one when it is new enough, otherwise the one npm installed.
 * @throws {Refusal} where there is neither
 */
export function pinnedNode() {
  const [major] = process.versions.node.split('.').map(Number)
  if (major >= NODE_MAJOR && existsSync(process.execPath)) return process.execPath
  const installed = join(ROOT, 'node_modules', `node-${PLATFORM}`, 'bin', 'node')
  if (existsSync(installed) && spawnSync(installed, ['--version']).status === 0) return installed
  throw new Refusal(
    `Sightline runs on Node ${NODE_MAJOR}, this is Node ${process.versions.node}, and npm has none that works on this system (${PLATFORM}): install Node ${NODE_MAJOR} or newer yourself and start again.`,
  )
}

const fingerprint = () =>
  JSON.stringify({
    lock: createHash('sha256')
      .update(readFileSync(join(ROOT, 'package-lock.json')))
      .digest('hex'),
    platform: PLATFORM,
  })

/**
 * Whether npm's own note of what it installed has every package of the lock file. So an `npm install` done by hand counts, and
 * one that was interrupted does not: npm writes its note last.
 */
function matchesLock() {
  const note = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'))
  if (note === undefined) return false
  const installed = JSON.parse(note).packages
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true
    const present = installed[path]
    if (present !== undefined) return present.version === entry.version && present.integrity === entry.integrity
    return (
      isForOthers(entry) ||
      (entry.optional === true && entry.os === undefined && entry.cpu === undefined) ||
      entry.peer === true
    )
  })
}

const isForOthers = ({ os, cpu, libc }) =>
  (os !== undefined && !os.includes(process.platform)) ||
  (cpu !== undefined && !cpu.includes(process.arch)) ||
  libc !== undefined

async function install() {
  console.log('Installing what Sightline needs from the npm registry (once, about a minute) …')
  const began = Date.now()
  const progress = setInterval(
    () => console.log(`  still installing, ${Math.round((Date.now() - began) / 1000)} s`),
    PROGRESS_MS,
  )
  const cache = cacheThatCanBeWritten()
  try {
    const { code, output } = await npm(
      ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      cache.environment,
    )
    if (code !== 0) throw new Refusal(explain(output))
  } finally {
    clearInterval(progress)
    cache.remove()
  }
  console.log(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`)
}

/** npm keeps downloads under HOME, which a service user may not have. */
function cacheThatCanBeWritten() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm')
  try {
    mkdirSync(usual, { recursive: true })
    accessSync(usual, constants.W_OK)
    return { environment: {}, remove: () => undefined }
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-npm-'))
    return {
      environment: { npm_config_cache: folder },
      remove: () => rmSync(folder, { recursive: true, force: true }),
    }
  }
}

function npm(words, environment) {
  const script = process.env.npm_execpath
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script)
  const [program, before] = isNpm ? [process.execPath, [script]] : ['npm', []]
  const env = { ...process.env, ...environment }
  // Left by the npm that runs us; they would point the inner one at another folder.
  for (const name of ['npm_config_prefix', 'npm_config_local_prefix', 'NODE_ENV']) delete env[name]
  const child = spawn(program, [...before, ...words], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new Refusal(`npm could not be started (${cause.code}): Sightline needs it once to install its packages.`, {
          cause,
        }),
      ),
    )
    child.once('close', (code) => resolve({ code, output }))
  })
}

const NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UND_ERR_CONNECT_TIMEOUT)\b/

function explain(output) {
  const network = NETWORK.exec(output)?.[1]
  if (network !== undefined) {
    return `npm could not reach the package registry (${network}): connect this machine to the internet, or set npm's registry or proxy, and start again. It is needed for installing only.`
  }
  if (/\bENOSPC\b/.test(output)) return `There is no room left on the disk for the packages (about 600 MB) in ${ROOT}.`
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return `This user may not write into ${ROOT}, where the packages go: let the owner of the folder run "npm ci" there once.`
  }
  return `npm ci failed:\n${output.trim()}`
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** On a read-only checkout the check is simply made again each time. */
function writeIfAllowed(file, content) {
  try {
    writeFileSync(file, content)
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error
  }
}
