import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataFolder, openDataFolder } from '@sightline/platform/startup'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets, readSecrets } from './secrets.ts'

interface SecretsContent {
  readonly databasePasswords: object
}

let folder: DataFolder
beforeEach(async () => {
  folder = await openDataFolder(await mkdtemp(join(tmpdir(), 'sightline-secrets-')))
})
afterEach(async () => {
  await folder[Symbol.asyncDispose]()
  await rm(folder.path, { recursive: true })
})

test('secrets are created at the first start, readable only by their owner, and stay the same', async () => {
  const first = await loadSecrets(folder)
  expect(first.installationKey).toHaveLength(32)
  expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600)
  const again = await loadSecrets(folder)
  expect(again.auditKey.equals(first.auditKey)).toBe(true)
  expect(again.pushKey.equals(first.pushKey)).toBe(true)
  expect(again.footageSigning.current.key.equals(first.footageSigning.current.key)).toBe(true)
  const keys = { auditKey: undefined, pushKey: undefined, footageSigning: undefined }
  expect({ ...again, ...keys }).toEqual({ ...first, ...keys })
})

test('a file older than audit log signing gets the missing keys and keeps everything else', async () => {
  await loadSecrets(folder)
  const file = join(folder.path, 'secrets.json')
  const { auditKey: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  delete rest.databasePasswords.sealer
  writeFileSync(file, JSON.stringify(rest))
  await expect(readSecrets(folder.path)).rejects.toThrow(/secrets\.json was written by an earlier version/)
  const { auditKey } = await loadSecrets(folder)
  expect(auditKey.asymmetricKeyType).toBe('ed25519')
  const completed = JSON.parse(readFileSync(file, 'utf8'))
  expect(completed).toMatchObject(rest)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await readSecrets(folder.path)).auditKey.equals(auditKey)).toBe(true)
})

test('a file older than push messages gets the missing keys and keeps everything else', async () => {
  const before = await loadSecrets(folder)
  const file = join(folder.path, 'secrets.json')
  const { pushKey: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  delete rest.databasePasswords.alerts
  writeFileSync(file, JSON.stringify(rest))
  const { pushKey, auditKey } = await loadSecrets(folder)
  expect(pushKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  expect(auditKey.equals(before.auditKey)).toBe(true)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(rest)
  expect((await readSecrets(folder.path)).pushKey.equals(pushKey)).toBe(true)
})

test('a file older than signed lists of footage gets a key for them, made at this start, and keeps everything else', async () => {
  await loadSecrets(folder)
  const file = join(folder.path, 'secrets.json')
  const { footageSigning: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(rest))
  const now = Date.parse('2026-03-01T10:30:00Z')
  const { footageSigning } = await loadSecrets(folder, now)
  expect(footageSigning).toMatchObject({ current: { createdAt: now }, retired: [] })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(rest)
})

test('signing keys of id tokens are replaced after half a year, and the old one stays for verification', async () => {
  const { auth } = await loadSecrets(folder)
  const [made] = auth.signingKeys
  const after = (days: number) => loadSecrets(folder, Date.now() + days * 86_400_000)
  expect((await after(179)).auth.signingKeys).toEqual([made])
  const second = (await after(181)).auth.signingKeys
  expect(second).toEqual([expect.objectContaining({ alg: 'RS256' }), made])
  expect((await after(362)).auth.signingKeys).toEqual([expect.objectContaining({ alg: 'RS256' }), second[0]])
  expect((await readSecrets(folder.path)).auth.cookieKeys).toEqual(auth.cookieKeys)
})

test('a file older than OpenID Connect gets a key that every client can verify', async () => {
  await loadSecrets(folder)
  const file = join(folder.path, 'secrets.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  const ec = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd', kid: 'old', alg: 'ES256', use: 'sig' }
  content.auth.signingKeys = [ec]
  writeFileSync(file, JSON.stringify(content))
  const { auth } = await loadSecrets(folder)
  expect(auth.signingKeys).toEqual([expect.objectContaining({ alg: 'RS256', kty: 'RSA' }), ec])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ auth: { signingKeys: auth.signingKeys } })
})

test('reading the secrets of an empty folder creates none', async () => {
  await expect(readSecrets(folder.path)).rejects.toThrow(/Set SIGHTLINE_DATA_DIR/)
  expect(existsSync(join(folder.path, 'secrets.json'))).toBe(false)
})

test('permissions are corrected on a file that others can read', async () => {
  await loadSecrets(folder)
  chmodSync(join(folder.path, 'secrets.json'), 0o644)
  await loadSecrets(folder)
  expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('new secrets are never created beside data that needs the old ones', async () => {
  await loadSecrets(folder)
  mkdirSync(join(folder.path, 'postgres/cluster'), { recursive: true })
  rmSync(join(folder.path, 'secrets.json'))
  await expect(loadSecrets(folder)).rejects.toThrow(/secrets\.json is missing.*Restore it from your backup/)
})

test.each([
  ['a higher version number', (content: SecretsContent) => ({ ...content, version: 2, databasePasswords: 'sealed' })],
  ['an additional secret', (content: SecretsContent) => ({ ...content, relayKey: 'later' })],
  [
    'an additional database role',
    (content: SecretsContent) => ({ ...content, databasePasswords: { ...content.databasePasswords, relay: 'later' } }),
  ],
])('a file of a newer version (%s) is refused as newer, not as damaged, and kept', async (_, later) => {
  await loadSecrets(folder)
  const file = join(folder.path, 'secrets.json')
  const text = JSON.stringify(later(JSON.parse(readFileSync(file, 'utf8'))))
  writeFileSync(file, text)
  for (const read of [() => loadSecrets(folder), () => readSecrets(folder.path)]) {
    await expect(read()).rejects.toThrow(
      /^The data folder was last used by a newer version of Sightline .*\. Start that/,
    )
  }
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a folder older than built-in database passwords gets those of its owner and superuser', async () => {
  const { databasePasswords: before } = await loadSecrets(folder)
  const file = join(folder.path, 'secrets.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  const { owner: _, superuser: __, ...planes } = content.databasePasswords
  writeFileSync(file, JSON.stringify({ ...content, databasePasswords: planes }))
  const { databasePasswords: after } = await loadSecrets(folder)
  expect(after).toMatchObject(planes)
  for (const made of [after.owner, after.superuser]) expect(made).toMatch(/^[\w-]{32}$/)
  expect(new Set([...Object.values(after), before.owner, before.superuser]).size).toBe(Object.keys(after).length + 2)
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
