import { afterAll, beforeAll, expect, test } from 'vitest'
import { idleMedia } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { streams } from './index.ts'

let api: TestApi
let clipEnd = idleMedia.clipEnd
beforeAll(async () => {
  api = await testApi({ slices: [streams], media: { clipEnd: (question) => clipEnd(question) } })
})
afterAll(() => api[Symbol.asyncDispose]())

test('a stream address already contains a question mark, because clients append their token with &', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const { body } = await api.call(token, `GET cameras/${cameraId}/streams`)
  const host = new URL(api.origin).host
  const unseen = { width: null, height: null, codec: null }
  const mseWss = `ws://${host}/stream/mse/open?camera_id=${cameraId}`
  expect(body).toMatchObject([{ streamId: { value: 0 }, stream: 'main', ...unseen, urls: { mseWss } }])
  for (const url of Object.values(body[0].urls as Record<string, string>))
    expect(url).toMatch(/^(ws|http):\/\/.*\?camera_id=\d+$|\/audio$|^rtsp:\/\/192\.0\.2\.7:554\/main$/)
})

const talk = /^http:\/\/[^/]+\/rest\/v2\.4\/cameras\/\d+\/audio$/
const jpegs = (name: string) => expect.stringMatching(new RegExp(`^http://[^/]+/stream/${name}/open\\?camera_id=\\d+$`))
const hls = /^http:\/\/[^/]+\/stream\/hls\/getPlaylist\?camera_id=\d+$/

test('addresses are those of a server without TLS, and only what the caller may use', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const urlsOf = async (of: string, query = '') =>
    (await api.call(of, `GET cameras/${cameraId}/streams${query}`)).body[0].urls
  const pictures = { mjpegHttp: jpegs('jpeg'), multipartHttp: jpegs('multipart') }
  const all = { mseWss: expect.any(String), hlsHttp: expect.stringMatching(hls), ...pictures }
  const heard = { multipartaudioHttp: jpegs('multipartaudio'), audioPushHttp: expect.stringMatching(talk) }
  expect(await urlsOf(token)).toEqual({ ...all, ...heard, localRtsp: 'rtsp://192.0.2.7:554/main' })
  const viewer = await api.addSubUser(accountId, { rights: [], allCameras: true })
  expect(await urlsOf(viewer.token)).toEqual(all)
  expect(await urlsOf(token, '?urlTypes=hlsHttp,rtsp,unknown')).toEqual({ hlsHttp: all.hlsHttp })
  expect(await urlsOf(token, '?urlTypes=')).toEqual({})
})

test('a server that makes no JPEGs lists no addresses for them', async () => {
  await using server = await testApi({ slices: [streams], media: { makesPictures: false } })
  const { accountId, token, zoneId } = await server.addAccount()
  const cameraId = await server.addCamera(accountId, zoneId, 'Door')
  const { body } = await server.call(token, `GET cameras/${cameraId}/streams`)
  expect(Object.keys(body[0].urls).toSorted()).toEqual(['audioPushHttp', 'hlsHttp', 'localRtsp', 'mseWss'])
})

test('a sub-stream is listed beside the main stream, each with its size as last seen', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  await api.owner.plain.updateTable('cameras').set({ sub_path: '/sub' }).where('camera_id', '=', cameraId).execute()
  const seen = { width: 1920, height: 1080, codec: 'h265', sub_width: 640, sub_height: 360, sub_codec: 'h264' }
  const status = { account_id: accountId, camera_id: cameraId, online: true, ...seen }
  await api.owner.plain.insertInto('camera_status').values(status).execute()
  const { body } = await api.call(token, `GET cameras/${cameraId}/streams`)
  const address = expect.stringMatching(new RegExp(`camera_id=${cameraId}&stream=sub$`))
  expect(body[0]).toMatchObject({ streamId: { value: 0 }, stream: 'main', width: 1920, height: 1080, codec: 'h265' })
  expect(body[1]).toEqual({
    streamId: { value: 1 },
    stream: 'sub',
    width: 640,
    height: 360,
    codec: 'h264',
    urls: {
      mseWss: address,
      hlsHttp: address,
      mjpegHttp: address,
      multipartHttp: address,
      multipartaudioHttp: address,
      localRtsp: 'rtsp://192.0.2.7:554/sub',
    },
  })
  const ticket = `POST cameras/${cameraId}/streamTickets`
  expect((await api.call(token, ticket, { use: 'live', stream: 'sub' })).status).toBe(201)
  const tickets = api.owner.plain.selectFrom('stream_tickets').select('stream').where('camera_id', '=', cameraId)
  expect(await tickets.execute()).toEqual([{ stream: 'sub' }])
})

test('a ticket to watch comes with the addresses of the camera’s streams, so that watching needs no other call', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const listed = async () => {
    const { body } = await api.call(token, `GET cameras/${cameraId}/streams`)
    const streams: { stream: string; urls: { mseWss: string } }[] = body
    return streams.map(({ stream, urls }) => ({ stream, mseWss: urls.mseWss }))
  }
  const ticketFor = async (given: object) =>
    (await api.call(token, `POST cameras/${cameraId}/streamTickets`, given)).body.streams
  expect(await ticketFor({ use: 'live' })).toEqual(await listed())
  await api.owner.plain.updateTable('cameras').set({ sub_path: '/sub' }).where('camera_id', '=', cameraId).execute()
  const both = await listed()
  expect(both).toHaveLength(2)
  expect(await ticketFor({ use: 'live', stream: 'main' })).toEqual(both)
  expect(await ticketFor({ use: 'playback' })).toEqual(both)
  expect(await ticketFor({ use: 'snapshot' })).toBeUndefined()
})

test('a ticket is stored only as a hash, tied to camera, user and token, and lasts five minutes', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const { status, body } = await api.call(token, `POST cameras/${cameraId}/streamTickets`, { use: 'live' })
  expect(status).toBe(201)
  expect(Buffer.from(body.ticket, 'base64url')).toHaveLength(32)
  expect(Date.parse(body.expiresAt) - api.now).toBe(5 * 60_000)
  const row = await api.owner.plain
    .selectFrom('stream_tickets')
    .selectAll()
    .where('camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ account_id: accountId, user_id: accountId, use: 'live', used_at: null })
  expect(JSON.stringify(row)).not.toContain(body.ticket)
})

test('playback tickets need the right playback; a demo user may watch', async () => {
  const { accountId, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const viewer = await api.addSubUser(accountId, { rights: ['demoUser'], allCameras: true })
  const path = `cameras/${cameraId}/streamTickets`
  expect((await api.call(viewer.token, `POST ${path}`, { use: 'live' })).status).toBe(201)
  expect((await api.call(viewer.token, `POST ${path}`, { use: 'playback' })).body).toMatchObject({ code: 9 })
})

test.each([
  [{}, 'use'],
  [{ use: 'everything' }, 'use'],
  [{ use: 'live', stream: 'third' }, 'stream'],
  [{ use: 'mp4', from: 'yesterday' }, 'from'],
  [{ use: 'mp4', from: '2026-01-01T10:00:00Z', till: '2026-01-01T09:00:00Z' }, 'till'],
  [{ use: 'live', proof: {} }, 'proof'],
  [
    { ...{ use: 'mp4', from: '2026-01-01T09:00:00Z', till: '2026-01-01T21:00:00Z' }, proof: { reason: '' } },
    'proof.reason',
  ],
  [{ use: 'mp4', till: '2026-01-01T09:00:00Z' }, 'from'],
  [{ use: 'mp4', from: '2026-01-01T09:00:00Z' }, 'till'],
  [{ use: 'mp4', from: '2026-01-01T09:00:00Z', till: '2026-01-01T21:00:01Z' }, 'till'],
])('%j is refused with code 3', async (body, field) => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const answer = await api.call(token, `POST cameras/${cameraId}/streamTickets`, body)
  expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field }] } })
})

const clip = { use: 'mp4', from: '2026-01-01T09:00:00Z', till: '2026-01-01T21:00:00Z' }

test('a ticket for a file comes with its address', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const { status, body } = await api.call(token, `POST cameras/${cameraId}/streamTickets`, clip)
  expect(status).toBe(201)
  expect(body.url).toMatch(new RegExp(`^https?://[^/]+/stream/mp4/open\\?camera_id=${cameraId}&ticket=${body.ticket}$`))
})

test('a ticket for a file that proves itself keeps who exports it, which camera, and why', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const body = { ...clip, proof: { reason: ' theft ' } }
  expect((await api.call(token, `POST cameras/${cameraId}/streamTickets`, body)).status).toBe(201)
  const rows = api.owner.plain.selectFrom('stream_tickets').select('proof').where('camera_id', '=', cameraId)
  expect(await rows.executeTakeFirstOrThrow()).toEqual({
    proof: { reason: 'theft', cameraName: 'Door', exportedBy: expect.stringContaining('@') },
  })
})

test('a file ends where one machine’s footage ends, and says so', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const asked: unknown[] = []
  clipEnd = async (question) => {
    asked.push(question)
    return Date.parse('2026-01-01T10:30:00Z')
  }
  const { body } = await api.call(token, `POST cameras/${cameraId}/streamTickets`, clip)
  clipEnd = idleMedia.clipEnd
  expect(body.till).toBe('2026-01-01T10:30:00.000+00:00')
  const span = { from: Date.parse(clip.from), till: Date.parse(clip.till) }
  expect(asked).toEqual([{ accountId, cameraId, stream: 'main', ...span }])
  const row = await api.owner.plain
    .selectFrom('stream_tickets')
    .select('till_at')
    .where('camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  expect(row.till_at).toBe(Date.parse('2026-01-01T10:30:00Z'))
})

test.each([
  [['playback', 'export'], 201],
  [['playback'], 403],
  [['export'], 403],
] as const)('a sub-user with the rights %j gets %i for a ticket for a file', async (rights, status) => {
  const { accountId, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const user = await api.addSubUser(accountId, { rights: [...rights], allCameras: true })
  expect(await api.call(user.token, `POST cameras/${cameraId}/streamTickets`, clip)).toMatchObject({ status })
})

test('support gets no ticket for a file, even if the owner shows video', async () => {
  const { accountId, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const change = api.owner.plain.updateTable('accounts').set({ helpdesk_show_video: true })
  await change.where('account_id', '=', accountId).execute()
  const support = await api.addToken({ accountId, userId: accountId }, 'support')
  const path = `POST cameras/${cameraId}/streamTickets`
  expect((await api.call(support, path, { use: 'playback' })).status).toBe(201)
  expect(await api.call(support, path, clip)).toMatchObject({ status: 403, body: { code: 9 } })
})

test('a ticket for a snapshot comes with its address; of another time, it needs the right playback', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `POST cameras/${cameraId}/streamTickets`
  const past = { use: 'snapshot', from: '2026-01-01T09:00:00Z' }
  for (const wanted of [{ use: 'snapshot' }, past]) {
    const { status, body } = await api.call(token, path, wanted)
    expect(status).toBe(201)
    const query = `camera_id=${cameraId}&ticket=${body.ticket}`
    expect(body.url).toMatch(new RegExp(`^http://[^/]+/stream/snapshot/open\\?${query}$`))
  }
  const viewer = await api.addSubUser(accountId, { rights: [], allCameras: true })
  expect((await api.call(viewer.token, path, { use: 'snapshot' })).status).toBe(201)
  expect(await api.call(viewer.token, path, past)).toMatchObject({ status: 403, body: { code: 9 } })
})

test("a ticket for another account's camera is refused", async () => {
  const mine = await api.addAccount()
  const theirs = await api.addAccount()
  const foreign = await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
  const answer = await api.call(mine.token, `POST cameras/${foreign}/streamTickets`, { use: 'live' })
  expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
})

test("a user who requests more tickets than the burst gets 429; other users and later requests don't", async () => {
  await using limited = await testApi({ slices: [streams], streamTickets: { perSecond: 0.5, burst: 3 } })
  const { accountId, token, zoneId } = await limited.addAccount()
  const path = `POST cameras/${await limited.addCamera(accountId, zoneId, 'Door')}/streamTickets`
  const guard = await limited.addSubUser(accountId, { rights: ['LiveCamera'], allCameras: true })
  const support = await limited.addToken({ accountId, userId: accountId }, 'support')
  await limited.owner.plain
    .updateTable('accounts')
    .set({ helpdesk_show_video: true })
    .where('account_id', '=', accountId)
    .execute()
  const ask = (asking: string) => limited.call(asking, path, { use: 'live' })
  for (let n = 0; n < 3; n += 1) expect((await ask(guard.token)).status).toBe(201)
  const refused = await ask(guard.token)
  expect(refused).toMatchObject({ status: 429, body: { code: 16 } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const another = await limited.addToken({ accountId, userId: guard.userId }, 'own')
  expect((await ask(another)).status).toBe(429)
  expect([(await ask(token)).status, (await ask(support)).status]).toEqual([201, 201])
  await expect.poll(async () => (await ask(guard.token)).status).toBe(201)
})
