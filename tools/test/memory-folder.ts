import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'sightline-run-'
/** More than all concurrent tests write: databases, footage, browser profiles. */
const ROOM_BYTES = 4 * 2 ** 30
const FORGOTTEN_MS = 24 * 3_600_000

/**
 * Puts the temporary folder of this process and its children in memory if there is room, and removes it at the end. Writes
 * there are immediately "on disk": copying a database takes a fifth to a tenth of the time. A killed process loses nothing
 * there either, and no test cuts the power. A given TMPDIR is kept.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return
  if (!hasRoom()) return
  removeForgotten()
  const folder = mkdtempSync(join(MEMORY, PREFIX))
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}

/** Without this, files of killed runs stay in memory until the machine restarts. */
function removeForgotten(): void {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(MEMORY, name)
    const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - madeAt > FORGOTTEN_MS) rmSync(folder, { recursive: true, force: true })
  }
}
