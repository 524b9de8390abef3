import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './durable-folder.ts'
import { listEntries } from './segment-files.ts'

const ID = /^\d{1,16}$/
/** Of what is being taken away; no name of an account. */
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
 * Deletes all files of an account, manifests too, including locked ones. The account must no longer be recording. The
 * files are out of sight at once and for good; the next call removes leftovers of a crash. Rejects if the disk fails.
 */
export async function eraseAccount(store: string, accountId: number): Promise<void> {
  const leaving = join(store, `erased-${accountId}`)
  // Left by a crash; a folder that is there already could not take another's place.
  await rm(leaving, { recursive: true, force: true })
  const isMoved = await rename(join(store, String(accountId)), leaving).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return false
      throw new Error(`could not erase footage of account ${accountId}`, { cause })
    },
  )
  if (!isMoved) return
  await syncFolder(store)
  await rm(leaving, { recursive: true, force: true })
  await syncFolder(store)
}
