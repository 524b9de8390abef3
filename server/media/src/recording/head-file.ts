/** The file `head` of a stream: its signed head; and that of an hour: the last one that was signed for its manifest. */
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE, syncFolder } from './durable-folder.ts'
import { listEntries } from './segment-files.ts'
import { type Hour, hourFolder } from './segment-name.ts'
import { readHead } from './signed-head.ts'

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

/** The last head that was signed for a line of an hour; undefined before the next hour has one. */
export const readHourHead = (folder: string, hour: Hour): Promise<string | undefined> =>
  readHeadFile(hourFolder(folder, hour))

/**
 * Keeps the last head of an hour beside its manifest when the first of a later hour replaces it: an export of old footage needs only
 * the lines of its hour then, instead of all since.
 */
async function keepHourHead(folder: string, line: string): Promise<void> {
  const before = await readHeadFile(folder)
  const [last, next] = [before === undefined ? undefined : readHead(before), readHead(line)]
  if (last !== undefined && next !== undefined && last.hour < next.hour)
    await replaceHead(hourFolder(folder, last.hour), last.line)
}

/**
 * Replaces the file as a whole. It is on the disk before it gets its name; after a power failure, the one before may be
 * back.
 *
 * @returns false if the folder is gone.
 */
export async function writeHeadFile(folder: string, line: string): Promise<boolean> {
  await keepHourHead(folder, line)
  return await replaceHead(folder, line)
}

async function replaceHead(folder: string, line: string): Promise<boolean> {
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
