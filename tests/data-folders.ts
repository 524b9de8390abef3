import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyOfTemplate, TEST_PASSWORDS } from '@sightline/platform/db-testing'
import { generateAuthSecrets } from '../server/auth/src/oauth/provider/secrets.ts'

/** An empty data folder, as on an operator's first start. */
export const newDataFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'sightline-test-'))

/** Shared by all products of this process, because creating a key for id tokens is slow. */
let authSecrets: ReturnType<typeof generateAuthSecrets> | undefined

/**
 * A data folder as after the first step of a start: a migrated empty database, copied from a template, and its secrets.
 * Creating both takes a fifth of a start's processor time; tests that start with an empty folder prove that it works.
 */
export async function preparedDataFolder(): Promise<string> {
  const folder = await copyOfTemplate()
  authSecrets ??= generateAuthSecrets()
  const installationKey = randomBytes(32).toString('base64')
  const secrets = { version: 1, installationKey, databasePasswords: TEST_PASSWORDS, auth: authSecrets }
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
  return folder
}
