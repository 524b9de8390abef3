/** The file `head` of a stream: its signed head. */
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE, syncFolder } from './durable-folder.ts'
import { listEntries } from './segment-files.ts'

const HEAD = 'head'
const BROKEN = /^head\.(\d{1,16})\.broken$/

export const headPath = (folder: string): string => join(folder, HEAD)

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT'

/** Its line; undefined if there is none. */
export async function readHeadFile(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(headPath(folder), 'utf8')).replace(/\n$/, '')
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw new Error(`could not read ${headPath(folder)}`, { cause })
  }
}

/**
 * Replaces the file as a whole. It is on the disk before it gets its name; after a power failure, the one before may be
 * back.
 *
 * @returns false if the folder is gone.
 */
export async function writeHeadFile(folder: string, line: string): Promise<boolean> {
  const unfinished = join(folder, `${HEAD}.new`)
  try {
    await using file = await open(unfinished, 'w', FILE_MODE)
    await file.writeFile(`${line}\n`)
    await file.datasync()
  } catch (cause) {
    if (isMissing(cause)) return false
    throw new Error(`could not write ${unfinished}`, { cause })
  }
  await rename(unfinished, headPath(folder))
  return true
}

/** Keeps a signed head that the chain doesn't continue, as evidence. @param at milliseconds since 1970. */
export async function setHeadAside(folder: string, line: string, at: number): Promise<string> {
  const path = join(folder, `${HEAD}.${at}.broken`)
  await using file = await open(path, 'w', FILE_MODE)
  await file.writeFile(`${line}\n`)
  await file.sync()
  await syncFolder(folder)
  return path
}

/** Signed heads that the chain didn't continue, oldest first. */
export async function listBrokenHeads(folder: string): Promise<readonly { path: string; line: string }[]> {
  const names = (await listEntries(folder)).filter((name) => BROKEN.test(name)).sort()
  return await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { path, line: (await readFile(path, 'utf8')).trimEnd() }
    }),
  )
}
