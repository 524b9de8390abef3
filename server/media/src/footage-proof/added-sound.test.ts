import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExportContent, encodeManifestBox, manifestText, verifyExport } from '@sightline/contract/footage-proof'
import { getFingerprint, getKeyId, signLine } from '@sightline/platform/signed-line'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FootageTrack, footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { planClip } from '../clips/index.ts'
import { g711Track } from '../codec/index.ts'
import { findFfmpeg, type SoundEncoder, startSoundEncoder } from '../decoder/index.ts'
import { SoundAgain } from '../re-encoding/index.ts'
import { chainHeads, signHead, streamFolder, writeHeadFile } from '../recording/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { ClipExport, type ExportedClip } from './index.ts'

afterAll(removeTemporaryFolders)

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the encoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const startEncoder = () => startSoundEncoder({ ffmpeg })
const signing = generateKeyPairSync('ed25519')

const RATE = 8000
const SILENCE = { pcma: 0xd5, pcmu: 0xff } as const
const LOUD = { pcma: [0xaa, 0x2a], pcmu: [0x80, 0x00] } as const

/** Two seconds: silence, with a beep of 1 kHz from second 1 on for 100 ms. */
function beeps(codec: 'pcma' | 'pcmu'): FootageTrack {
  const codeOf = (sample: number) =>
    sample >= RATE && sample < RATE * 1.1 ? (LOUD[codec][(sample >> 2) & 1] ?? 0) : SILENCE[codec]
  const frames = Array.from({ length: 100 }, (_, frame) => ({
    units: [Uint8Array.from({ length: 160 }, (_, at) => codeOf(frame * 160 + at))],
    isKey: true,
  }))
  return { track: g711Track(codec, 1), frames, frameTicks: 1800 }
}

/** 20 seconds, a gap of one minute, 10 seconds. */
async function recorded(codec: 'pcma' | 'pcmu', later: FootageTrack = beeps(codec)): Promise<ExportedClip> {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264'), beeps(codec)], { seconds: 20, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage('main.h264'), later], { seconds: 10, wallClock: TEN_THIRTY + 80_000 }))
  await set.stop()
  const [head] = await chainHeads(set.group).take()
  const line = signHead(head ?? expect.fail('no head'), TEN_THIRTY + 120_000, signing.privateKey)
  await writeHeadFile(streamFolder(set.store, CAMERA), line)
  return { store: set.store, stream: CAMERA, from: TEN_THIRTY + 3700, till: TEN_THIRTY + 88_500 }
}

interface Exported {
  readonly bytes: Buffer
  readonly content: ExportContent
  readonly planned: number
}

async function exported(of: ExportedClip, addsSound: boolean, start: () => SoundEncoder = startEncoder) {
  const plan = (await planClip({ ...of, sound: 'kept', isExact: true, addsSound })) ?? expect.fail('no footage')
  const clip = new ClipExport(plan, of, (added) => new SoundAgain(added, start()))
  const chunks: Uint8Array[] = []
  for await (const chunk of clip.chunks()) chunks.push(Uint8Array.from(chunk))
  return { bytes: Buffer.concat(chunks), content: await clip.content(), planned: plan.bytes }
}

async function verify({ bytes, content }: Exported) {
  const publicKey = signing.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const keys = [{ publicKey, createdAt: '2026-01-01T00:00:00.000Z' }]
  const { accountId, cameraId, stream } = content
  const text = JSON.stringify(content)
  const contentSha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
  const by = { export: 1, software: 'test', exportedAt: '2026-03-01T11:00:00.000Z', exportedBy: 'Ada' }
  const statement = { ...by, accountId, cameraId, stream, contentSha256, keys, keyId: getKeyId(signing.privateKey) }
  const box = encodeManifestBox(manifestText(signLine(statement, signing.privateKey), text))
  const whole = Uint8Array.from(Buffer.concat([bytes, box]))
  const file = { bytes: whole.length, read: async (from: number, till: number) => whole.slice(from, till) }
  return verifyExport({ file, trusted: [getFingerprint(signing.publicKey)] })
}

/** When the beeps of a file begin, in seconds since its first picture, whether or not players show it. */
async function onsets({ bytes }: Exported, store: string): Promise<readonly number[]> {
  const path = join(store, '..', 'heard.mp4')
  await writeFile(path, bytes)
  const out = ['-map', '0:a', '-af', 'aresample=8000:async=1:first_pts=0', '-f', 's16le', 'pipe:1']
  const raw = execFileSync('ffmpeg', ['-v', 'warning', '-xerror', '-i', path, ...out], { maxBuffer: 1e9 })
  const found: number[] = []
  for (let at = 0, quiet = RATE; at < raw.length / 2; at++) {
    const isLoud = Math.abs(raw.readInt16LE(at * 2)) > 8000
    if (isLoud && quiet > RATE / 2) found.push(at / RATE)
    quiet = isLoud ? 0 : quiet + 1
  }
  return found
}

describe.skipIf(ffmpeg === '').each(['pcma', 'pcmu'] as const)('%s sound that is re-encoded', (codec) => {
  let of: ExportedClip
  let made: Exported
  beforeAll(async () => {
    of = await recorded(codec)
    made = await exported(of, true)
  })

  test('is AAC for players, of the planned length, beside pictures', async () => {
    expect(made.bytes.length).toBe(made.planned)
    expect(made.content.sound).toBe('encoded')
    const path = join(of.store, '..', 'probed.mp4')
    await writeFile(path, made.bytes)
    const entries = ['-show_entries', 'stream=codec_name,sample_rate,channels,duration', '-of', 'json']
    const { streams } = JSON.parse(String(execFileSync('ffprobe', ['-v', 'error', ...entries, path])))
    expect(streams).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'aac', sample_rate: '8000', channels: 1 }])
    expect(execFileSync('ffmpeg', ['-v', 'warning', '-xerror', '-i', path, '-f', 'null', '-']).length).toBe(0)
  })

  test('is heard when it was recorded, to within 40 ms, also after a gap', async () => {
    // The file begins with the key picture at 2 s, the second stretch follows after 20 s; each has beeps at 1, 3, 5, … s.
    const expected = [3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27].map((second) => second - 2)
    const heard = await onsets(made, of.store)
    expect(heard).toHaveLength(expected.length)
    for (const [index, at] of expected.entries()) expect(Math.abs((heard[index] ?? 0) - at)).toBeLessThan(0.04)
    const starts = execFileSync('ffprobe', [
      ...['-v', 'error', '-show_entries', 'stream=start_time', '-of', 'csv=p=0', join(of.store, '..', 'heard.mp4')],
    ])
    const [pictures = 1, sound = 0] = String(starts).trim().split('\n').map(Number)
    expect(Math.abs(pictures - sound)).toBeLessThan(0.001)
  })

  test('leaves everything that was recorded provable, and is covered by the signature', async () => {
    const report = await verify(made)
    expect(report.findings).toEqual([])
    expect(report.recorded).toMatchObject({ unsigned: 0, incomplete: 0 })
    expect(report.recorded?.proven).toBe(report.recorded?.parts)
    const parts = made.content.segments.flatMap((segment) => segment.parts)
    const sounding = parts.find(({ added = 0 }) => added > 0) ?? expect.fail('no sound')
    const before = parts.slice(0, parts.indexOf(sounding)).reduce((sum, { bytes }) => sum + bytes, 0)
    const at = made.content.head.bytes + before + sounding.bytes - (sounding.added ?? 0) + 200
    const bytes = Buffer.from(made.bytes)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    expect((await verify({ ...made, bytes })).findings).toMatchObject([{ kind: 'changedPart' }])
  })

  test('that was moved with its part is found at its place', async () => {
    const parts = made.content.segments.flatMap((segment) => segment.parts)
    const index = parts.findIndex(({ added = 0 }) => added > 0)
    const begin = made.content.head.bytes + parts.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0)
    const end = begin + (parts[index]?.bytes ?? 0)
    const cut = Buffer.concat([made.bytes.subarray(0, begin), made.bytes.subarray(end)])
    expect((await verify({ ...made, bytes: cut })).findings).toMatchObject([{ kind: 'missing', parts: 1 }])
  })
})

test('without an encoder, G.711 stays in the file where players don’t find it, and the manifest says so', async () => {
  const of = await recorded('pcma')
  const made = await exported(of, false)
  expect(made.content.sound).toBe('hidden')
  expect((await verify(made)).findings).toEqual([])
})

test('beside sound that players know, G.711 stays hidden: few players change the format of sound', async () => {
  const of = await recorded('pcma', footage('tone16.aac'))
  const made = await exported(of, true)
  expect(made.content.sound).toBe('hidden')
  expect((await verify(made)).findings).toEqual([])
})

test.skipIf(ffmpeg === '')(
  'an encoder that ends early fails the file instead of leaving sound out silently',
  async () => {
    const of = await recorded('pcma')
    const broken = () => startSoundEncoder({ ffmpeg: '/bin/false' })
    await expect(exported(of, true, broken)).rejects.toThrow('could not be encoded')
  },
)
