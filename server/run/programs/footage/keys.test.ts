import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { footageKek, headKeysText, keysInFiles, readHeadKeys } from '@sightline/media/recording'
import { type DataFolder, openDataFolder } from '@sightline/platform/startup'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFootageKek } from '../../compose/footage-secrets.ts'
import { listHeadKeys, publishedHeadKeys } from '../../compose/head-signer.ts'
import { loadSecrets, readSecrets } from '../../compose/secrets.ts'
import { verifyFootage } from './commands.ts'
import { readKeyFile, writeKeyFile } from './key-file.ts'
import { exportKey, importKey, renewSigningKey } from './keys.ts'
import { notedKeys } from './trusted-keys.ts'

/** The example of the format's specification, and its KEK. */
const EXAMPLE = new URL('../../../../tests/fixtures/recording/version-2/', import.meta.url).pathname
const EXAMPLE_KEK = new Uint8Array(32).map((_, index) => index)

let folder: DataFolder & AsyncDisposable
let file: string
beforeEach(async () => {
  folder = await openDataFolder(await mkdtemp(join(tmpdir(), 'sightline-keys-')))
  file = join(folder.path, 'exported.json')
  await loadSecrets(folder)
})
afterEach(async () => {
  await folder[Symbol.asyncDispose]()
  await rm(folder.path, { recursive: true })
})

test('an exported key is the one that opens the footage, readable only by its owner, and nothing is overwritten', async () => {
  expect(await exportKey(folder.path, file)).toMatchObject({ ok: true, value: expect.stringContaining('WARNING') })
  const { installationKey } = await readSecrets(folder.path)
  expect(Buffer.from(await readKeyFile(file))).toEqual(footageKek(installationKey))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).not.toContain(installationKey.toString('base64'))
  await expect(exportKey(folder.path, file)).rejects.toThrow('is not overwritten')
})

test.each(['', '{}', '{"format":"sightline footage key 1","key":"AAAA","check":""}'])(
  'what is not an exported key is refused: %s',
  async (text) => {
    await writeFile(file, text)
    await expect(readKeyFile(file)).rejects.toThrow('is not a key of footage')
  },
)

test('an imported key opens its footage', async () => {
  await cp(EXAMPLE, join(folder.path, 'footage'), { recursive: true })
  await writeKeyFile(file, EXAMPLE_KEK)
  expect(await importKey(folder, file)).toMatchObject({ ok: true })
  const kek = findFootageKek(await loadSecrets(folder))
  expect(await verifyFootage({ store: join(folder.path, 'footage'), keys: keysInFiles(kek) })).toMatchObject({
    ok: true,
  })
  // What is exported from now on is the same key.
  await exportKey(folder.path, `${file}.2`)
  expect(await readKeyFile(`${file}.2`)).toEqual(Buffer.from(EXAMPLE_KEK))
})

test('a key that opens nothing, or would lose footage, is not imported', async () => {
  await cp(EXAMPLE, join(folder.path, 'footage'), { recursive: true })
  await writeKeyFile(file, EXAMPLE_KEK)
  await writeKeyFile(`${file}.foreign`, new Uint8Array(32).fill(9))
  expect(await importKey(folder, `${file}.foreign`)).toMatchObject({
    failure: expect.stringContaining('does not open any footage'),
  })
  await importKey(folder, file)
  const before = await readFile(join(folder.path, 'secrets.json'), 'utf8')
  expect(await importKey(folder, `${file}.foreign`)).toMatchObject({ ok: false })
  expect(await readFile(join(folder.path, 'secrets.json'), 'utf8')).toBe(before)
})

test('a new signing key takes over; of the one before only the public half stays, published as retired', async () => {
  const before = await loadSecrets(folder)
  const now = before.footageSigning.current.createdAt + 60_000
  expect(await renewSigningKey(folder, now)).toMatchObject({ ok: true })
  await renewSigningKey(folder, now + 60_000)
  const after = await loadSecrets(folder)
  const [current, last, first] = listHeadKeys(after)
  expect(listHeadKeys(after)).toHaveLength(3)
  expect(current).toMatchObject({ createdAt: now + 60_000, retiredAt: undefined })
  expect(last).toMatchObject({ createdAt: now, retiredAt: now + 60_000 })
  const [original] = listHeadKeys(before)
  expect(first).toMatchObject({ createdAt: original?.createdAt, retiredAt: now })
  expect(first?.publicKey.equals(original?.publicKey ?? expect.fail('no key'))).toBe(true)
  const old = before.footageSigning.current.key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  expect(await readFile(join(folder.path, 'secrets.json'), 'utf8')).not.toContain(old)
  expect(readHeadKeys(publishedHeadKeys(after))).toHaveLength(3)
})

test('noted keys are read as they were published, and a changed list is refused', async () => {
  const secrets = await loadSecrets(folder)
  const text = publishedHeadKeys(secrets)
  await writeFile(file, text)
  const { keys } = await notedKeys(file)
  expect(headKeysText(keys)).toBe(text)
  expect(text).not.toContain('PRIVATE')
  const [{ fingerprint }] = JSON.parse(text).keys
  for (const changed of [
    '',
    '{"keys":[]}',
    text.replace(fingerprint, '0'.repeat(64)),
    text.replace('"createdAt"', '"x"'),
  ]) {
    await writeFile(file, changed)
    await expect(notedKeys(file)).rejects.toThrow('is not a list of keys')
  }
})
