import { mkdir, open } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import type { Syncable, SyncGroup } from './sync-group.ts'

/** Only the server's user may read a customer's footage. */
const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/** A name in a folder is on the disk only after the folder itself was synced (fsync(2), NOTES). */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

export interface NewNames {
  readonly group: SyncGroup
  /** Called if the disk may not keep them. */
  readonly failed: (cause: unknown) => void
  /** Gets, for each, when it is on the disk or has failed. */
  readonly kept?: Promise<void>[]
}

/** Folders with new names that wait for their sync, by path: those who create names at the same time share one. */
const waiting = new WeakMap<SyncGroup, Map<string, ChangedFolder>>()

class ChangedFolder implements Syncable {
  readonly failed: ((cause: unknown) => void)[] = []
  readonly #path: string
  readonly #others: Map<string, ChangedFolder>

  constructor(path: string, others: Map<string, ChangedFolder>) {
    this.#path = path
    this.#others = others
  }

  sync(): Promise<void> {
    // A later name may not be covered by this sync.
    this.#others.delete(this.#path)
    return syncFolder(this.#path)
  }

  syncFailed(cause: unknown): void {
    const error = new Error(`could not write folder ${this.#path} to disk`, { cause })
    for (const failed of this.failed) failed(error)
  }
}

/** Has a folder with a new name in it synced soon, without waiting for it. */
export function syncFolderLater(path: string, { group, failed, kept }: NewNames): void {
  const others = waiting.get(group) ?? new Map<string, ChangedFolder>()
  waiting.set(group, others)
  const folder = others.get(path) ?? new ChangedFolder(path, others)
  others.set(path, folder)
  folder.failed.push(failed)
  const synced = group.wrote(folder)
  kept?.push(synced)
}

/** Creates a folder and its parents; each new name will be on the disk soon. */
export async function makeFolder(folder: string, names: NewNames): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined) return
  const steps = relative(dirname(first), folder).split(sep).length
  let above = folder
  for (let i = 0; i < steps; i++) {
    above = dirname(above)
    syncFolderLater(above, names)
  }
}
