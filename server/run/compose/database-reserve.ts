import { randomFillSync } from 'node:crypto'
import { appendFile, rm, stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@sightline/platform/log'

const MIB = 2 ** 20
/** Four files of PostgreSQL's write-ahead log. */
const RESERVE_BYTES = 64 * MIB
/** Of a small disk. */
const RESERVE_SHARE = 0.08
/** One of those files: less would not help it. */
const STEP_BYTES = 16 * MIB
/** With more free space than this no reserve is needed. */
const AMPLE_BYTES = 4096 * MIB
const AMPLE_SHARE = 0.15
const LOOK_EVERY_MS = 1000

export interface DatabaseReserve extends AsyncDisposable {
  /** A sentence while the disk is full; none otherwise. */
  readonly problems: () => readonly string[]
}

/**
 * Keeps space for the built-in database on a disk that others fill, so that people can still sign in. While the disk has
 * little free space, a file holds the reserve; it is released in steps as soon as nothing else is left. Recorders stop
 * before they use it (`server/media`).
 */
export async function startDatabaseReserve({
  folder,
  log,
  everyMs = LOOK_EVERY_MS,
}: {
  readonly folder: string
  readonly log: Logger
  readonly everyMs?: number
}): Promise<DatabaseReserve> {
  const path = join(folder, 'database-reserve')
  let isFull = false
  const look = async () => {
    const disk = await statfs(folder)
    const size = disk.blocks * disk.bsize
    const reserve = Math.min(RESERVE_BYTES, Math.round(size * RESERVE_SHARE))
    const step = Math.min(STEP_BYTES, reserve)
    const held = await sizeOf(path)
    const free = disk.bavail * disk.bsize
    if (free + held > Math.min(AMPLE_BYTES, size * AMPLE_SHARE) + reserve) await rm(path, { force: true })
    else if (free < step) {
      if (!isFull) log.error({ folder }, 'the disk is full; using the reserve of the database')
      isFull = true
      if (held > 0) await truncate(path, Math.max(held - step, 0))
    } else if (held < reserve && free > 2 * step) {
      // Not zeros: a file system might keep those without taking room for them.
      await appendFile(path, randomFillSync(new Uint8Array(Math.min(step, reserve - held))), { mode: 0o600 })
    }
    if (free > 2 * step) isFull = false
  }
  let looking: Promise<void> | undefined
  const lookSafely = (): Promise<void> => {
    looking ??= look()
      .catch((err: unknown) => log.warn({ err }, 'could not look after the reserve of the database'))
      .finally(() => (looking = undefined))
    return looking
  }
  await lookSafely()
  const timer = setInterval(() => void lookSafely(), everyMs)
  return {
    problems: () => (isFull ? ['the disk of the data folder is full: the database uses its reserve'] : []),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw cause
  }
}
