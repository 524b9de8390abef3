import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFrameCounter } from './burn-in/frame-counter.ts'
import { loadVideoClip } from './clip/video-clip.ts'
import { getNalType, nalType, splitAnnexB } from './h264/nal-unit.ts'
import { startCameras } from './simulator.ts'
import { noFfmpeg, testCamera, testClips } from './testing/clips.ts'
import { decodeStrictly } from './testing/decode.ts'
import { RtspTestClient, readRtp } from './testing/viewer.ts'

const streams = [
  { stream: 'main', width: 1920, height: 1080, shownAt: [1920, 1080], pictures: 75 },
  { stream: 'main', width: 1920, height: 1080, shownAt: [640, 360], pictures: 25 },
  { stream: 'sub', width: 640, height: 360, shownAt: [640, 360], pictures: 40 },
  { stream: 'sub', width: 640, height: 360, shownAt: [320, 180], pictures: 20 },
] as const

describe.skipIf(noFfmpeg !== undefined)(`watched with ffmpeg${noFfmpeg ? ` (skipped: ${noFfmpeg})` : ''}`, () => {
  // The clip has 30 pictures, so the longer ones cross the end of its loop.
  test.each(streams)(
    '$stream shown at $shownAt decodes without errors and its counter increases by one',
    async ({ stream, shownAt, pictures }) => {
      await using simulator = await startCameras({ cameras: [testCamera] })
      const [camera] = simulator.cameras
      const uri = camera?.rtspAddress(stream).replace('//', `//admin:${encodeURIComponent(testCamera.password)}@`) ?? ''
      const [width, height] = shownAt
      const from = camera?.counterAt(stream, Date.now()) ?? 0
      const decoded = await decodeStrictly(['-rtsp_transport', 'tcp', '-i', uri, '-frames:v', `${pictures}`], {
        width,
        height,
      })
      const counters = decoded.pictures.map((luma) => readFrameCounter(luma, width, height))
      const [first] = counters
      expect(counters).toEqual(Array.from({ length: pictures }, (_, at) => (first ?? 0) + at))
      expect(first).toBeGreaterThan(from)
      expect(first).toBeLessThan(camera?.counterAt(stream, Date.now()) ?? 0)
    },
  )
})

test('the counter of a time is the number of picture intervals since the epoch', async () => {
  const epoch = Date.UTC(2026, 5, 1)
  await using simulator = await startCameras({ epoch, cameras: [testCamera] })
  const [camera] = simulator.cameras
  expect(camera?.counterAt('main', epoch + 60_000)).toBe(1500)
  expect(camera?.counterAt('sub', epoch + 60_099)).toBe(600)
  expect(camera?.counterAt('sub', epoch + 60_100)).toBe(601)
})

test('two consecutive key pictures never have the same id, even where the loop restarts', async () => {
  const { pictures } = await loadVideoClip(testClips.sub.path, 10)
  // NAL header, first_mb 1, slice_type 0001000, pps 1, frame_num 0000, then idr_pic_id: five bits into the third byte.
  const idOf = (raw: Uint8Array) => ['1', '010', '011'].findIndex((code) => bitsOf(raw).slice(21).startsWith(code))
  const ids = pictures.filter((picture) => picture.isKey).map(({ strip }) => idOf(strip?.raw ?? new Uint8Array()))
  expect(ids).toEqual([0, 1, 2])
})

const bitsOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')

test('a clip that wasn’t encoded for the strip is played unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clip-'))
  const path = join(folder, 'main.h264')
  // One slice in each picture leaves none for the strip.
  const units = splitAnnexB(await readFile(testClips.main.path)).filter(
    (unit) => getNalType(unit) > nalType.keySlice || ((unit[1] ?? 0) & 0x80) !== 0,
  )
  await writeFile(path, Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit])))
  const [first] = units.filter((unit) => getNalType(unit) === nalType.slice)
  await using simulator = await startCameras({
    cameras: [{ ...testCamera, clips: { ...testClips, main: { path, framesPerSecond: 25 } } }],
  })
  await rm(folder, { recursive: true })
  expect(simulator.cameras[0]?.describe().profiles[0]?.clip.stripSize).toBeUndefined()
  const viewer = await RtspTestClient.watching(simulator.cameras[0]?.address.rtspPort ?? 0, '/main', testCamera)
  const sent = () => viewer.packets.map((packet) => readRtp(packet).payload)
  await viewer.until(() => sent().some((payload) => first?.equals(payload) === true), 'the slice as it is in the file')
  viewer.close()
})

test('cameras with the same clip show different parts of it and have their own ports', async () => {
  await using simulator = await startCameras({
    cameras: [testCamera, { ...testCamera, mac: '02:00:00:00:00:02', phaseSeconds: 0.4 }],
  })
  const [one, two] = await Promise.all(
    simulator.cameras.map(({ address }) => RtspTestClient.watching(address.rtspPort, '/sub', testCamera)),
  )
  const keyTime = async (viewer: RtspTestClient | undefined): Promise<number> => {
    await viewer?.until(() => viewer.packets.some(({ channel }) => channel === 0), 'a picture')
    return viewer?.packets.find(({ channel }) => channel === 0)?.at ?? 0
  }
  // Key pictures are a second apart, and the second camera's are 0.4 s earlier.
  const apart = ((((await keyTime(one)) - (await keyTime(two))) % 1000) + 1000) % 1000
  expect(Math.abs(apart - 400)).toBeLessThan(150)
  expect(
    readRtp(one?.packets.find(({ channel }) => channel === 0) ?? { channel: 0, bytes: Buffer.alloc(12), at: 0 })
      .payloadType,
  ).toBe(96)
  one?.close()
  two?.close()
})

test('a port in use stops the start with the camera’s name, and nothing stays open', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const starting = startCameras({
    cameras: [testCamera, { ...testCamera, name: 'Late', mac: '02:00:00:00:00:02', onvifPort: port }],
  })
  await expect(starting).rejects.toThrow('camera Late could not start')
  taken.close()
})

test('invalid settings are refused before anything is opened', async () => {
  await expect(startCameras({ cameras: [] })).rejects.toThrow()
  await expect(startCameras({ cameras: [{ ...testCamera, mac: 'no' }] })).rejects.toThrow()
})

test('an abort signal stops the cameras', async () => {
  const controller = new AbortController()
  const simulator = await startCameras({ cameras: [testCamera] }, { signal: controller.signal })
  const port = simulator.cameras[0]?.address.rtspPort ?? 0
  controller.abort()
  await simulator.stop()
  await expect(RtspTestClient.connect(port)).rejects.toThrow('ECONNREFUSED')
})
