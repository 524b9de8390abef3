import { chmod, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSameProcess, type ProcessIdentity, processIdentity } from './process-identity.ts'
import { StartError } from './start-error.ts'

/**
 * The folder of one installation, locked by this process until disposed. Other processes must not write to it
 * meanwhile.
 */
export interface DataFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string
}

const HEARTBEAT_MS = 1000
/** How long a holder whose process isn't visible from here may be silent before it counts as dead. */
const SILENCE_MS = 3 * HEARTBEAT_MS
/** How long a lock file may stay empty: its writer is between creating and writing it. */
const EMPTY_MS = 500
const POLL_MS = 50

/**
 * Creates the folder (mode 0700) if missing and locks it for this process. A killed process's lock is taken over.
 *
 * @throws StartError if the folder isn't writable or another process has locked it.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path)
  await makeFolder(folder)
  const lockFile = join(folder, 'lock')
  const me = processIdentity(process.pid)
  if (me === undefined) throw new Error('this process was not found in the process table')
  const content = JSON.stringify(me)
  while (!(await createExclusively(lockFile, content))) {
    const held = await readIfThere(lockFile)
    if (held === undefined) continue
    if (await isHeld(lockFile, held, me)) {
      throw new StartError(
        `The data folder ${folder} is in use by another Sightline (process ${holderOf(held)?.pid}). Stop it, or set SIGHTLINE_DATA_DIR to another folder.`,
      )
    }
    await removeUnlessChanged(lockFile, held)
  }
  // A process in another container can't be found by its number; these heartbeats show that it is alive.
  const heartbeat = setInterval(() => utimes(lockFile, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS)
  heartbeat.unref()
  return {
    path: folder,
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat)
      await removeUnlessChanged(lockFile, content)
    },
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    if (await makeMissing(folder)) await chmod(folder, 0o700)
    const probe = join(folder, `.write-probe-${process.pid}`)
    await (await open(probe, 'w', 0o600)).close()
    await rm(probe)
  } catch (cause) {
    throw new StartError(await whyNot(folder, codeOf(cause) ?? String(cause)), { cause })
  }
}

/**
 * Creates each missing folder of the path one by one: Node's `mkdir` with `recursive` hangs if the parent exists but
 * can't hold new folders, as in /proc.
 *
 * @returns whether the folder was missing.
 */
async function makeMissing(folder: string): Promise<boolean> {
  const missing: string[] = []
  for (let path = folder; (await kindOf(path)) === undefined && path !== dirname(path); path = dirname(path)) {
    missing.unshift(path)
  }
  for (const path of missing) {
    await mkdir(path, { mode: 0o700 }).catch((cause: unknown) => {
      if (codeOf(cause) !== 'EEXIST') throw cause
    })
  }
  return missing.length > 0
}

async function kindOf(path: string): Promise<'folder' | 'other' | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return undefined
  return found.isDirectory() ? 'folder' : 'other'
}

async function whyNot(folder: string, code: string): Promise<string> {
  const another = 'set SIGHTLINE_DATA_DIR to another folder.'
  for (let path = folder; ; path = dirname(path)) {
    const kind = await kindOf(path)
    if (kind === 'other')
      return `Could not create the data folder ${folder}, because ${path} is not a folder: ${another}`
    if (kind === 'folder' || path === dirname(path)) return `${inFolder(folder, path, code)} ${another}`
  }
}

/** `nearest` is the lowest existing folder of the path. */
function inFolder(folder: string, nearest: string, code: string): string {
  const what = nearest === folder ? "can't be written to" : "can't be created"
  const sentence = `The data folder ${folder} ${what} (${code})`
  if (code === 'EACCES' || code === 'EPERM') return `${sentence}: give this user permission to write to ${nearest}, or`
  if (code === 'ENOSPC' || code === 'EDQUOT') return `${sentence}: free space on its disk, or`
  return nearest === folder ? `${sentence}:` : `${sentence}, because nothing can be created in ${nearest}:`
}

async function createExclusively(file: string, content: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(content)
    await handle.close()
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  }
}

async function isHeld(lockFile: string, content: string, me: ProcessIdentity): Promise<boolean> {
  const holder = holderOf(content)
  if (holder === undefined) {
    await sleep(EMPTY_MS)
    const later = await readIfThere(lockFile)
    return later !== undefined && later !== content
  }
  if (holder.pidNamespace === me.pidNamespace) return isSameProcess(holder, processIdentity(holder.pid))
  return beats(lockFile)
}

async function beats(lockFile: string): Promise<boolean> {
  const modified = async () => (await stat(lockFile).catch(() => undefined))?.mtimeMs
  const first = await modified()
  for (let waited = 0; waited < SILENCE_MS; waited += POLL_MS) {
    await sleep(POLL_MS)
    if ((await modified()) !== first) return true
  }
  return false
}

function holderOf(content: string): ProcessIdentity | undefined {
  try {
    const { pid, birth, pidNamespace } = JSON.parse(content)
    const isComplete = Number.isInteger(pid) && typeof birth === 'string' && typeof pidNamespace === 'string'
    return isComplete ? { pid, birth, pidNamespace } : undefined
  } catch {
    return undefined
  }
}

/**
 * Two starts may find the same dead lock; the slower one must not remove the lock that the faster one has created
 * since. So the file is moved aside first, and moved back if it isn't the dead one.
 */
async function removeUnlessChanged(lockFile: string, judged: string): Promise<void> {
  const aside = `${lockFile}.${process.pid}`
  try {
    await rename(lockFile, aside)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw cause
  }
  if ((await readIfThere(aside)) === judged) await rm(aside, { force: true })
  else await rename(aside, lockFile)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
}
