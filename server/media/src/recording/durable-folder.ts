import { mkdir, open } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import type { SyncGroup } from './sync-group.ts'

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
}

/** Has a folder with a new name in it synced in the group's next round, without waiting for it. */
export function syncFolderLater(folder: string, { group, failed }: NewNames): void {
  group.wrote({
    sync: () => syncFolder(folder),
    syncFailed: (cause) => failed(new Error(`could not write folder ${folder} to disk`, { cause })),
  })
}

/** Creates a folder and its parents; each new name is on the disk after the group's next round. */
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
