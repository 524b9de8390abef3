import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { footage, hum, playTracks } from '../../../../tests/fixtures/footage.ts'
import { findFfmpeg, readEncodingAbilities, startPictureEncoder, startSoundEncoder } from '../decoder/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { type ExportClipDeps, type ExportEncoding, exportClips } from './export-clips.ts'
import type { ExportTicket } from './export-ticket-store.ts'

afterAll(removeTemporaryFolders)

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the encoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const { pictures } = await readEncodingAbilities(ffmpeg === '' ? undefined : ffmpeg)
const encoding: ExportEncoding = {
  abilities: () => readEncodingAbilities(ffmpeg),
  startSoundEncoder: () => startSoundEncoder({ ffmpeg }),
  startPictureEncoder: (options) => startPictureEncoder({ ...options, ffmpeg }),
}

const ticket: ExportTicket = {
  accountId: CAMERA.accountId,
  cameraId: CAMERA.cameraId,
  from: TEN_THIRTY + 2000,
  till: TEN_THIRTY + 38_000,
  hasSound: true,
  order: { exportedBy: 'Ada', cameraName: 'Door' },
  derived: undefined,
}

/** What the maker of an export gets of ten seconds with G.711, a gap and ten more. */
async function asked(
  given: Partial<ExportTicket>,
  deps: Partial<ExportClipDeps> = {},
  later: 'main.h264' | 'h265.hevc' = 'main.h264',
  wrongBefore = 0,
) {
  let arrived = 0
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264'), hum('pcma')], { seconds: 10, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage(later), hum('pcma')], { seconds: 10, wallClock: TEN_THIRTY + 30_000 }))
  await set.stop()
  const clips = exportClips({
    store: set.store,
    keys: { find: async () => undefined },
    reads: undefined,
    files: undefined,
    signExport: async () => '{"signature":"none"}',
    now: () => TEN_THIRTY + 60_000,
    consumeTicket: async () => ({ ...ticket, ...given }),
    ...deps,
  } as ExportClipDeps)
  await using server = Object.assign(
    createServer(({ url = '' }, res) => {
      if (url === '/wrong') arrived += 1
      void clips.handle(res, url.slice(1))
    }),
    {},
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const strangers = Array.from({ length: wrongBefore }, () => fetch(`${origin}/wrong`).catch(() => undefined))
  await expect.poll(() => arrived).toBe(wrongBefore)
  const answer = await fetch(`${origin}/ticket`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  server.closeAllConnections()
  await Promise.all(strangers)
  return { status: answer.status, headers: answer.headers, bytes }
}

test.skipIf(!pictures)(
  'a clip with G.711 sound gets AAC, and its head says so and where footage is missing',
  async () => {
    const { status, headers, bytes } = await asked({}, { encoding })
    expect(status).toBe(200)
    expect(headers.get('x-clip-sound')).toBe('encoded')
    expect(headers.get('x-clip-gaps')).toBe(`1 ${TEN_THIRTY + 10_000}-${TEN_THIRTY + 30_000}`)
    expect(headers.get('x-clip-derived')).toBeNull()
    expect(bytes.includes('mp4a')).toBe(true)
    expect(bytes.includes('"sound":"encoded"')).toBe(true)
    expect(bytes.includes('"derived"')).toBe(false)
  },
)

test('wrong tickets take no place of an export, however many wait for an answer', async () => {
  const never = new Promise<undefined>(() => undefined)
  const consumeTicket = (text: string) => (text === 'wrong' ? never : Promise.resolve(ticket))
  expect((await asked({}, { consumeTicket }, 'main.h264', 5)).status).toBe(200)
})

test('without an encoder, G.711 stays hidden and the head says so', async () => {
  const { status, headers, bytes } = await asked({})
  expect([status, headers.get('x-clip-sound')]).toEqual([200, 'hidden'])
  expect(bytes.includes('mp4a')).toBe(false)
})

test.skipIf(!pictures)(
  'text in the pictures makes a derived clip, which says so in its head and in its manifest',
  async () => {
    const derived = { timeZone: 'Europe/Berlin', watermark: 'Copy' }
    const { status, headers, bytes } = await asked({ derived }, { encoding })
    expect(status).toBe(200)
    expect(headers.get('x-clip-sound')).toBe('replaced')
    expect(headers.get('x-clip-derived')).toBe('yes')
    expect(bytes.includes('"derived":{"overlay":true,"watermark":"Copy"}')).toBe(true)
  },
)

test.skipIf(!pictures)('a logo in the pictures is said in the head and in the manifest', async () => {
  const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const { status, headers, bytes } = await asked({ derived: { logo } }, { encoding })
  expect([status, headers.get('x-clip-derived'), headers.get('x-clip-logo')]).toEqual([200, 'yes', 'yes'])
  expect(bytes.includes('"derived":{"overlay":false,"logo":true}')).toBe(true)
  expect(bytes.includes(logo)).toBe(false)
})

test.skipIf(!pictures)('speed is said in the head and in the manifest, and there is no sound', async () => {
  const { status, headers, bytes } = await asked({ derived: { speed: 8 } }, { encoding })
  expect([status, headers.get('x-clip-derived'), headers.get('x-clip-speed')]).toEqual([200, 'yes', '8'])
  expect(headers.get('x-clip-sound')).toBe('leftOut')
  expect(bytes.includes('"derived":{"overlay":false,"speed":8}')).toBe(true)
  expect(bytes.includes('mp4a')).toBe(false)
})

test.each([
  ['without ffmpeg', {}],
  [
    'with an ffmpeg that can’t draw text',
    { encoding: { ...encoding, abilities: async () => ({ sound: true, pictures: false }) } },
  ],
])('%s, text in the pictures is refused, and the original is not sent instead', async (_, deps) => {
  const { status, bytes } = await asked({ derived: { watermark: 'Copy' } }, deps)
  expect(status).toBe(422)
  expect(bytes.includes('moov')).toBe(false)
})

test.skipIf(!pictures)('text in pictures of which the codec changes is refused, and says why', async () => {
  const { status, headers } = await asked({ derived: { watermark: 'Copy' } }, { encoding }, 'h265.hevc')
  expect([status, headers.get('x-clip-refusal')]).toEqual([422, 'codec'])
  expect((await asked({}, { encoding }, 'h265.hevc')).status).toBe(200)
})
