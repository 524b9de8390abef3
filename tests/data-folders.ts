import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyOfTemplate, TEST_PASSWORDS } from '@sightline/platform/db-testing'
import { generateAuthSecrets } from '../server/auth/src/oauth/provider/secrets.ts'

/** An empty one, as an operator begins with. */
export const newDataFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'sightline-test-'))

/** The same for all products of this process, because a new key for id tokens is costly. */
let authSecrets: ReturnType<typeof generateAuthSecrets> | undefined

/**
 * One as after the first step of a start: a migrated database without a row, copied from a template, and the secrets that open
 * it. Making both anew is a fifth of the processor time of a start; that it works is proven where a test begins with an
 * empty folder.
 */
export async function preparedDataFolder(): Promise<string> {
  const folder = await copyOfTemplate()
  authSecrets ??= generateAuthSecrets()
  const installationKey = randomBytes(32).toString('base64')
  const secrets = { version: 1, installationKey, databasePasswords: TEST_PASSWORDS, auth: authSecrets }
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
  return folder
}
