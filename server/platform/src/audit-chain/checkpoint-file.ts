import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const FILE_NAME = 'checkpoints.ndjson'

/** The checkpoint file in that folder. */
export const getCheckpointPath = (folder: string): string => join(folder, FILE_NAME)

const CHUNK = 65_536
const NEW_LINE = 10

/**
 * The last complete line of the file, or undefined. A partial last line, left by a crash, is cut off: it was never
 * acknowledged.
 */
export async function lastLine(file: string): Promise<string | undefined> {
  // For reading only, because an append-only file can't be opened in any other mode.
  const handle = await openIfThere(file)
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    const end = await endOfLastLine(handle, size)
    if (end < size) await cutAt(file, end)
    if (end === 0) return undefined
    const begin = await endOfLastLine(handle, end - 1)
    const bytes = Buffer.alloc(end - 1 - begin)
    await handle.read(bytes, 0, bytes.length, begin)
    return bytes.toString()
  } finally {
    await handle.close()
  }
}

async function cutAt(file: string, size: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(size)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The offset after the last line break before `before`; 0 without one. */
async function endOfLastLine(handle: FileHandle, before: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK)
  for (let end = before; end > 0; ) {
    const begin = Math.max(0, end - CHUNK)
    await handle.read(chunk, 0, end - begin, begin)
    const found = chunk.subarray(0, end - begin).lastIndexOf(NEW_LINE)
    if (found >= 0) return begin + found + 1
    end = begin
  }
  return 0
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

/** Appends whole lines and syncs them to the disk; creates the file (mode 0600) and its folder if they are missing. */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a', 0o600)
  try {
    const isNew = (await handle.stat()).size === 0
    await handle.appendFile(lines.map((line) => `${line}\n`).join(''))
    await handle.sync()
    if (isNew) await syncFolder(dirname(file))
  } finally {
    await handle.close()
  }
}

/** Otherwise a power cut may lose a new file's directory entry. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Size of a file in bytes; 0 if it doesn't exist. */
export async function getFileSize(file: string): Promise<number> {
  const handle = await openIfThere(file)
  if (handle === undefined) return 0
  return handle
    .stat()
    .then(({ size }) => size)
    .finally(() => handle.close())
}

/** The lines of the file up to that size, also a half one at the end. */
export async function* readLines(file: string, size: number): AsyncGenerator<string> {
  if (size === 0) return
  const handle = await open(file, 'r')
  try {
    const input = createReadStream('', { fd: handle, autoClose: false, end: size - 1 })
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield line
  } finally {
    await handle.close()
  }
}
