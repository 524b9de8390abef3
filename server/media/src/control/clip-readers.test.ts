import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { createFile, MP4BoxBuffer } from 'mp4box'
import { afterAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { planClip, readClip } from '../clips/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { type ExportClipDeps, exportClips } from './export-clips.ts'
import type { ExportTicket } from './export-ticket-store.ts'

afterAll(removeTemporaryFolders)

/** Ten seconds of video and AAC, a gap of twenty, ten more. */
async function recorded(): Promise<string> {
  const set = await stage({ segmentMs: 10_000 })
  const tracks = () => [footage('main.h264'), footage('tone16.aac')]
  set.show(...playTracks(tracks(), { seconds: 10, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks(tracks(), { seconds: 10, wallClock: TEN_THIRTY + 30_000 }))
  await set.stop()
  return set.store
}

const span = { from: TEN_THIRTY + 2000, till: TEN_THIRTY + 38_000 }

async function direct(store: string): Promise<Uint8Array> {
  const plan = await planClip({ store, stream: CAMERA, sound: 'kept', ...span })
  if (plan === undefined) throw new Error('no clip')
  const chunks: Uint8Array[] = []
  for await (const chunk of readClip(plan, { from: 0, till: plan.bytes }, {})) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The file of an export job, as its maker gets it from the worker. */
async function ofJob(store: string): Promise<Uint8Array> {
  const ticket: ExportTicket = {
    ...{ accountId: CAMERA.accountId, cameraId: CAMERA.cameraId, ...span, hasSound: true },
    ...{ order: { exportedBy: 'Ada', cameraName: 'Door' }, derived: undefined },
  }
  const clips = exportClips({
    ...{ store, reads: undefined, files: undefined, keys: { find: async () => undefined } },
    signExport: async () => '{"signature":"none"}',
    now: () => TEN_THIRTY + 60_000,
    consumeTicket: async () => ticket,
  } as unknown as ExportClipDeps)
  await using server = createServer((_, res) => void clips.handle(res, 'ticket'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  server.closeAllConnections()
  return bytes
}

interface ReadTrack {
  readonly kind: string
  readonly samples: number
  /** Seconds, to a hundredth. */
  readonly duration: number
}

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100

async function byMediabunny(bytes: Uint8Array): Promise<readonly ReadTrack[]> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const tracks: ReadTrack[] = []
  for (const track of await input.getTracks()) {
    let [samples, start, end] = [0, Number.POSITIVE_INFINITY, 0]
    for await (const packet of new EncodedPacketSink(track).packets()) {
      samples += 1
      start = Math.min(start, packet.timestamp)
      end = Math.max(end, packet.timestamp + packet.duration)
    }
    tracks.push({ kind: track.type, samples, duration: rounded(end - start) })
  }
  return tracks
}

function byMp4box(bytes: Uint8Array): readonly ReadTrack[] {
  const file = createFile()
  file.onError = (_module, message) => {
    throw new Error(message)
  }
  file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(new Uint8Array(bytes).buffer, 0))
  file.flush()
  return file.getInfo().tracks.map(({ id, type, timescale }) => {
    const samples = file.getTrackSamplesInfo(id)
    const start = Math.min(...samples.map(({ cts }) => cts))
    const end = Math.max(...samples.map(({ cts, duration }) => cts + duration))
    return { kind: type ?? '', samples: samples.length, duration: rounded((end - start) / timescale) }
  })
}

test.each([
  ['a direct MP4', direct],
  ['the MP4 of an export job', ofJob],
] as const)('of %s, two readers find the same tracks, samples and length', async (_, make) => {
  const bytes = await make(await recorded())
  const found = await byMediabunny(bytes)
  expect(found.map(({ kind }) => kind)).toEqual(['video', 'audio'])
  // 8 s before the gap and 8 s after it, of 25 pictures a second.
  expect(found[0]).toMatchObject({ samples: 16 * 25, duration: 16 })
  // mp4box sums up durations instead of reading where a fragment begins: no sound reaches over the gap into what follows it.
  expect(byMp4box(bytes)).toEqual(found)
})
