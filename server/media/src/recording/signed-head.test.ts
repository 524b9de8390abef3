/** What somebody with access to the disk could change about footage, and where it is found. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { chainHeads } from './chain-heads.ts'
import { readHeadFile, writeHeadFile } from './head-file.ts'
import type { HeadKey } from './head-keys.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY, temporaryFolder } from './recording-stage.ts'
import type { StreamKey } from './run-log.ts'
import { type ScrubFinding, scrubStream } from './scrub.ts'
import { listSegments } from './segment-files.ts'
import { hourFolder, segmentPath, streamFolder, toHour } from './segment-name.ts'
import { readHead, signHead } from './signed-head.ts'
import { SyncGroup } from './sync-group.ts'
import { verifyHead } from './verify-head.ts'

const OTHER: StreamKey = { ...CAMERA, cameraId: 2002 }
const SIGNED_AT = TEN_THIRTY + 60_000
const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey
const trusted = (publicKey: KeyObject, more: Partial<HeadKey> = {}): HeadKey => ({
  publicKey,
  createdAt: TEN_THIRTY - 3_600_000,
  retiredAt: undefined,
  ...more,
})
const { privateKey: own, publicKey } = generateKeyPairSync('ed25519')
const KEYS = [trusted(publicKey)]

let store: string
const folder = () => streamFolder(store, CAMERA)
const manifest = () => join(hourFolder(folder(), toHour(TEN_THIRTY)), 'manifest.jsonl')
const headFile = () => join(folder(), 'head')

afterAll(removeTemporaryFolders)

/** Ten segments of two seconds, from half past ten on unless said; their head is signed. */
async function record(stream: StreamKey, { wallClock = TEN_THIRTY, key = own, at = SIGNED_AT } = {}): Promise<void> {
  await using group = new SyncGroup()
  const set = await stage({ store, stream, group, segmentMs: 2000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 20, wallClock }))
  await set.stop()
  for (const head of await chainHeads(group).take())
    await writeHeadFile(streamFolder(store, stream), signHead(head, at, key))
}

beforeEach(async () => {
  store = await temporaryFolder()
  await record(CAMERA)
})

/** What is found in the stream, as `name of the file, line, what`. */
async function verify(keys = KEYS): Promise<readonly string[]> {
  const found: string[] = []
  const name = (path: string) => path.slice(folder().length + 1)
  const textOf = (finding: ScrubFinding): string => {
    if (finding.kind === 'chain') return `${name(finding.broken.file)}, ${finding.broken.line}, ${finding.broken.what}`
    return finding.kind === 'segment'
      ? `${name(finding.path)}, ${finding.health.kind}`
      : `${name(finding.path)}, ${finding.kind}`
  }
  for await (const finding of scrubStream(store, CAMERA)) found.push(textOf(finding))
  const { findings } = await verifyHead(store, CAMERA, keys)
  return [...found, ...findings.map(({ path, line, what }) => `${name(path)}, ${line ?? '-'}, ${what}`)]
}

const lines = async () => (await readFile(manifest(), 'utf8')).trimEnd().split('\n')
const writeLines = (texts: readonly string[]) => writeFile(manifest(), texts.map((text) => `${text}\n`).join(''))
const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1)

/** Links the lines anew, as somebody would who knows the format and has no key. */
function rechained(texts: readonly string[]): readonly string[] {
  let prev: string | undefined
  return texts.map((text) => {
    const { prev: before, hash: _, ...entry } = JSON.parse(text)
    prev ??= String(before)
    const body = JSON.stringify(entry).slice(0, -1)
    const hash = createHash('sha256').update(Buffer.from(prev, 'hex')).update(body).digest('hex')
    const line = `${body},"prev":"${prev}","hash":"${hash}"}`
    prev = hash
    return line
  })
}

test('footage as it was written is proven up to its signed head', async () => {
  expect(await verify()).toEqual([])
  const report = await verifyHead(store, CAMERA, KEYS)
  expect(report).toMatchObject({ unsignedLines: 0, signed: { ...CAMERA, at: SIGNED_AT } })
  expect((await lines()).length).toBeGreaterThanOrEqual(10)
})

test('lines after the head are counted and not proven', async () => {
  const all = await lines()
  const signed = all.slice(0, -2)
  const bytes = Buffer.byteLength(`${signed.join('\n')}\n`)
  const hash: string = JSON.parse(signed.at(-1) ?? '').hash
  await writeHeadFile(folder(), signHead({ ...CAMERA, hour: toHour(TEN_THIRTY), bytes, hash }, SIGNED_AT, own))
  expect(await verifyHead(store, CAMERA, KEYS)).toMatchObject({ unsignedLines: 2, findings: [] })
})

test('one bit of a segment', async () => {
  const [name] = await listSegments(folder(), toHour(TEN_THIRTY))
  const path = segmentPath(folder(), name ?? expect.fail('no segment'))
  const bytes = await readFile(path)
  for (const at of [30, 3000, bytes.length - 40]) {
    await writeFile(path, flipped(bytes, at))
    expect(await verify()).toEqual([expect.stringMatching(/^2026-03-01\/10\/\d+-1-[0-9a-f]{32}\.seg, /)])
  }
})

test('one bit of a line', async () => {
  const bytes = await readFile(manifest())
  const third = (await lines()).slice(0, 2).join('\n').length + 20
  await writeFile(manifest(), flipped(bytes, third))
  expect(await verify()).toContain('2026-03-01/10/manifest.jsonl, 3, changed line')
})

test('the end of the list cut off, with its segments', async () => {
  const all = await lines()
  await writeLines(all.slice(0, -3))
  // By their ids: segments that begin at the same time are listed in any order.
  const isCut = ({ segmentId }: { readonly segmentId: string }) =>
    all.slice(-3).some((line) => line.includes(segmentId))
  for (const name of await listSegments(folder(), toHour(TEN_THIRTY)))
    if (isCut(name)) await rm(segmentPath(folder(), name))
  expect(await verify()).toEqual([
    expect.stringMatching(
      `^2026-03-01/10/manifest.jsonl, ${all.length - 3}, cut off after this line: the head that was signed at 2026-03-01T10:31:00.000Z had \\d+ bytes here$`,
    ),
  ])
})

test('the whole list removed', async () => {
  await rm(manifest())
  expect(await verify()).toEqual([expect.stringContaining('manifest.jsonl, 0, cut off after this line')])
})

test('lines in another order', async () => {
  const [first = '', second = '', third = '', ...rest] = await lines()
  await writeLines([first, third, second, ...rest])
  expect(await verify()).toContain('2026-03-01/10/manifest.jsonl, 2, does not follow the line before it')
})

test('another camera’s segment in place of an own one', async () => {
  await record(OTHER)
  const [mine] = await listSegments(folder(), toHour(TEN_THIRTY))
  const [theirs] = await listSegments(streamFolder(store, OTHER), toHour(TEN_THIRTY))
  await copyFile(
    segmentPath(streamFolder(store, OTHER), theirs ?? expect.fail('no segment')),
    segmentPath(folder(), mine ?? expect.fail('no segment')),
  )
  expect(await verify()).toEqual([expect.stringMatching(/\.seg, changed$/)])
})

test('another camera’s segment added, with its line', async () => {
  await record(OTHER)
  const [theirs] = await listSegments(streamFolder(store, OTHER), toHour(TEN_THIRTY))
  const segment = theirs ?? expect.fail('no segment')
  await copyFile(segmentPath(streamFolder(store, OTHER), segment), segmentPath(folder(), segment))
  const [line = ''] = (
    await readFile(join(hourFolder(streamFolder(store, OTHER), toHour(TEN_THIRTY)), 'manifest.jsonl'), 'utf8')
  ).split('\n')
  const all = await lines()
  await writeLines([...all.slice(0, 4), line, ...all.slice(4)])
  expect(await verify()).toContain('2026-03-01/10/manifest.jsonl, 5, does not follow the line before it')
})

test('a time in the list', async () => {
  const all = await lines()
  const later = (text: string) => text.replace(/"start":(\d+)/, (_, start) => `"start":${Number(start) + 1000}`)
  const changed = all.map((text, index) => (index === 4 ? later(text) : text))
  await writeLines(changed)
  expect(await verify()).toContain('2026-03-01/10/manifest.jsonl, 5, changed line')
  // With hashes that fit, only the signature tells.
  await writeLines(rechained(changed))
  expect((await verify()).filter((found) => found.includes('manifest'))).toEqual([
    `2026-03-01/10/manifest.jsonl, ${all.length}, not what the head that was signed at 2026-03-01T10:31:00.000Z says: it or a line before it was changed`,
  ])
})

test('the signed head removed', async () => {
  await rm(headFile())
  expect(await verify()).toEqual([
    '2026-03-01/10/manifest.jsonl, 1, this line and what follows are not signed: there is no signed head, but heads were signed from 2026-03-01T09:30:00.000Z on',
  ])
})

test('the signed head changed', async () => {
  const line = (await readHeadFile(folder())) ?? ''
  for (const changed of [
    line.replace('"bytes":', '"bytes":1'),
    line.replace(/"at":"2026-03-01T10:31/, '"at":"2026-03-01T10:35'),
  ]) {
    await writeHeadFile(folder(), changed)
    expect(await verify()).toEqual(['head, -, changed after it was signed'])
  }
  for (const changed of ['', '{}', line.slice(0, -1), `${line} `, `${line}{}`]) {
    await writeHeadFile(folder(), changed)
    expect(await verify()).toEqual(['head, -, not a signed head'])
  }
})

test('the head signed with another key, or with one after its retirement', async () => {
  const line = readHead((await readHeadFile(folder())) ?? '') ?? expect.fail('no head')
  await writeHeadFile(folder(), signHead(line, SIGNED_AT, newKey()))
  expect(await verify()).toEqual([
    expect.stringMatching(/^head, -, signed with key [0-9a-f]{16}, which is not one of the trusted keys$/),
  ])
  await writeHeadFile(folder(), signHead(line, SIGNED_AT, own))
  const successor = trusted(newKey())
  expect(await verify([successor, trusted(publicKey, { retiredAt: SIGNED_AT })])).toEqual([])
  expect(await verify([successor, trusted(publicKey, { retiredAt: SIGNED_AT - 1 })])).toEqual([
    expect.stringContaining('after its retirement'),
  ])
})

test('another camera’s head', async () => {
  await record(OTHER)
  await copyFile(join(streamFolder(store, OTHER), 'head'), headFile())
  expect(await verify()).toEqual(['head, -, the head of another recording: 1000/2002/main'])
})

test('footage added after the last head, without a signature', async () => {
  const signed = (await readHeadFile(folder())) ?? ''
  const before = (await lines()).length
  await record(CAMERA, { wallClock: TEN_THIRTY + 1_200_000, key: newKey() })
  await writeHeadFile(folder(), signed)
  expect(await verify()).toEqual([
    `2026-03-01/10/manifest.jsonl, ${before + 1}, this line and what follows are not signed: the last signed head is older, of 2026-03-01T10:31:00.000Z`,
  ])
})

test('footage from before heads were signed is fine without one', async () => {
  await rm(headFile())
  const keys = [trusted(publicKey, { createdAt: TEN_THIRTY + 3_600_000 })]
  expect(await verify(keys)).toEqual([])
  const all = await lines()
  expect(await verifyHead(store, CAMERA, keys)).toMatchObject({ signed: undefined, unsignedLines: all.length })
  expect(await readdir(folder())).not.toContain('head')
})
