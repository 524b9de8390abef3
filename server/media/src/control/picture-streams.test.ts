import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@sightline/platform/log'
import { afterEach, expect, test } from 'vitest'
import { type Clip, footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type MultipartPiece, take, watch } from '../../../../tests/fixtures/multipart.ts'
import { findFfmpeg, startJpegDecoder, startSoundDecoder } from '../decoder/index.ts'
import { createHub, type Hub } from '../hub/index.ts'
import type { PictureOptions } from './picture-sources.ts'
import { pictureStreams } from './picture-streams.ts'
import type { EndCode } from './stream-sessions.ts'
import { tokenSessions } from './token-sessions-stage.ts'

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the decoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const withDecoder = test.skipIf(ffmpeg === '')

const CAMERA = 7
const decoding: PictureOptions = {
  streams: 1,
  startJpegDecoder: (options) => startJpegDecoder({ ...options, ffmpeg }),
  startSoundDecoder: (options) => startSoundDecoder({ ...options, ffmpeg }),
}

const stack: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync()
})

interface Stage {
  readonly origin: string
  readonly hub: Hub
  readonly sub: Hub
  /** Sessions that are open, newest last. */
  readonly open: AbortController[]
  readonly started: () => number
}

/** Streams of one camera, which sends pictures as long as the test runs; sessions are whatever the test says. */
async function arranged({
  pictures: wanted = decoding,
  rights = ['LiveCamera', 'microphone'],
  hasSub = true,
  isPrivate = false,
  openMs = 0,
  clip = 'main.h264',
}: {
  pictures?: PictureOptions | 'none'
  rights?: readonly string[]
  hasSub?: boolean
  isPrivate?: boolean
  openMs?: number
  clip?: Clip
} = {}): Promise<Stage> {
  const disposing = new AsyncDisposableStack()
  stack.push(disposing)
  const hub = createHub()
  const sub = createHub()
  const { sessions, open } = tokenSessions({ rights, openMs })
  let started = 0
  const pictures: PictureOptions | undefined =
    wanted === 'none'
      ? undefined
      : {
          ...wanted,
          startJpegDecoder: (options) => {
            started++
            return wanted.startJpegDecoder(options)
          },
        }
  const streams = pictureStreams({
    ...(pictures && { pictures }),
    channels: {
      hubOf: (cameraId, stream) => {
        if (isPrivate || cameraId !== CAMERA) return undefined
        if (stream === 'main') return hub
        return hasSub ? sub : undefined
      },
      isPrivate: () => isPrivate,
      device: () => undefined,
    },
    sessions,
    onBegin: async () => undefined,
    onOverload: () => undefined,
    counted: (_, stream) => stream(),
    log: createLogger({ level: 'silent', format: 'json', name: 'test' }),
    now: Date.now,
  })
  const server = createServer((req, res) => void streams.handle(req, res, '192.0.2.1'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stopping = new AbortController()
  const sending = [send(hub, clip, stopping.signal), send(sub, 'high.h264', stopping.signal)]
  disposing.defer(async () => {
    stopping.abort()
    await Promise.all(sending)
    streams[Symbol.dispose]()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, hub, sub, open, started: () => started }
}

/** As a camera does: 25 pictures a second with sound, over and over. */
async function send(hub: Hub, clip: Clip, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const begin = Date.now()
    const [tracks, units] = playTracks([footage(clip), footage('tone16.aac')], { seconds: 8, wallClock: begin })
    hub.publish({ kind: 'tracks', tracks })
    for (const { unit, track } of units) {
      const wait = unit.wallClock - Date.now()
      if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      hub.publish({ kind: 'unit', unit, track })
    }
  }
}

const MULTIPART = '/stream/multipart/open'
const address = ({ origin }: Stage, path = MULTIPART, rest = '') =>
  `${origin}${path}?camera_id=${CAMERA}&access_token=token${rest}`

async function refused(url: string, headers = {}): Promise<unknown[]> {
  const reply = await fetch(url, { headers })
  return [reply.status, ((await reply.json()) as { code: number }).code]
}

const sizeOf = (jpeg: Buffer): string =>
  String(
    execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', '-'], {
      input: jpeg,
    }),
  ).trim()

/** ffmpeg processes that this process started. */
async function decoders(): Promise<number> {
  const tasks = await readdir('/proc/self/task')
  const children = await Promise.all(tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8')))
  const pids = children.join(' ').split(' ').filter(Boolean)
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')))
  return names.filter((name) => name.trim() === 'ffmpeg').length
}

withDecoder('pictures are whole JPEGs of now, at most eight a second, of the sub-stream', async ({ annotate }) => {
  const stage = await arranged()
  await sleep(1500)
  const from = Date.now()
  const { reply, parts } = await watch(address(stage))
  expect(reply.headers['content-type']).toBe('multipart/x-mixed-replace; boundary=sightline-part')
  expect(reply.headers['cache-control']).toBe('private, no-store')
  const pictures = await take(parts, 20)
  await annotate(`first after ${(pictures[0]?.readAt ?? 0) - from} ms, ${pictures[0]?.bytes.length} bytes`)
  for (const { type, bytes } of pictures) {
    expect(type).toBe('image/jpeg')
    expect([bytes.readUInt16BE(0), bytes.readUInt16BE(bytes.length - 2)]).toEqual([0xff_d8, 0xff_d9])
  }
  expect(sizeOf(pictures[3]?.bytes ?? Buffer.alloc(0))).toBe('160,90')
  const times = pictures.map(({ takenAt }) => takenAt)
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  expect(19 / seconds).toBeLessThan(9.5)
  expect(19 / seconds).toBeGreaterThan(5)
  for (const { takenAt, readAt } of pictures) expect(Math.abs(readAt - takenAt)).toBeLessThan(1500)
  reply.destroy()
})

withDecoder('stream and width choose the picture; a width that isn’t offered is refused', async () => {
  const widths: number[] = []
  const stage = await arranged({
    pictures: {
      ...decoding,
      startJpegDecoder: (options) => {
        widths.push(options.width)
        return decoding.startJpegDecoder({ ...options, width: options.width / 4 })
      },
    },
  })
  const sizes: string[] = []
  for (const rest of ['&stream=main', '&stream=main&width=320']) {
    const { reply, parts } = await watch(address(stage, '/stream/jpeg/open', rest))
    const [picture] = await take(parts, 1)
    sizes.push(sizeOf(picture?.bytes ?? Buffer.alloc(0)))
    reply.destroy()
    await expect.poll(decoders).toBe(0)
  }
  expect(widths).toEqual([1280, 320])
  // The clip is smaller than any width that is offered, so a quarter of it is asked for here.
  expect(sizes).toEqual(['320,180', '80,46'])
  expect(await refused(address(stage, MULTIPART, '&width=333'))).toEqual([400, 3])
})

withDecoder.each(['h265.hevc', 'gradual.h264', 'gradual.hevc'] as const)('%s is shown, too', async (clip) => {
  const stage = await arranged({ clip })
  const { reply, parts } = await watch(address(stage, MULTIPART, '&stream=main'))
  const pictures = await take(parts, 5)
  expect(pictures).toHaveLength(5)
  expect(sizeOf(pictures[4]?.bytes ?? Buffer.alloc(0))).toMatch(/^\d+,\d+$/)
  reply.destroy()
})

withDecoder('twenty viewers share one decoder, which ends with the last of them', async () => {
  const stage = await arranged()
  const viewers = await Promise.all(Array.from({ length: 20 }, () => watch(address(stage))))
  for (const { parts } of viewers) expect(await take(parts, 2)).toHaveLength(2)
  expect(await decoders()).toBe(1)
  expect(stage.started()).toBe(1)
  for (const { reply } of viewers.slice(1)) reply.destroy()
  await expect.poll(() => stage.open.length).toBe(1)
  expect(await decoders()).toBe(1)
  viewers[0]?.reply.destroy()
  await expect.poll(decoders).toBe(0)
  expect(stage.open).toEqual([])
})

test('a viewer that stops reading delays no other viewer and continues with the newest picture', async () => {
  // Too large for the buffers of a connection.
  const bytes = Buffer.alloc(1 << 20)
  const startJpegDecoder: PictureOptions['startJpegDecoder'] = ({ onPicture }) => ({
    push: ({ wallClock }) => onPicture({ bytes, takenAt: wallClock }),
    ended: new Promise(() => undefined),
    [Symbol.dispose]: () => undefined,
  })
  const stage = await arranged({ pictures: { ...decoding, startJpegDecoder } })
  const [slow, quick] = [await watch(address(stage)), await watch(address(stage))]
  slow.reply.pause()
  expect(await take(quick.parts, 60)).toHaveLength(60)
  const late = Date.now()
  const taken: number[] = []
  for await (const { takenAt } of slow.parts) {
    taken.push(takenAt)
    if (takenAt > late) break
  }
  // What was in the buffers, then the one that waited, and then those of now.
  const distances = taken.slice(1).map((at, index) => at - (taken[index] ?? 0))
  expect(Math.max(...distances)).toBeGreaterThan(500)
  expect(taken.length).toBeLessThan(40)
  quick.reply.destroy()
})

withDecoder('sound is between the pictures as G.711, for those who may hear it', async () => {
  const stage = await arranged()
  const { reply, parts } = await watch(address(stage, '/stream/multipartaudio/open'))
  const taken: MultipartPiece[] = []
  const ofType = (wanted: string) => taken.filter(({ type }) => type === wanted)
  const soundBytes = () => ofType('audio/basic').reduce((sum, { bytes }) => sum + bytes.length, 0)
  for await (const part of parts) {
    taken.push(part)
    if (soundBytes() > 16_000 && ofType('image/jpeg').length > 5) break
  }
  reply.destroy()
  const sound = ofType('audio/basic')
  const times = sound.map(({ takenAt }) => takenAt)
  // Two seconds of it, 8000 samples each.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1500)
  const samples = Buffer.concat(sound.map(({ bytes }) => bytes))
  expect(new Set(samples).size).toBeGreaterThan(20)
  await expect.poll(decoders).toBe(0)

  const deaf = await arranged({ rights: ['LiveCamera'] })
  const withheld = await watch(address(deaf, '/stream/multipartaudio/open'))
  for (const { type } of await take(withheld.parts, 10)) expect(type).toBe('image/jpeg')
  expect(await decoders()).toBe(1)
  withheld.reply.destroy()
})

/** Also if it broke. */
const untilClosed = (reply: IncomingMessage) =>
  new Promise<void>((resolve) => {
    reply.on('error', () => undefined)
    reply.once('close', resolve)
  })

withDecoder('a stream ends with its permission, and with the camera being made private', async () => {
  const stage = await arranged({ pictures: { ...decoding, streams: 2 } })
  const [mine, other] = [await watch(address(stage)), await watch(address(stage, MULTIPART, '&stream=main'))]
  for (const { parts } of [mine, other]) await take(parts, 2)
  const gone = untilClosed(mine.reply)
  stage.open[0]?.abort(9 satisfies EndCode)
  await gone
  expect(await take(other.parts, 2)).toHaveLength(2)
  const closed = untilClosed(other.reply)
  stage.hub.publish({ kind: 'ended', cause: 'mode' })
  await closed
  await expect.poll(decoders).toBe(0)
})

withDecoder('a client who leaves while the stream is opened leaves no decoder behind', async () => {
  const stage = await arranged({ openMs: 300 })
  const asked = get(address(stage))
  asked.on('error', () => undefined)
  await sleep(150)
  asked.destroy()
  await sleep(500)
  await expect.poll(() => stage.open.length).toBe(0)
  await expect.poll(decoders).toBe(0)
})

withDecoder('more streams than the worker may decode are refused; the place is free again afterwards', async () => {
  const stage = await arranged()
  const first = await watch(address(stage))
  await take(first.parts, 1)
  expect(await refused(address(stage, MULTIPART, '&stream=main'))).toEqual([503, 16])
  first.reply.destroy()
  await expect.poll(decoders).toBe(0)
  const second = await watch(address(stage, MULTIPART, '&stream=main'))
  expect(await take(second.parts, 1)).toHaveLength(1)
  second.reply.destroy()
})

withDecoder('without a sub-stream, the main stream is shown', async () => {
  const stage = await arranged({ hasSub: false })
  const { reply, parts } = await watch(address(stage))
  const [picture] = await take(parts, 1)
  expect(sizeOf(picture?.bytes ?? Buffer.alloc(0))).toBe('320,180')
  reply.destroy()
})

test('what can’t be shown is refused: no decoder, no permission, a recording, a private camera, another camera', async () => {
  const without = await arranged({ pictures: 'none' })
  const stage = await arranged()
  const hidden = await arranged({ isPrivate: true })
  const nowhere = `${stage.origin}${MULTIPART}?camera_id=8&access_token=token`
  expect(await refused(address(stage, MULTIPART, '&from=2026-01-01T00:00:00Z'))).toEqual([422, 17])
  expect(await refused(`${stage.origin}${MULTIPART}?camera_id=${CAMERA}`)).toEqual([403, 9])
  expect(await refused(`${stage.origin}${MULTIPART}?camera_id=x&access_token=token`)).toEqual([404, 4])
  expect(await refused(nowhere)).toEqual([404, 4])
  expect(await refused(address(hidden))).toEqual([424, 18])
  expect(await refused(address(without))).toEqual([422, 17])
})

test('a token in the header opens a stream, too; HEAD opens nothing', async () => {
  const stage = await arranged()
  const url = `${stage.origin}${MULTIPART}?camera_id=${CAMERA}`
  const head = await fetch(url, { method: 'HEAD', headers: { authorization: 'Bearer token' } })
  expect([head.status, head.headers.get('content-type')]).toEqual([
    200,
    'multipart/x-mixed-replace; boundary=sightline-part',
  ])
  expect(stage.open).toEqual([])
  expect(await refused(url, { authorization: 'Bearer other' })).toEqual([403, 9])
  if (ffmpeg === '') return
  const { reply, parts } = await watch(url, { authorization: 'Bearer token' })
  expect(await take(parts, 1)).toHaveLength(1)
  reply.destroy()
})
