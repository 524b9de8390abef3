import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdWhile } from './hold.mjs'
import { npmCi } from './npm.mjs'
import { OperatorError } from './operator-error.mjs'

/** The root folder of the checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const PLATFORM = `${process.platform}-${process.arch}`
const NODE_MAJOR = 24
const NODE_PACKAGE = `node_modules/node-${PLATFORM}`
const STAMP = join(ROOT, 'node_modules', '.sightline-install')
const PROGRESS_MS = 10_000

/**
 * Runs `npm ci` if node_modules does not match package-lock.json on this platform.
 * @throws {OperatorError} if npm fails
 */
export async function ensureInstalled() {
  const wanted = fingerprint()
  if (readIfThere(STAMP) === wanted) return
  await holdWhile(`install ${ROOT}`, async () => {
    // Another process may have installed the packages meanwhile.
    if (readIfThere(STAMP) === wanted) return
    if (!matchesLock()) await install()
    writeIfAllowed(STAMP, wanted)
  })
}

/**
 * Path of a Node that runs TypeScript directly: this one if it is new enough, otherwise the one that npm installed.
 * @throws {OperatorError} if there is neither
 */
export function pinnedNode() {
  if (isNewEnough() && existsSync(process.execPath)) return process.execPath
  const installed = join(ROOT, NODE_PACKAGE, 'bin', 'node')
  if (runs(installed)) return installed
  throw noNode()
}

const isNewEnough = () => Number.parseInt(process.versions.node, 10) >= NODE_MAJOR

const runs = (node) => existsSync(node) && spawnSync(node, ['--version']).status === 0

const noNode = () =>
  new OperatorError(
    `Sightline needs Node ${NODE_MAJOR}. This is Node ${process.versions.node}, and npm has no version that works on this system (${PLATFORM}). Install Node ${NODE_MAJOR} or newer and start again.`,
  )

const lockFile = () => readFileSync(join(ROOT, 'package-lock.json'), 'utf8')

const fingerprint = () =>
  JSON.stringify({ lock: createHash('sha256').update(lockFile()).digest('hex'), platform: PLATFORM })

/**
 * Whether npm's record of installed packages has every package of the lock file. A manual `npm install` counts, and an
 * interrupted one does not, because npm writes its record last.
 */
function matchesLock() {
  const note = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'))
  if (note === undefined) return false
  const installed = JSON.parse(note).packages
  return Object.entries(JSON.parse(lockFile()).packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true
    const present = installed[path]
    if (present === undefined) return mayBeMissing(entry)
    return present.version === entry.version && present.integrity === entry.integrity
  })
}

/** True for binaries of other platforms, and for optional packages that no installed package needs. */
function mayBeMissing({ os, cpu, libc, optional, peer }) {
  const isForOthers =
    (os !== undefined && !os.includes(process.platform)) ||
    (cpu !== undefined && !cpu.includes(process.arch)) ||
    libc !== undefined
  return isForOthers || peer === true || (optional === true && os === undefined && cpu === undefined)
}

async function install() {
  checkWritable()
  console.log('Installing packages from the npm registry (only once, takes about a minute) …')
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const progress = setInterval(() => console.log(`  still installing, ${seconds()} s`), PROGRESS_MS)
  try {
    if (isNewEnough()) await npmCi(ROOT, process.execPath)
    else await withNewNode((node) => npmCi(ROOT, node))
  } finally {
    clearInterval(progress)
  }
  console.log(`Installed in ${seconds()} s.`)
}

function checkWritable() {
  try {
    accessSync(ROOT, constants.W_OK)
  } catch (cause) {
    throw new OperatorError(
      `Could not install packages: this user has no permission to write to ${ROOT}. Have the owner of the folder run "npm start" there once.`,
      { cause },
    )
  }
}

/**
 * Installs only the pinned Node first, because npm under an old Node silently omits native packages that need a newer one.
 * It is the same package with the same checksum as in the installation, so npm downloads it once.
 */
async function withNewNode(work) {
  const entry = JSON.parse(lockFile()).packages[NODE_PACKAGE]
  if (entry === undefined) throw noNode()
  const name = NODE_PACKAGE.slice('node_modules/'.length)
  const folder = join(ROOT, '.cache', 'node-for-install')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    const self = { name: 'node-for-install', version: '0.0.0', dependencies: { [name]: entry.version } }
    const packages = { '': self, [NODE_PACKAGE]: { ...entry, optional: undefined } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(self))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...self, lockfileVersion: 3, packages }))
    await npmCi(folder, process.execPath)
    const node = join(folder, NODE_PACKAGE, 'bin', 'node')
    if (!runs(node)) throw noNode()
    await work(node)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** On a read-only checkout the check is simply repeated each time. */
function writeIfAllowed(file, content) {
  try {
    writeFileSync(file, content)
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error
  }
}
