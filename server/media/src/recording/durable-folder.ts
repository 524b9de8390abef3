import { mkdir, open } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'

/** Only the server's user may read a customer's footage. */
const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/** A name in a folder is on the disk only after the folder itself was synced (fsync(2), NOTES). */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** Creates a folder and its parents; each new name is on the disk when this resolves. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined) return
  const steps = relative(dirname(first), folder).split(sep).length
  let above = folder
  for (let i = 0; i < steps; i++) {
    above = dirname(above)
    await syncFolder(above)
  }
}
