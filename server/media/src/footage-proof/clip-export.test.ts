import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ExportContent,
  type ExportFinding,
  encodeManifestBox,
  findManifest,
  manifestText,
  verifyExport,
} from '@sightline/contract/footage-proof'
import { getFingerprint, getKeyId, signLine } from '@sightline/platform/signed-line'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { footage, hum, play, playTracks } from '../../../../tests/fixtures/footage.ts'
import { planClip } from '../clips/index.ts'
import {
  chainHeads,
  footageKek,
  keysInFiles,
  newKey,
  readSignedList,
  signHead,
  streamFolder,
  writeHeadFile,
} from '../recording/index.ts'
import { CAMERA, newDayKeys, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { ClipExport, type ExportedClip } from './index.ts'

afterAll(removeTemporaryFolders)

const signing = generateKeyPairSync('ed25519')
const trusted = [getFingerprint(signing.publicKey)]
const kek = footageKek(newKey())
const keys = keysInFiles(kek)
const dayKey = newDayKeys(kek)

/** Half a minute, a gap of one minute, ten seconds; encrypted, with sound, signed at the end. */
async function recorded(clip: 'main.h264' | 'high.h264' = 'main.h264', cameraId = CAMERA.cameraId) {
  const stream = { ...CAMERA, cameraId }
  const set = await stage({ segmentMs: 10_000, stream, ...(cameraId === CAMERA.cameraId && { dayKey }) })
  set.show(...playTracks([footage(clip), footage('tone16.aac')], { seconds: 30, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage(clip), footage('tone16.aac')], { seconds: 10, wallClock: TEN_THIRTY + 90_000 }))
  await set.stop()
  const [head] = await chainHeads(set.group).take()
  const line = signHead(head ?? expect.fail('no head'), TEN_THIRTY + 120_000, signing.privateKey)
  await writeHeadFile(streamFolder(set.store, stream), line)
  return { store: set.store, stream, keys, from: TEN_THIRTY + 3700, till: TEN_THIRTY + 95_000 }
}

interface Exported {
  readonly bytes: Buffer
  readonly content: ExportContent
}

async function exported(of: ExportedClip, sound: 'kept' | 'left-out' = 'kept', isExact = false): Promise<Exported> {
  const clip = new ClipExport((await planClip({ ...of, sound, isExact })) ?? expect.fail('no footage'), of)
  const chunks: Uint8Array[] = []
  for await (const chunk of clip.chunks()) chunks.push(Uint8Array.from(chunk))
  return { bytes: Buffer.concat(chunks), content: await clip.content() }
}

const publicKey = signing.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

/** The text of a manifest. */
function sign(content: ExportContent, key = signing, old = {}): string {
  const own = key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const createdAt = '2026-01-01T00:00:00.000Z'
  const listed = [own, ...(own === publicKey ? [] : [publicKey])].map((each, at) => ({
    publicKey: each,
    createdAt,
    ...(at === 1 && old),
  }))
  const by = { export: 1, software: 'test', exportedAt: '2026-03-01T11:00:00.000Z', exportedBy: 'Ada', reason: 'theft' }
  const { accountId, cameraId, stream } = content
  const text = JSON.stringify(content)
  const subject = { accountId, cameraId, stream, contentSha256: createHash('sha256').update(text).digest('hex') }
  return manifestText(
    signLine({ ...by, ...subject, keys: listed, keyId: getKeyId(key.privateKey) }, key.privateKey),
    text,
  )
}

const whole = (bytes: Uint8Array, line: string): Uint8Array => Buffer.concat([bytes, encodeManifestBox(line)])

const toFile = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  read: async (from: number, till: number) => Uint8Array.from(bytes.subarray(from, till)),
})

const check = (bytes: Uint8Array, manifest?: string) =>
  verifyExport({ file: toFile(bytes), trusted, ...(manifest !== undefined && { manifest }) })

let of: ExportedClip
let door: Exported
let line: string
/** Where each part begins in the file, and its times. */
let parts: readonly { readonly at: number; readonly bytes: number; readonly wallClock: number }[]
beforeAll(async () => {
  of = await recorded()
  door = await exported(of)
  line = sign(door.content)
  let at = door.content.head.bytes
  parts = door.content.segments.flatMap((segment) =>
    segment.parts.map(({ bytes, wallClock }) => {
      at += bytes
      return { at: at - bytes, bytes, wallClock }
    }),
  )
})

/** The place and time of a part, as a finding names them. */
const findingOf = (index: number): Partial<ExportFinding> => {
  const { at, bytes, wallClock } = parts[index] ?? expect.fail('no part')
  return { bytes: { from: at, till: at + bytes }, time: { from: wallClock, till: expect.any(Number) as number } }
}

const insideOf = (index: number): number => (parts[index]?.at ?? 0) + Math.floor((parts[index]?.bytes ?? 0) * 0.7)

describe('an exported file', () => {
  test('that shows exactly its time is proven like one that shows whole parts', async () => {
    const exact = await exported(of, 'kept', true)
    expect(exact.bytes.equals(door.bytes)).toBe(false)
    const report = await check(whole(exact.bytes, sign(exact.content)))
    expect(report).toMatchObject({ findings: [], recorded: { proven: parts.length, parts: parts.length } })
  })

  test('is proven part by part by the list of footage that was signed when it was recorded', async () => {
    const report = await check(whole(door.bytes, line))
    expect(report).toMatchObject({
      findings: [],
      signer: { fingerprint: trusted[0] },
      manifest: { exportedBy: 'Ada', reason: 'theft', cameraId: CAMERA.cameraId, sound: 'kept' },
      recorded: {
        proven: parts.length,
        parts: parts.length,
        unsigned: 0,
        incomplete: 0,
        signedAt: TEN_THIRTY + 120_000,
        elsewhere: [],
      },
    })
    expect(report.manifest?.gaps).toEqual([
      { from: expect.any(Number), till: TEN_THIRTY + 90_000, cause: 'cameraOffline' },
    ])
    expect(report.manifest?.held.from).toBe(TEN_THIRTY + 2000)
  })

  test('has what the camera sent, byte for byte, and plays with its manifest inside', async () => {
    for (const { unit } of [...play([footage('main.h264')], { seconds: 5, wallClock: TEN_THIRTY })].slice(75))
      for (const nal of unit.units) expect(door.bytes.includes(Buffer.from(nal))).toBe(true)
    const path = join(of.store, '..', `${CAMERA.cameraId}-export.mp4`)
    await writeFile(path, whole(door.bytes, line))
    const complaints = execFileSync('ffmpeg', ['-v', 'warning', '-xerror', '-i', path, '-f', 'null', '-'], {
      stdio: 'pipe',
    })
    expect(String(complaints)).toBe('')
    const probe = [
      '-v',
      'error',
      '-count_packets',
      '-show_entries',
      'stream=codec_name,nb_read_packets',
      '-of',
      'csv=p=0',
    ]
    expect(String(execFileSync('ffprobe', [...probe, path])).split('\n')[0]).toBe('h264,840')
    await rm(path)
  })

  test('names the part in which one bit is flipped', async () => {
    const bytes = Buffer.from(whole(door.bytes, line))
    const at = insideOf(7)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    expect((await check(bytes)).findings).toEqual([{ kind: 'changedPart', ...findingOf(7) }])
  })

  test('names its start if one bit is flipped there', async () => {
    const bytes = Buffer.from(whole(door.bytes, line))
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
    expect((await check(bytes)).findings).toEqual([
      { kind: 'changedStart', bytes: { from: 0, till: door.content.head.bytes } },
    ])
  })

  test('names the time of a segment that is missing from its middle', async () => {
    const [first, second] = door.content.segments
    const [from, till] = [first?.parts.length ?? 0, (first?.parts.length ?? 0) + (second?.parts.length ?? 0)]
    const [cut, next] = [parts[from]?.at ?? 0, parts[till]?.at ?? 0]
    const bytes = Buffer.concat([door.bytes.subarray(0, cut), door.bytes.subarray(next)])
    expect((await check(whole(bytes, line))).findings).toEqual([
      {
        kind: 'missing',
        at: cut,
        parts: till - from,
        time: { from: parts[from]?.wallClock, till: expect.closeTo(parts[till]?.wallClock ?? 0, -2) },
      },
    ])
  })

  test('names where bytes were cut out of a part, and goes on behind it', async () => {
    const { at } = parts[9] ?? expect.fail('no part')
    const bytes = Buffer.concat([door.bytes.subarray(0, at + 900), door.bytes.subarray(at + 1000)])
    const [finding, ...more] = (await check(whole(bytes, line))).findings
    expect(finding).toMatchObject({ kind: 'changedPart', time: { from: parts[9]?.wallClock } })
    expect(more).toEqual([])
  })

  test('names from where on its end is missing, by the manifest apart', async () => {
    const cut = (parts[20]?.at ?? 0) + 10
    expect((await check(door.bytes.subarray(0, cut))).findings).toEqual([{ kind: 'noManifest' }])
    expect((await check(door.bytes.subarray(0, cut), line)).findings).toMatchObject([
      { kind: 'changedPart', bytes: { from: cut - 10, till: cut } },
      { kind: 'missing', at: cut, time: { from: parts[21]?.wallClock }, parts: parts.length - 21 },
    ])
  })

  test('names a part of another camera, put between its own or in the place of one', async () => {
    const other = await exported(await recorded('high.h264', 2002))
    const [foreign] = other.content.segments[0]?.parts ?? []
    const begin = other.content.head.bytes
    const part = other.bytes.subarray(begin, begin + (foreign?.bytes ?? 0))
    const at = parts[5]?.at ?? 0
    const between = Buffer.concat([door.bytes.subarray(0, at), part, door.bytes.subarray(at)])
    expect((await check(whole(between, line))).findings).toEqual([
      { kind: 'unlisted', bytes: { from: at, till: at + part.length } },
    ])
    const instead = Buffer.concat([door.bytes.subarray(0, at), part, door.bytes.subarray(parts[6]?.at ?? 0)])
    expect((await check(whole(instead, line))).findings).toMatchObject([
      { kind: 'changedPart', bytes: { from: at, till: at + part.length }, time: { from: parts[5]?.wallClock } },
    ])
  })

  test('names a part that is in the wrong place', async () => {
    const [a, b, end] = [parts[4]?.at, parts[5]?.at, parts[6]?.at]
    const pieces = [door.bytes.subarray(0, a), door.bytes.subarray(b, end), door.bytes.subarray(a, b)]
    const swapped = Buffer.concat([...pieces, door.bytes.subarray(end)])
    expect((await check(whole(swapped, line))).findings.map(({ kind }) => kind)).toContain('moved')
  })

  test('is not proven by a key that the verifier does not know, even if it is beside one that it knows', async () => {
    const forged = sign(door.content, generateKeyPairSync('ed25519'))
    expect(await check(whole(door.bytes, forged))).toMatchObject({
      signer: undefined,
      findings: [{ kind: 'unknownKey', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
  })

  test.each([
    ['a time', (text: string) => text.replace(`"till":${of.till}`, `"till":${of.till + 1}`)],
    ['the reason', (text: string) => text.replace('theft', 'thaft')],
    ['a text after the signature', (text: string) => text.replace('"}\n', '","reason":"other"}\n')],
    [
      'the camera of its content',
      (text: string) =>
        text.replace(
          `{"accountId":${CAMERA.accountId},"cameraId":2001,"stream":"main","asked"`,
          `{"accountId":${CAMERA.accountId},"cameraId":2002,"stream":"main","asked"`,
        ),
    ],
  ])('is not proven if %s of its manifest was changed', async (_, change) => {
    const changed = change(line)
    expect(changed).not.toBe(line)
    const { findings, signer } = await check(whole(door.bytes, changed))
    expect(signer).toBeUndefined()
    expect(['changedManifest', 'unreadableManifest']).toContain(findings[0]?.kind)
  })

  test('is not what was recorded if the installation signs another content than its list has', async () => {
    const forged = structuredClone(door.content)
    const part = forged.segments[1]?.parts[2] ?? expect.fail('no part')
    part.digest = 'ab'.repeat(32)
    const { findings } = await check(whole(door.bytes, sign(forged)))
    expect(findings.map(({ kind }) => kind)).toEqual(['notRecorded', 'notRecorded'])
  })

  test('is not proven by the list of another camera', async () => {
    const other = await exported(await recorded('high.h264', 2002))
    const { list, signedHead } = other.content
    const forged = { ...door.content, list, ...(signedHead !== undefined && { signedHead }) }
    expect((await check(whole(door.bytes, sign(forged)))).findings[0]).toEqual({ kind: 'brokenList' })
  })

  test('that leaves out what the list of footage has says so', async () => {
    const { segments, ...rest } = door.content
    const [first, , ...others] = segments
    const fewer = { ...rest, segments: [...(first === undefined ? [] : [first]), ...others] }
    const report = await check(whole(door.bytes, sign(fewer)))
    expect(report.recorded?.elsewhere).toHaveLength(1)
  })

  test('without sound says that its parts cannot be compared, and finds changes all the same', async () => {
    const silent = await exported(of, 'left-out')
    const bytes = Buffer.from(whole(silent.bytes, sign(silent.content)))
    expect(await check(bytes)).toMatchObject({
      findings: [],
      manifest: { sound: 'leftOut' },
      recorded: { proven: 0, incomplete: parts.length },
    })
    const at = insideOf(3)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    const { time } = findingOf(3) as { time: object }
    expect((await check(bytes)).findings).toMatchObject([{ kind: 'changedPart', time }])
  })

  test('of footage whose list is not signed yet is proven by the export alone', async () => {
    await using set = await stage({ segmentMs: 60_000 })
    set.show(...playTracks([footage('main.h264')], { seconds: 12, wallClock: TEN_THIRTY }))
    const newest = { store: set.store, stream: CAMERA, from: TEN_THIRTY, till: TEN_THIRTY + 60_000 }
    await expect.poll(async () => (await planClip({ ...newest, sound: 'kept' }))?.pieces.length).toBeGreaterThan(9)
    const made = await exported(newest)
    const { findings, recorded: proof } = await check(whole(made.bytes, sign(made.content)))
    expect(findings).toEqual([])
    expect(proof).toMatchObject({ proven: 0, unsigned: made.content.segments[0]?.parts.length })
  })

  test('keeps sound that players of MP4 do not know, hidden from them, so that it can be proved', async () => {
    const set = await stage({ segmentMs: 10_000 })
    const tracks = [footage('main.h264'), hum('pcma')]
    set.show(...playTracks(tracks, { seconds: 12, wallClock: TEN_THIRTY }))
    await set.stop()
    const [head] = await chainHeads(set.group).take()
    const signed = signHead(head ?? expect.fail('no head'), TEN_THIRTY + 60_000, signing.privateKey)
    await writeHeadFile(streamFolder(set.store, CAMERA), signed)
    const span = { from: TEN_THIRTY, till: TEN_THIRTY + 10_000 }
    const { bytes, content } = await exported({ store: set.store, stream: CAMERA, ...span })
    const report = await check(whole(bytes, sign(content)))
    expect(report).toMatchObject({ findings: [], manifest: { sound: 'hidden' }, recorded: { incomplete: 0 } })
    expect(report.recorded?.proven).toBe(report.recorded?.parts)
    const path = join(set.store, '..', 'hidden-sound.mp4')
    await writeFile(path, bytes)
    const probe = ['-v', 'warning', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path]
    expect(String(execFileSync('ffprobe', probe)).trim()).toBe('h264')
    await rm(path)
  })

  test('is not proven by a list that a key signed after it retired', async () => {
    const retired = { retiredAt: '2026-03-01T10:00:00.000Z' }
    const early = await check(whole(door.bytes, sign(door.content, generateKeyPairSync('ed25519'), retired)))
    expect(early.findings[0]?.kind).toBe('unknownKey')
    const own = generateKeyPairSync('ed25519')
    const verified = async (old: object) =>
      await verifyExport({
        file: toFile(whole(door.bytes, sign(door.content, own, old))),
        trusted: [getFingerprint(own.publicKey)],
      })
    expect((await verified(retired)).findings).toEqual([{ kind: 'brokenList' }])
    expect((await verified({ retiredAt: '2026-03-01T11:00:00.000Z' })).findings).toEqual([])
  })

  test('has its manifest at its end, and a file without one has none', async () => {
    expect((await findManifest(toFile(whole(door.bytes, line))))?.text).toBe(line)
    expect(await findManifest(toFile(door.bytes))).toBeUndefined()
    expect(await findManifest(toFile(Buffer.alloc(3)))).toBeUndefined()
  })
})

test('an export of old footage has only the lines of its hour, because the last head of each hour is kept', async () => {
  const set = await stage({ segmentMs: 10_000 })
  const folder = streamFolder(set.store, CAMERA)
  const signLast = async (at: number) => {
    const [head] = await chainHeads(set.group).take()
    await writeHeadFile(folder, signHead(head ?? expect.fail('no head'), at, signing.privateKey))
  }
  set.show(...playTracks([footage('main.h264')], { seconds: 30, wallClock: TEN_THIRTY }))
  set.lose('silent')
  const half = { store: set.store, stream: CAMERA, from: TEN_THIRTY, till: TEN_THIRTY + 40_000 }
  const linesOf = async () => (await readSignedList(folder, { segmentIds: new Set(), from: 0 })).entries.length
  await expect.poll(linesOf).toBe(4)
  await signLast(TEN_THIRTY + 60_000)
  set.show(...playTracks([footage('main.h264')], { seconds: 30, wallClock: TEN_THIRTY + 3_600_000 }))
  await set.stop()
  await signLast(TEN_THIRTY + 3_660_000)
  const { content, bytes } = await exported({ ...half, till: TEN_THIRTY + 5000 })
  expect(content.list).toHaveLength(4)
  expect(await check(whole(bytes, sign(content)))).toMatchObject({
    findings: [],
    recorded: { unsigned: 0, signedAt: TEN_THIRTY + 60_000 },
  })
})
