import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyOfTemplate, TEST_PASSWORDS } from '@sightline/platform/db-testing'
import { generateAuthSecrets } from '../server/auth/src/oauth/provider/secrets.ts'

const MEMORY = '/dev/shm'
const PREFIX = 'sightline-test-'
/** More than all products of a run write at the same time. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * In memory where there is room: whatever is written there is "on disk" at once, so that a start does not wait a second for
 * a disk that others write to. A killed process loses nothing there either; a power cut is no test's.
 */
async function parentFolder(): Promise<string> {
  removal ??= removeForgotten()
  await removal
  const memory = await statfs(MEMORY).catch(() => undefined)
  const hasRoom = memory !== undefined && memory.bavail * memory.bsize > ROOM_BYTES
  return hasRoom ? MEMORY : tmpdir()
}

/** Once a process. */
let removal: Promise<void> | undefined
const FORGOTTEN_MS = 24 * 3_600_000

/** What killed runs left behind would stay in memory until the machine starts anew. */
async function removeForgotten(): Promise<void> {
  const names = await readdir(MEMORY).catch(() => [])
  for (const folder of names.filter((name) => name.startsWith(PREFIX)).map((name) => join(MEMORY, name))) {
    const madeAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - madeAt > FORGOTTEN_MS) await rm(folder, { recursive: true, force: true })
  }
}

/** An empty one, as an operator begins with. */
export const newDataFolder = async (): Promise<string> => mkdtemp(join(await parentFolder(), PREFIX))

/** The same for all products of this process, because a new key for id tokens is costly. */
let authSecrets: ReturnType<typeof generateAuthSecrets> | undefined

/**
 * One as after the first step of a start: a migrated database without a row, copied from a template, and the secrets that open
 * it. Making both anew is a fifth of the processor time of a start; that it works is proven where a test begins with an
 * empty folder.
 */
export async function preparedDataFolder(): Promise<string> {
  const folder = await copyOfTemplate(await parentFolder())
  authSecrets ??= generateAuthSecrets()
  const installationKey = randomBytes(32).toString('base64')
  const secrets = { version: 1, installationKey, databasePasswords: TEST_PASSWORDS, auth: authSecrets }
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
  return folder
}
