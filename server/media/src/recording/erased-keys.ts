/** Crypto-erase: a day without footage loses its key, so that copies of the footage elsewhere can't be read either. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './durable-folder.ts'
import { dayKeyFile, readKeyFile, toDay } from './footage-keys.ts'
import type { StreamKey } from './run-log.ts'
import { hoursOfDay, listDays, listSegments } from './segment-files.ts'
import { streamFolder } from './segment-name.ts'
import type { SyncGroup } from './sync-group.ts'

export interface KeyErasure {
  readonly store: string
  readonly group: SyncGroup
  readonly now: () => number
  /** Erases the other copy of a camera's key. */
  readonly eraseKey: (stream: StreamKey, day: string) => Promise<void>
}

const DAY_MS = 24 * 3_600_000

const hasKey = async (stream: string, day: string): Promise<boolean> =>
  (await readKeyFile(dayKeyFile(stream, day))).length > 0

async function hasFootage(stream: string, day: string): Promise<boolean> {
  for (const hour of await hoursOfDay(stream, day)) if ((await listSegments(stream, hour)).length > 0) return true
  return false
}

/**
 * Erases the keys of days whose footage was all deleted: of all days, or from the oldest on until one that has footage. The
 * file goes last: while it is there, what a crash or a database that is away left undone is done again. Keys of today and
 * of the day before stay, because footage may still be added.
 *
 * @returns false if such a day is without footage, so that its key is still to be erased.
 */
export async function eraseKeysOfEmptyDays(
  stream: StreamKey,
  erasure: KeyErasure,
  reach: 'oldest' | 'all' = 'oldest',
): Promise<boolean> {
  const folder = streamFolder(erasure.store, stream)
  const other = streamFolder(erasure.store, { ...stream, stream: stream.stream === 'main' ? 'sub' : 'main' })
  const before = toDay(erasure.now() - DAY_MS)
  for (const day of await listDays(folder)) {
    if (!(await hasKey(folder, day))) continue
    if (await hasFootage(folder, day)) {
      if (reach === 'oldest') return true
      continue
    }
    if (day >= before) return false
    // Both streams of a camera are encrypted with the same key.
    if (!(await hasKey(other, day))) await erasure.eraseKey(stream, day)
    const file = dayKeyFile(folder, day)
    await rm(file, { force: true })
    await erasure.group.run(() => syncFolder(join(folder, day)))
  }
  return true
}
