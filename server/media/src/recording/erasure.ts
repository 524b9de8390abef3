import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './durable-folder.ts'
import { listEntries } from './segment-files.ts'
import type { SyncGroup } from './sync-group.ts'

const ID = /^\d{1,16}$/
/** The folder name during an erasure; never an account's. */
const LEAVING = /^erased-\d{1,16}$/

/** Accounts that have a folder in the store, or had one of which something is left. */
export async function listAccounts(store: string): Promise<readonly number[]> {
  const names = await listEntries(store)
  const ids = names
    .map((name) => (LEAVING.test(name) ? name.slice('erased-'.length) : name))
    .filter((name) => ID.test(name))
  return [...new Set(ids.map(Number))]
}

/**
 * Deletes all files of an account, including manifests and locked footage. The account must no longer be recording. The
 * files are no longer visible as soon as it starts; the next call removes leftovers of a crash. Rejects if the disk
 * fails.
 */
export async function eraseAccount(store: string, accountId: number, group: SyncGroup): Promise<void> {
  const leaving = join(store, `erased-${accountId}`)
  // Leftovers of a crash, because a folder can't be renamed onto an existing one.
  await rm(leaving, { recursive: true, force: true })
  const isMoved = await rename(join(store, String(accountId)), leaving).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return false
      throw new Error(`could not erase footage of account ${accountId}`, { cause })
    },
  )
  if (!isMoved) return
  await group.run(() => syncFolder(store))
  await rm(leaving, { recursive: true, force: true })
  await group.run(() => syncFolder(store))
}
