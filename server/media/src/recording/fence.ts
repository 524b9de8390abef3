/**
 * Who may write to a stream: empty files `<fence>.fence` in its folder. Each new writer adds its own before it recovers or
 * writes anything, so that an older one that still runs finds it without a database.
 */
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE, makeFolder, type NewNames } from './durable-folder.ts'
import { listEntries } from './segment-files.ts'

/** Another writer with a newer fence writes this stream: this one has lost it and must stop. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}

const NAME = /^(\d{1,16})\.fence$/

const fencePath = (folder: string, fence: number): string => join(folder, `${fence}.fence`)

async function listFences(folder: string): Promise<readonly number[]> {
  return (await listEntries(folder)).flatMap((name) => {
    const [, fence] = NAME.exec(name) ?? []
    return fence === undefined ? [] : [Number(fence)]
  })
}

/**
 * Makes this fence the one that writes to the folder, unless it has a newer one. It isn't synced: after a power failure no
 * older writer is left on this machine.
 *
 * @returns the newest fence of the folder: the given one, or that of the writer that has taken over since.
 */
export async function claimFence(folder: string, fence: number, names: NewNames): Promise<number> {
  await makeFolder(folder, names)
  const before = await listFences(folder)
  const newest = Math.max(...before, fence)
  if (newest > fence) return newest
  await (await open(fencePath(folder, fence), 'w', FILE_MODE)).close()
  for (const old of before) if (old < fence) await rm(fencePath(folder, old), { force: true })
  return fence
}

/** @throws FencedError if the folder belongs to a newer writer; otherwise the error of the file system. */
export async function checkFence(folder: string, fence: number): Promise<void> {
  const newest = Math.max(...(await listFences(folder)), fence)
  if (newest > fence) throw new FencedError(`${folder}: writer ${newest} has taken over from writer ${fence}`)
}
