import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FootageTrack, footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { g711Track } from '../codec/index.ts'
import { startSoundEncoder } from '../decoder/index.ts'
import { readAtOnce } from '../playback/read-queue.ts'
import { onDisk } from '../recording/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { type ExportEncoding, exportClips } from './export-clips.ts'

afterAll(removeTemporaryFolders)

let store = ''

/** Ten seconds with G.711. */
beforeAll(async () => {
  const frames = Array.from({ length: 100 }, () => ({ units: [new Uint8Array(160).fill(0xd5)], isKey: true }))
  const sound: FootageTrack = { track: g711Track('pcma', 1), frames, frameTicks: 1800 }
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264'), sound], { seconds: 10, wallClock: TEN_THIRTY }))
  await set.stop()
  store = set.store
})

/** A worker whose encoders are broken. */
async function openWorker(encoding: Partial<ExportEncoding>, isDerived = false) {
  const warn = vi.fn()
  const clips = exportClips({
    store,
    keys: { find: async () => undefined },
    reads: readAtOnce,
    files: onDisk,
    now: () => TEN_THIRTY + 60_000,
    signExport: async () => 'signed',
    consumeTicket: async () => ({
      accountId: CAMERA.accountId,
      cameraId: CAMERA.cameraId,
      from: TEN_THIRTY + 1000,
      till: TEN_THIRTY + 8000,
      hasSound: true,
      order: { exportId: '7', exportedBy: 'Ada' },
      derived: isDerived ? { watermark: 'Copy' } : undefined,
    }),
    encoding: {
      abilities: async () => ({ sound: true, pictures: true }),
      startSoundEncoder: () => startSoundEncoder({ ffmpeg: '/bin/false' }),
      startPictureEncoder: () => Promise.reject(new Error('no pictures')),
      ...encoding,
    },
    log: Object.assign(Object.create(silentLogger), { warn }),
  })
  const server = createServer((_req, res) => void clips.handle(res, 'ticket'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    warn,
    ask: (signal?: AbortSignal) => fetch(`http://127.0.0.1:${port}/`, signal === undefined ? {} : { signal }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('sound that can’t be encoded breaks a file of evidence off, which has it only as recorded when it is asked for again', async () => {
  await using worker = await openWorker({})
  const first = await worker.ask()
  expect(first.headers.get('x-clip-sound')).toBe('encoded')
  await expect(first.arrayBuffer()).rejects.toThrow()
  expect(worker.warn).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      exportId: '7',
      err: expect.objectContaining({ message: expect.stringContaining('could not be encoded') }),
    }),
    expect.any(String),
  )
  const second = await worker.ask()
  expect(second.headers.get('x-clip-sound')).toBe('hidden')
  const bytes = Buffer.from(await second.arrayBuffer())
  expect(bytes.includes('"sound":"hidden"')).toBe(true)
})

test('a file begins before its first bytes are encoded, and giving it up is no fault', async () => {
  const started = Promise.withResolvers<void>()
  const disposed = Promise.withResolvers<void>()
  await using worker = await openWorker(
    {
      async startPictureEncoder() {
        started.resolve()
        const output = new PassThrough()
        const ended = disposed.promise.then(() => '')
        const dispose = () => {
          output.destroy()
          disposed.resolve()
        }
        return { input: new PassThrough().resume(), output, ended, [Symbol.dispose]: dispose }
      },
    },
    true,
  )
  const giving = new AbortController()
  const reply = await worker.ask(giving.signal)
  expect(reply.headers.get('x-clip-derived')).toBe('yes')
  await started.promise
  giving.abort()
  await disposed.promise
  await new Promise((resolve) => setImmediate(resolve))
  expect(worker.warn).not.toHaveBeenCalled()
})
