/** The key of footage in a file of its own: what `export-key` writes, and `--key` reads. */
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { StartError } from '@sightline/platform/startup'

const FORMAT = 'sightline footage key 1'

/** Finds a mistyped copy; it says nothing about the key. */
const checkOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** @param out a file that doesn't exist yet; only this user may read it. */
export async function writeKeyFile(out: string, kek: Uint8Array): Promise<void> {
  const content = { format: FORMAT, key: Buffer.from(kek).toString('base64'), check: checkOf(kek) }
  await using file = await open(out, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EEXIST' ? 'It already exists and is not overwritten' : cause.message
    throw new StartError(`Could not write ${out}. ${why}.`, { cause })
  })
  await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`)
  await file.sync()
}

/** @throws StartError if it can't be read or isn't such a file. */
export async function readKeyFile(path: string): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new StartError(`Could not read ${path}.`, { cause })
  })
  try {
    const { format, key, check } = JSON.parse(text)
    const bytes = Buffer.from(String(key), 'base64')
    if (format === FORMAT && bytes.length === 32 && checkOf(bytes) === check) return bytes
  } catch {
    // Said below.
  }
  throw new StartError(
    `${path} is not a key of footage, or was changed. It is what "npm run footage -- export-key" writes.`,
  )
}
