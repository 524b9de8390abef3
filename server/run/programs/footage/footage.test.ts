import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  bucketFiles,
  chainHeads,
  footageKek,
  keysInFiles,
  Manifest,
  onDisk,
  SyncGroup,
  signHead,
  streamFolder,
  writeHeadFile,
} from '@sightline/media/recording'
import { getKeyId, publicHalf, signLine } from '@sightline/platform/signed-line'
import { openDataFolder } from '@sightline/platform/startup'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from '../../compose/secrets.ts'
import { rebuildFootage, verifyFootage } from './commands.ts'
import { exportFootage } from './export.ts'
import { readCommand } from './options.ts'
import { writeMp4 } from './to-mp4.ts'
import { ownKeys, type TrustedKeys } from './trusted-keys.ts'
import { toSigners, verifyExports } from './verify-export.ts'

/** The example of the format's specification: one encrypted segment from 10:30:00 on, 2.5 s. */
const EXAMPLE = new URL('../../../../tests/fixtures/recording/version-2/', import.meta.url).pathname
const keys = keysInFiles(new Uint8Array(32).map((_, index) => index))
const START = Date.parse('2026-03-01T10:30:00Z')
const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0

let store: string
beforeEach(async () => {
  store = await mkdtemp(join(tmpdir(), 'sightline-footage-'))
  await cp(EXAMPLE, store, { recursive: true })
})
afterEach(() => rm(store, { recursive: true }))

const hour = () => join(store, '1000/2001/main/2026-03-01/10')
async function segment(): Promise<string> {
  return join(hour(), (await readdir(hour())).find((name) => name.endsWith('.seg')) ?? '')
}

test('footage as it was written is verified, and anything else is named', async () => {
  expect(await verifyFootage({ store, keys })).toMatchObject({ ok: true })
  const path = await segment()
  const bytes = await readFile(path)
  await writeFile(path, bytes.with(3000, (bytes[3000] ?? 0) ^ 1))
  expect(await verifyFootage({ store, keys })).toMatchObject({
    ok: false,
    failure: expect.stringContaining('1 of its parts'),
  })
  await writeFile(path, bytes)
  const otherKeys = keysInFiles(footageKek(new Uint8Array(32)))
  expect(await verifyFootage({ store, keys: otherKeys })).toMatchObject({
    failure: expect.stringContaining('decrypted'),
  })
  await rm(path)
  expect(await verifyFootage({ store, keys })).toMatchObject({ failure: expect.stringContaining('is missing') })
})

/** Signs the head of the example. */
async function signExample(at: number, own?: KeyObject): Promise<TrustedKeys> {
  const privateKey = own ?? generateKeyPairSync('ed25519').privateKey
  const publicKey = publicHalf(privateKey)
  await using group = new SyncGroup()
  const stream = { accountId: 1000, cameraId: 2001, stream: 'main' } as const
  await using _ = await Manifest.open({ store, stream, group, failed: () => undefined })
  const [head] = await chainHeads(group).take()
  await writeHeadFile(streamFolder(store, stream), signHead(head ?? expect.fail('no head'), at, privateKey))
  return { keys: [{ publicKey, createdAt: START - 60_000, retiredAt: undefined }], source: 'Signatures of a test.' }
}

test('the signature of a list of footage is verified, and the place that it does not cover is named', async () => {
  const trusted = await signExample(START + 60_000)
  expect(await verifyFootage({ store, keys }, trusted)).toMatchObject({
    ok: true,
    value: expect.stringMatching(
      /1000\/2001\/main: proven as signed at 2026-03-01T10:31:00.000Z with key [0-9a-f]{16}\.\n(?:.|\n)*Signatures of a test/,
    ),
  })
  const manifest = join(hour(), 'manifest.jsonl')
  const lines = await readFile(manifest)
  await writeFile(manifest, '')
  const found = await verifyFootage({ store, keys }, trusted)
  expect(found).toMatchObject({ failure: expect.stringContaining(`${manifest}, line 0: cut off after this line`) })
  await writeFile(manifest, lines)
  await rm(join(hour(), '../../head'))
  expect(await verifyFootage({ store, keys })).toMatchObject({ value: expect.stringContaining('not checked') })
  expect(await verifyFootage({ store, keys }, trusted)).toMatchObject({
    value: expect.stringContaining('1000/2001/main: not signed; recorded before'),
  })
})

test('a list that no longer has the line that a checkpoint of the audit log names was cut off or written again', async () => {
  const auditKey = generateKeyPairSync('ed25519').privateKey
  const [first = ''] = (await readFile(join(hour(), 'manifest.jsonl'), 'utf8')).split('\n')
  const { hash } = JSON.parse(first)
  const file = `${store}.checkpoints`
  const note = async (heads: readonly (readonly [number, number, string, string])[], key = auditKey) => {
    const previous = '0'.repeat(64)
    const content = {
      number: 7,
      at: '2026-03-01T10:32:00.000Z',
      keyId: getKeyId(key),
      previous,
      heads: [],
      footage: heads,
    }
    await writeFile(file, `${signLine(content, key)}\n`)
  }
  const checkpoints = { file, publicKey: publicHalf(auditKey) }
  try {
    await note([[1000, 2001, 'main', hash]])
    expect(await verifyFootage({ store, keys }, undefined, checkpoints)).toMatchObject({
      value: expect.stringContaining('compared with 1 heads'),
    })
    await note([
      [1000, 2001, 'main', hash],
      [1000, 2001, 'main', 'f'.repeat(64)],
      [1000, 2999, 'main', 'f'.repeat(64)],
    ])
    expect(await verifyFootage({ store, keys }, undefined, checkpoints)).toMatchObject({
      failure: expect.stringMatching(
        /^1000\/2001\/main: the list no longer has the line that checkpoint 7 .*\n1 problems found/,
      ),
    })
    // Anyone can write a checkpoint; only those with the right signature count.
    await note([[1000, 2001, 'main', 'f'.repeat(64)]], generateKeyPairSync('ed25519').privateKey)
    expect(await verifyFootage({ store, keys }, undefined, checkpoints)).toMatchObject({ ok: true })
  } finally {
    await rm(file)
  }
})

test('an interrupted recording without its list is rebuilt from the files', async () => {
  const path = await segment()
  await truncate(path, (await stat(path)).size - 2000)
  await rm(join(hour(), 'manifest.jsonl'))
  expect(await rebuildFootage({ store, keys })).toMatchObject({
    ok: true,
    value: expect.stringMatching(
      /1000\/2001\/main: 1 segments closed(?:.|\n)*2026-03-01T10:30:00.000Z to .* ended by restart/,
    ),
  })
  expect(await verifyFootage({ store, keys })).toMatchObject({ ok: true })
})

test.skipIf(!hasFfmpeg)('encrypted footage becomes an MP4 file that ffmpeg decodes without errors', async () => {
  const out = join(store, 'out.mp4')
  const wanted = { store, keys, cameraId: 2001, stream: 'main' as const, from: START, to: START + 10_000, out }
  expect(await writeMp4(wanted)).toMatchObject({ ok: true, value: expect.stringContaining('2.5 s') })
  const options = ['-v', 'warning', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', out]
  const { stdout, stderr } = spawnSync('ffprobe', options, { encoding: 'utf8' })
  expect([stderr, stdout.split('\n')[0]]).toEqual(['', '63'])
  await expect(writeMp4(wanted)).rejects.toThrow('EEXIST')
  expect(await writeMp4({ ...wanted, stream: 'sub', out: `${out}3` })).toMatchObject({
    failure: expect.stringContaining('sub stream'),
  })
  expect(await writeMp4({ ...wanted, cameraId: 7, out: `${out}2` })).toMatchObject({
    failure: expect.stringContaining('no footage'),
  })
})

/** The secrets of a data folder of its own. */
async function newSecrets() {
  await using folder = await openDataFolder(await mkdtemp(join(store, 'data-')))
  return await loadSecrets(folder)
}

test('an exported file is checked by the noted fingerprint of its key alone, and a change is named by its place and time', async () => {
  const secrets = await newSecrets()
  await signExample(START + 60_000, secrets.footageSigning.current.key)
  const out = join(store, 'door.mp4')
  const wanted = { store, keys, cameraId: 2001, stream: 'main' as const, from: START, to: START + 10_000, out }
  expect(await exportFootage({ ...wanted, secrets, reason: 'theft' })).toMatchObject({ ok: true })
  const signers = toSigners(ownKeys(secrets))
  expect(await verifyExports([out], signers)).toMatchObject({
    ok: true,
    value: expect.stringMatching(/door.mp4: genuine(?:.|\n)*by operator: theft/),
  })
  const stranger = toSigners(ownKeys(await newSecrets()))
  expect(await verifyExports([out], stranger)).toMatchObject({
    failure: expect.stringMatching(/NOT PROVEN(?:.|\n)*not one of the trusted keys/),
  })
  const bytes = await readFile(out)
  await writeFile(out, bytes.with(6000, (bytes[6000] ?? 0) ^ 1))
  expect(await verifyExports([out], signers)).toMatchObject({
    failure: expect.stringMatching(
      /1 problem found\.\n {2}Bytes \d+ to \d+: the footage of 2026-03-01T10:30:0.* was changed or replaced/,
    ),
  })
  await expect(exportFootage({ ...wanted, secrets, reason: undefined })).rejects.toThrow('EEXIST')
  expect((await stat(out)).size).toBe(bytes.length)
})

test.each([
  ['verify-export', 'names of files'],
  ['verify-export --fingerprint abc door.mp4', '64'],
  ['export --camera 1', 'export needs --from'],
  ['verify extra', 'extra'],
  ['to-mp4 --camera x', '--camera'],
  ['to-mp4 --camera 1 --from now --to later', '--from'],
  ['to-mp4 --camera 1 --from 2026-03-01T10:30:00Z --to 2026-03-01T10:00:00Z', 'later'],
  ['to-mp4 --camera 1 --from 2026-03-01T10:00:00Z --to 2026-03-01T10:30:00Z', '--out'],
  ['to-mp4 --camera 1 --from 2026-03-01T10:00:00Z --to 2026-03-01T10:30:00Z --out x --stream third', '--stream'],
  ['verify --all', '--all'],
  ['verify --out x', 'does not take --out'],
  ['rebuild --key x', 'no options'],
  ['export-key', '--out'],
  ['import-key', '--key'],
  ['to-mp4 --public-keys x', 'does not take'],
  ['burn', 'Unknown command'],
])('%s is refused with a sentence', (words, told) => {
  expect(readCommand(words.split(' '))).toMatchObject({ ok: false, failure: expect.stringContaining(told) })
})

test('what only S3 has is read with a way to read it, and counted without one', async () => {
  const path = await segment()
  const size = (await stat(path)).size
  await writeFile(join(hour(), 'bucket'), `${basename(path)} ${size}\n`)
  const bytes = await readFile(path)
  await rm(path)
  expect(await verifyFootage({ store, keys })).toMatchObject({
    ok: true,
    value: expect.stringContaining('1 segments are only in S3 and were not read'),
  })
  const read =
    (changed: Buffer) =>
    async (_: string, { start, end }: { start: number; end: number }) =>
      changed.subarray(start, end)
  const filesWith = (content: Buffer) => bucketFiles({ store, objects: { read: read(content) }, disk: onDisk })
  expect(await verifyFootage({ store, keys, files: filesWith(bytes) })).toMatchObject({
    ok: true,
    value: expect.not.stringContaining('were not read'),
  })
  const changed = Buffer.from(bytes)
  changed[size >> 1] = (changed[size >> 1] ?? 0) ^ 1
  expect(await verifyFootage({ store, keys, files: filesWith(changed) })).toMatchObject({
    ok: false,
    failure: expect.stringContaining('1 of its parts are not what was written'),
  })
})
