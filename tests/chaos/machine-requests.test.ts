/** What people do with a camera that a media worker on another machine serves: each request crosses the link with its grant. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { MotionPreview } from '@sightline/contract/detectors'
import { verifyExport } from '@sightline/contract/footage-proof'
import type { SummaryPart, SummaryPictures } from '@sightline/contract/footage-summary'
import { instant } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SimulatedCamera, type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { readHeadKeys, verifyHead } from '../../server/media/src/recording/index.ts'
import { filesBelow, stage } from '../../server/media/src/recording/recording-stage.ts'
import { OFFER } from '../../server/media/src/webrtc/offer-stage.ts'
import { readSecrets } from '../../server/run/compose/secrets.ts'
import { footage, playTracks } from '../fixtures/footage.ts'
import { makeMotionClip } from '../fixtures/motion-clip.ts'
import { freeUdpPorts } from '../free-udp-ports.ts'
import { countRtspPictures } from '../rtsp-players.ts'
import { freePort } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, listStatuses, until } from './demo-cameras.ts'
import { type Front, type Machine, machineThatGets, startFront } from './machines.ts'

interface Summary {
  readonly url: string
  readonly parts: readonly SummaryPart[]
}

const SECOND = 1000
const HOUR = 3600 * SECOND
const OLD_SECONDS = 40
const clipPath = join(tmpdir(), `sightline-machine-requests-${process.pid}.h264`)

let front: Front
let rtspPort: number
let caller: ApiCaller
let simulator: Simulator
let camera: SimulatedCamera
let machine: Machine
/** Of the demonstration; the machine serves it. */
let cameraId: number
let accountId: number
/** When the machine had the camera, which the front recorded before; milliseconds since 1970. */
let joinedAt: number
/** Footage on the machine's disk from before it joined. */
let oldFootage: { readonly from: number; readonly till: number; readonly files: readonly string[] }

beforeAll(async () => {
  makeMotionClip(clipPath, { still: 1, moving: 10 })
  rtspPort = await freePort()
  front = await startFront({ SIGHTLINE_MOTION_CAMERAS: '4', SIGHTLINE_RTSP_PORT: String(rtspPort) })
  caller = { origin: front.product.origin, token: await fetchToken(front.product.origin, 'owner@demo.example') }
  cameraId = (await listCameras(caller)).find(({ name }) => name === 'Car park')?.cameraId ?? 0
  await replaceCamera()
  // What the front records of it is needed below.
  await until('the front records it', async () => (await recordedByFront()) > 12 * SECOND)
  const name = machineThatGets(cameraId)
  const folder = await front.addMachine(name)
  oldFootage = await plantFootage(join(folder, 'footage'))
  const environment = { SIGHTLINE_MOTION_CAMERAS: '4', SIGHTLINE_WEBRTC_PORT: String(await freeUdpPorts(1)) }
  machine = front.startMachine(folder, { environment })
  await until('the machine has the camera', async () => (await owner()) === `${name}-1`)
  joinedAt = Date.now()
  await until('the camera is recorded', async () => {
    const status = (await listStatuses(caller)).find((one) => one.cameraId === cameraId)
    return status?.recordingOnCloud === true
  })
})
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]()
  await front?.[Symbol.asyncDispose]()
  await simulator?.[Symbol.asyncDispose]()
  await rm(clipPath, { force: true })
})

/** A camera of this process takes the place of the demonstration's, so that the tests see what it was told. */
async function replaceCamera(): Promise<void> {
  const { installationKey } = await readSecrets(front.dataFolder)
  const { plain } = front.database.db
  const row = await plain.selectFrom('cameras').selectAll().where('camera_id', '=', cameraId).executeTakeFirstOrThrow()
  accountId = row.account_id
  const place = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
  const password = envelopeEncryption(installationKey).open(place, row.password_sealed ?? Buffer.alloc(0))
  const clip = { path: clipPath, framesPerSecond: 10 }
  const login = { username: row.username ?? '', password, mac: row.eth_mac_address }
  simulator = await startCameras({
    cameras: [{ name: 'Car park', ...login, clips: { main: clip, sub: clip }, backChannel: 'PCMU', ptz: true }],
  })
  const [started] = simulator.cameras
  if (started === undefined) throw new Error('the simulator has no camera')
  camera = started
  // The server looks for motion itself.
  await camera.fault({ kind: 'onvif-quirks', quirks: ['no-events'] })
  const { rtspPort, onvifPort } = camera.address
  await plain
    .updateTable('cameras')
    .set({ rtsp_port: rtspPort, onvif_port: onvifPort })
    .where('camera_id', '=', cameraId)
    .execute()
}

/** Three hours old: what is newer than a quarter of an hour is never deleted. */
async function plantFootage(store: string): Promise<typeof oldFootage> {
  const from = Date.now() - 3 * HOUR
  const set = await stage({ store, stream: { accountId, cameraId, stream: 'main' }, segmentMs: 10 * SECOND })
  set.show(...playTracks([footage('high.h264')], { seconds: OLD_SECONDS, wallClock: from }))
  await set.stop()
  return { from, till: from + OLD_SECONDS * SECOND, files: await filesBelow(store) }
}

/** How much of the camera the front has recorded in one run, in milliseconds. */
async function recordedByFront(): Promise<number> {
  const runs = front.database.db.plain.selectFrom('recording_runs').select(['started_at', 'ended_at'])
  const rows = await runs.where('camera_id', '=', cameraId).where('stream', '=', 'main').execute()
  return Math.max(0, ...rows.map((row) => row.ended_at - row.started_at))
}

async function owner(): Promise<string | undefined> {
  const { plain } = front.database.db
  const leases = plain.selectFrom('camera_leases').select('worker_id').where('camera_id', '=', cameraId)
  return (await leases.executeTakeFirst())?.worker_id
}

const call = <T = unknown>(request: string, body?: unknown) => callApi<T>(caller.origin, caller.token, request, body)
const fetchRest = (path: string, init: RequestInit = {}) =>
  fetch(`${caller.origin}/rest/v2.4/cameras/${cameraId}/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${caller.token}`, ...init.headers },
  })

test('a snapshot of the camera comes from the machine', async () => {
  const reply = await fetchRest('snapshot')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(bytes.length).toBeGreaterThan(2000)
})

test('live pictures as JPEG and HLS come from the machine', async () => {
  const address = (path: string) => `${caller.origin}${path}?camera_id=${cameraId}&access_token=${caller.token}`
  const leaving = new AbortController()
  const pictures = await fetch(address('/stream/multipart/open'), { signal: leaving.signal })
  expect([pictures.status, pictures.headers.get('content-type')]).toEqual([
    200,
    'multipart/x-mixed-replace; boundary=sightline-part',
  ])
  const part = await pictures.body?.getReader().read()
  expect(Buffer.from(part?.value ?? []).toString('latin1')).toContain('Content-Type: image/jpeg')
  leaving.abort()
  const hls = await (await fetch(address('/stream/hls/getPlaylist'))).text()
  expect(hls).toMatch(new RegExp(`session=${await owner()}\\.`))
})

test('an offer of WebRTC is answered by the machine, and its session ends there', async () => {
  const address = `${caller.origin}/stream/whep/open?camera_id=${cameraId}&access_token=${caller.token}`
  const headers = { 'content-type': 'application/sdp' }
  const post = (body: string) => fetch(address, { method: 'POST', headers, body })
  const refused = await post('hello')
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('not a session description')])
  // In chunks, so its length isn't known beforehand.
  const chunked = request(address, { method: 'POST', headers })
  for (const chunk of ['he', 'llo']) chunked.write(chunk)
  chunked.end()
  const [reply] = (await once(chunked, 'response')) as [IncomingMessage]
  expect([reply.statusCode, await text(reply)]).toEqual([400, expect.stringContaining('not a session description')])
  const answered = await post(OFFER)
  expect([answered.status, await answered.text()]).toEqual([201, expect.stringContaining('a=ice-lite')])
  const session = answered.headers.get('location') ?? ''
  expect(session).toContain(`session=${await owner()}.`)
  const end = async () => (await fetch(`${caller.origin}${session}`, { method: 'DELETE' })).status
  expect([await end(), await end()]).toEqual([200, 404])
})

test('a ticket for a snapshot is answered where its picture is: by the machine, or by the front for what that recorded', async () => {
  const open = async (from?: number) => {
    const wanted = from === undefined ? {} : { from: new Date(from).toISOString() }
    const asked = { use: 'snapshot', ...wanted }
    const { body } = await call<{ url: string }>(`POST cameras/${cameraId}/streamTickets`, asked)
    const reply = await fetch(body.url)
    return [reply.status, Date.parse(reply.headers.get('x-taken-at') ?? '')]
  }
  expect((await open())[0]).toBe(200)
  for (const at of [oldFootage.from + 10 * SECOND, joinedAt - 12 * SECOND]) {
    const [status, takenAt = 0] = await open(at)
    expect(status).toBe(200)
    expect(Math.abs(takenAt - at)).toBeLessThan(3 * SECOND)
  }
})

test('the camera turns when it is told to, and its settings are changed', async () => {
  expect(await call(`POST cameras/${cameraId}/ptz`, { action: 'move', pan: 1 })).toMatchObject({ status: 204 })
  await until('it has turned', async () => (camera.ptz?.position.pan ?? 0) > 0.02)
  expect(await call(`POST cameras/${cameraId}/ptz`, { action: 'stop' })).toMatchObject({ status: 204 })
  const path = `cameras/${cameraId}/settings/video`
  expect(await call(`PATCH ${path}`, { dayNight: 'night' })).toMatchObject({ status: 200, body: { dayNight: 'night' } })
  expect(camera.settings.imaging.irCut).toBe('OFF')
})

test('what someone says is heard at the camera', async () => {
  const heard = () => Buffer.concat(camera.loudspeaker.heard.map(({ payload }) => payload))
  const before = heard().length
  const speech = Buffer.from(Uint8Array.from({ length: 12_000 }, (_, index) => (index * 7) & 0xff))
  const reply = await fetchRest('audio', { method: 'POST', headers: { 'content-type': 'audio/basic' }, body: speech })
  expect(reply.status).toBe(204)
  await until('all is heard', async () => heard().length === before + speech.length)
  expect(heard().subarray(before).equals(speech)).toBe(true)
})

test('the preview of motion shows what moves now', async () => {
  expect(await call(`PATCH cameras/${cameraId}/detectors/video`, { enabled: true, sensitivity: 70 })).toMatchObject({
    status: 200,
  })
  const seen = await until('something moves', async () => {
    const { body } = await call<MotionPreview>(`GET cameras/${cameraId}/detectors/video/preview`)
    return body.state === 'server' && body.moving.length > 0 && body
  })
  expect(Math.max(...seen.moving)).toBeLessThan(seen.columns * seen.rows)
})

test('its footage is downloaded as an MP4 file', async () => {
  const { from, till } = oldFootage
  await until('the footage is listed', async () => (await runsIn(from, till)) > 0)
  const span = { from: new Date(from).toISOString(), till: new Date(till).toISOString() }
  const { body } = await call<{ url: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'mp4', ...span })
  const reply = await fetch(body.url)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.length).toBe(Number(reply.headers.get('content-length')))
  expect(countPictures(bytes)).toBe(OLD_SECONDS * 25)
  // The same download goes on where it broke off.
  const rest = await fetch(body.url, { headers: { range: 'bytes=5000-' } })
  expect(rest.status).toBe(206)
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(5000))).toBe(true)
})

test('its footage is played over RTSP, to the exact end', async () => {
  const { from } = oldFootage
  const [begin, end] = [from + 10 * SECOND, from + 16 * SECOND].map((time) => new Date(time).toISOString())
  const { body } = await call<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'playback' })
  const path = `/stream/rtsp/open?camera_id=${cameraId}&from=${begin}&till=${end}&ticket=${body.ticket}`
  expect(await countRtspPictures(`rtsp://127.0.0.1:${rtspPort}${path}`)).toBe(6 * 25)
})

test('its footage is exported signed by the front, which has the key, and proves itself', async () => {
  const { from, till } = oldFootage
  const span = { from: new Date(from).toISOString(), till: new Date(till).toISOString() }
  const proof = { reason: 'theft' }
  const { body } = await call<{ url: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'mp4', ...span, proof })
  const reply = await fetch(body.url)
  expect([reply.status, reply.headers.get('accept-ranges')]).toEqual([200, 'none'])
  const bytes = new Uint8Array(await reply.arrayBuffer())
  expect(countPictures(bytes)).toBe(OLD_SECONDS * 25)
  const keysUrl = `${caller.origin}/.well-known/footage-keys.json`
  const published: { keys: { fingerprint: string }[] } = await (await fetch(keysUrl)).json()
  const file = { bytes: bytes.length, read: async (start: number, end: number) => bytes.slice(start, end) }
  const trusted = published.keys.map(({ fingerprint }) => fingerprint)
  const { findings, manifest } = await verifyExport({ file, trusted })
  expect(findings).toEqual([])
  expect(manifest).toMatchObject({ cameraId, reason: 'theft', cameraName: 'Car park' })
})

/** Rows of footage on the machine's disk. */
async function runsIn(from: number, till: number): Promise<number> {
  const rows = await front.database.db.plain
    .selectFrom('recording_runs')
    .select('started_at')
    .where('camera_id', '=', cameraId)
    .where('store', '!=', 'disk')
    .where('started_at', '>=', instant(from - SECOND))
    .where('started_at', '<', instant(till))
    .where('run_id', '!=', '0'.repeat(32))
    .execute()
  return rows.length
}

test('a range that is to be deleted is deleted on the machine, and the ledger has it with the disk', async () => {
  const { from, files } = oldFootage
  const end = from + 20 * SECOND
  const { plain } = front.database.db
  const asked = { requested_by: accountId, requested_at: instant(Date.now()) }
  await plain
    .insertInto('footage_deletion_requests')
    .values({
      account_id: accountId,
      footage_deletion_request_id: 1,
      camera_id: cameraId,
      started_at: instant(from - SECOND),
      ended_at: instant(end),
      ...asked,
    })
    .execute()
  const done = await until('it is carried out', async () => {
    const request = plain.selectFrom('footage_deletion_requests').select(['status', 'done_stores'])
    const row = await request.executeTakeFirstOrThrow()
    return row.status !== 'waiting' && row
  })
  const disk = (await owner())?.replace(/-1$/, '') ?? ''
  expect(done.status).toBe('done')
  expect(done.done_stores).toContain(disk)
  expect([existsSync(files[0] ?? ''), existsSync(files.at(-1) ?? '')]).toEqual([false, true])
  const ledger = await plain.selectFrom('footage_deletions').select(['store', 'reason', 'deleted_by']).execute()
  expect(ledger).toContainEqual({ store: disk, reason: 'user', deleted_by: accountId })
  const span = `from=${new Date(from).toISOString()}&till=${new Date(from + OLD_SECONDS * SECOND).toISOString()}`
  const first = await until('the timeline shows it', async () => {
    const { body } = await call<{ segments: { start: string }[] }>(`GET cameras/${cameraId}/recordingTimeline?${span}`)
    const start = Date.parse(body.segments[0]?.start ?? '')
    return start > from && start
  })
  expect(first).toBeGreaterThanOrEqual(end)
})

/** Pictures in a file of footage. */
function countPictures(bytes: Uint8Array): number {
  const entries = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0']
  return Number(
    String(execFileSync('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, '-'], { input: bytes })),
  )
}

test('a file of what two machines recorded ends with the first one’s footage, says so, and a second one has the rest', async () => {
  const from = joinedAt - 10 * SECOND
  const till = joinedAt + 20 * SECOND
  await until('there is enough', async () => Date.now() > till + 2 * SECOND)
  const file = async (start: number) => {
    const span = { from: new Date(start).toISOString(), till: new Date(till).toISOString() }
    const ticket = await call<{ url: string; till: string }>(`POST cameras/${cameraId}/streamTickets`, {
      use: 'mp4',
      ...span,
    })
    const reply = await fetch(ticket.body.url)
    expect(reply.status).toBe(200)
    return { end: Date.parse(ticket.body.till), pictures: countPictures(Buffer.from(await reply.arrayBuffer())) }
  }
  const first = await file(from)
  expect(first.end).toBeGreaterThan(from)
  expect(first.end).toBeLessThan(till)
  expect(first.pictures).toBeGreaterThan(10)
  const second = await file(first.end)
  expect(second.end).toBe(till)
  expect(second.pictures).toBeGreaterThan(100)
  // An address without a ticket can't say where its file ends, so it is refused.
  const address = new URL('/stream/mp4/open', caller.origin)
  const span = { from: new Date(from).toISOString(), till: new Date(till).toISOString() }
  const query = { camera_id: String(cameraId), access_token: caller.token, ...span }
  address.search = String(new URLSearchParams(query))
  const refused = await fetch(address)
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ code: 6, detail: expect.stringContaining('is on another machine') })
})

test('the summary of the last 24 hours has what each machine recorded, one video after the other', async () => {
  const { body } = await call<Summary>(`GET cameras/${cameraId}/summary`)
  const { parts } = body
  const read = async ({ url }: SummaryPart) => {
    const listed: SummaryPictures = await (await fetch(`${url}&pictures=1`)).json()
    const reply = await fetch(url)
    expect(reply.status).toBe(200)
    return { times: listed.pictures, shown: countPictures(Buffer.from(await reply.arrayBuffer())) }
  }
  const videos = await Promise.all(parts.map(read))
  // The machine's old footage, what the front recorded, and what the machine records now.
  expect(videos).toHaveLength(3)
  for (const [index, { times, shown }] of videos.entries()) {
    const { from = '', till = '' } = parts[index] ?? {}
    expect(shown).toBe(times.length)
    expect(times[0]).toBeGreaterThanOrEqual(Date.parse(from))
    expect(times.at(-1)).toBeLessThan(Date.parse(till))
  }
  const times = videos.flatMap((one) => one.times)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const isIn = (start: number, end: number) => (time: number) => time >= start && time < end
  const { from, till } = oldFootage
  expect(times.some(isIn(from + 20 * SECOND, till))).toBe(true)
  expect(times.some(isIn(joinedAt - 12 * SECOND, joinedAt - 2 * SECOND))).toBe(true)
  expect(times.some(isIn(joinedAt + 5 * SECOND, Date.now()))).toBe(true)
  expect(Math.abs(parts.reduce((sum, { seconds }) => sum + seconds, 0) - 30)).toBeLessThan(3)
  expect(body.url).toBe(parts.toSorted((a, b) => b.seconds - a.seconds)[0]?.url)
})

test('what the machine recorded is signed by the front, up to its orderly stop', async () => {
  const published = await (await fetch(`${caller.origin}/.well-known/footage-keys.json`)).text()
  const keys = readHeadKeys(published) ?? []
  machine.process.kill('SIGTERM')
  expect(await machine.ended).toBe(0)
  const store = join(machine.dataFolder, 'footage')
  const own = { accountId, cameraId, stream: 'main' } as const
  expect(await verifyHead(store, own, keys)).toMatchObject({ signed: own, unsignedLines: 0, findings: [] })
  const heads = front.database.db.plain.selectFrom('footage_heads').select(['store', 'line'])
  const rows = await heads.where('camera_id', '=', cameraId).where('stream', '=', 'main').execute()
  const line = (await readFile(join(store, String(accountId), String(cameraId), 'main', 'head'), 'utf8')).trimEnd()
  expect(rows.filter((row) => row.store !== 'disk').map((row) => row.line)).toEqual([line])
})
