import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataFolder, openDataFolder } from '@sightline/platform/startup'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from './secrets.ts'

let folder: DataFolder
beforeEach(async () => {
  folder = await openDataFolder(await mkdtemp(join(tmpdir(), 'sightline-secrets-')))
})
afterEach(async () => {
  await folder[Symbol.asyncDispose]()
  await rm(folder.path, { recursive: true })
})

test('secrets are made at the first start, readable by their owner only, and stay the same', async () => {
  const first = await loadSecrets(folder)
  expect(first.installationKey).toHaveLength(32)
  expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(await loadSecrets(folder)).toEqual(first)
})

test('a file others may read is closed to them', async () => {
  await loadSecrets(folder)
  chmodSync(join(folder.path, 'secrets.json'), 0o644)
  await loadSecrets(folder)
  expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('new secrets are never made beside data that needs the old ones', async () => {
  await loadSecrets(folder)
  mkdirSync(join(folder.path, 'postgres/cluster'), { recursive: true })
  rmSync(join(folder.path, 'secrets.json'))
  await expect(loadSecrets(folder)).rejects.toThrow(/secrets\.json is missing.*restore it from your backup/)
})

test.each([[''], ['{'], ['{"version":1}'], ['{"version":1,"installationKey":"c2hvcnQ=","databasePasswords":{}}']])(
  'a damaged file (%s) is refused and kept',
  async (text) => {
    const file = join(folder.path, 'secrets.json')
    writeFileSync(file, text)
    await expect(loadSecrets(folder)).rejects.toThrow(/secrets\.json is damaged/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)
