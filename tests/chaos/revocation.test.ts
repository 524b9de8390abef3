/** A user whose access is revoked loses open streams and cannot open new ones (R16). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLongRun } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { listCameras, until, untilAllRecord } from './demo-cameras.ts'
import { requestTicket, type SocketViewer, type WatchOptions, watch, watchLive } from './viewer.ts'

const GONE = 4
const NOT_AUTHORIZED = 9
const PRIVATE = 18
const SECOND = 1000

let product: RunningProduct
let owner: string
let cameraOf: ReadonlyMap<string, number>
/** Long enough ago to be distinguishable from the present. */
let recordedAt: number

beforeAll(async () => {
  product = await startProduct()
  owner = await fetchToken(product.origin, 'owner@demo.example')
  const caller = { origin: product.origin, token: owner }
  await untilAllRecord(caller)
  cameraOf = new Map((await listCameras(caller)).map(({ name, cameraId }) => [name, cameraId]))
  // Records something to play back.
  recordedAt = Date.now()
  await sleep(4 * SECOND)
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
})

const camera = (name: string): number => {
  const cameraId = cameraOf.get(name)
  if (cameraId === undefined) throw new Error(`the demonstration has no camera "${name}"`)
  return cameraId
}

const open = (wanted: Omit<WatchOptions, 'origin'>): SocketViewer => watch({ origin: product.origin, ...wanted })

const untilSeen = (viewer: SocketViewer, pictures = 1): Promise<void> =>
  expect.poll(() => viewer.pictures.length, { timeout: 20 * SECOND, interval: 20 }).toBeGreaterThanOrEqual(pictures)

/** The code that a refused viewer ended with; checks that it got no picture. */
async function refusalOf(viewer: SocketViewer): Promise<number | undefined> {
  const code = await viewer.ended
  expect(viewer.pictures).toEqual([])
  expect(viewer.messages.map(({ type }) => type)).toEqual(['end'])
  return code
}

test('signing out ends all streams of that sign-in within seconds, live and recorded, and no other streams', async ({
  annotate,
}) => {
  const { origin } = product
  const token = await fetchToken(origin, 'owner@demo.example')
  const cameraId = camera('Car park')
  const playbackTicket = await requestTicket(origin, token, { cameraId, use: 'playback' })
  const unused = await requestTicket(origin, token, { cameraId, use: 'live' })
  const theirs = {
    live: await watchLive(origin, token, cameraId),
    'live, as existing clients open it': open({ cameraId, credential: { accessToken: token } }),
    recorded: open({ cameraId, from: Date.now() - 3 * SECOND, credential: { ticket: playbackTicket } }),
  }
  await using others = await watchLive(origin, owner, cameraId)
  for (const viewer of [...Object.values(theirs), others]) await untilSeen(viewer)

  const revokedAt = Date.now()
  expect((await callApi(origin, token, 'DELETE users/self/tokens/current')).status).toBe(204)
  for (const [what, viewer] of Object.entries(theirs)) {
    expect([what, await viewer.ended]).toEqual([what, NOT_AUTHORIZED])
    expect(viewer.messages.at(-1)).toEqual({ type: 'end', code: NOT_AUTHORIZED })
  }
  const endedAt = Date.now()
  expect(endedAt - revokedAt).toBeLessThan(5 * SECOND)
  await annotate(`all three ended after ${endedAt - revokedAt} ms`)

  const before = others.pictures.length
  await untilSeen(others, before + 10)
  expect(await refusalOf(open({ cameraId, credential: { accessToken: token } }))).toBe(NOT_AUTHORIZED)
  expect(await refusalOf(open({ cameraId, credential: { ticket: unused } }))).toBe(NOT_AUTHORIZED)
})

test('a camera that becomes private ends its live viewers, and only them; nothing more of it is shown', async ({
  annotate,
}) => {
  const { origin } = product
  const cameraId = camera('Car park')
  const setMode = async (mode: string) =>
    expect((await callApi(origin, owner, `PATCH cameras/${cameraId}/mode`, { mode })).status).toBe(200)
  const viewers = [await watchLive(origin, owner, cameraId), await watchLive(origin, owner, cameraId)]
  await using other = await watchLive(origin, owner, camera('Entrance'))
  for (const viewer of [...viewers, other]) await untilSeen(viewer)
  await setMode('private')
  const privateAt = Date.now()
  for (const viewer of viewers) await viewer.ended
  const endedAfter = Date.now() - privateAt
  await annotate(`both ended ${endedAfter} ms after the reply`)
  if (isLongRun) expect(endedAfter).toBeLessThan(SECOND)
  expect(await refusalOf(await watchLive(origin, owner, cameraId))).toBe(PRIVATE)
  await untilSeen(other, other.pictures.length + 10)
  await setMode('armed')
  await until('it is live again', async () => {
    await using again = await watchLive(origin, owner, cameraId)
    return await Promise.race([again.ended.then(() => false), untilSeen(again).then(() => true)])
  })
})

describe('a ticket', () => {
  const ticket = (use: 'live' | 'playback') =>
    requestTicket(product.origin, owner, { cameraId: camera('Car park'), use })

  test('opens one stream once', async () => {
    const wanted = { cameraId: camera('Car park'), credential: { ticket: await ticket('live') } }
    await using first = open(wanted)
    await untilSeen(first)
    expect(await refusalOf(open(wanted))).toBe(NOT_AUTHORIZED)
  })

  test('opens no other camera, and the attempt uses it up', async () => {
    const credential = { ticket: await ticket('live') }
    expect(await refusalOf(open({ cameraId: camera('Corridor'), credential }))).toBe(NOT_AUTHORIZED)
    expect(await refusalOf(open({ cameraId: camera('Car park'), credential }))).toBe(NOT_AUTHORIZED)
  })

  test('for live video opens no playback', async () => {
    const wanted = { cameraId: camera('Car park'), from: Date.now() - 3 * SECOND }
    expect(await refusalOf(open({ ...wanted, credential: { ticket: await ticket('live') } }))).toBe(NOT_AUTHORIZED)
  })

  test('for playback plays once, from its own start time, without further parameters', async () => {
    const cameraId = camera('Car park')
    const asked = { use: 'playback', from: new Date(recordedAt).toISOString() }
    const path = `POST cameras/${cameraId}/streamTickets`
    const { body } = await callApi<{ ticket: string }>(product.origin, owner, path, asked)
    await using viewer = open({ cameraId, credential: body })
    await untilSeen(viewer)
    const [init, position] = viewer.messages.filter(({ type }) => type !== 'gap')
    expect(init).toMatchObject({ type: 'init', mime: expect.stringContaining('video/mp4') })
    expect(position?.type === 'pos' && Math.abs(position.wallclock - recordedAt)).toBeLessThan(3 * SECOND)
    expect(await refusalOf(open({ cameraId, credential: body }))).toBe(NOT_AUTHORIZED)
  })

  test('for playback ends at its own end', async () => {
    const cameraId = camera('Car park')
    const [from, till] = [recordedAt, recordedAt + 2 * SECOND].map((time) => new Date(time).toISOString())
    const path = `POST cameras/${cameraId}/streamTickets`
    const { body } = await callApi<{ ticket: string }>(product.origin, owner, path, { use: 'playback', from, till })
    await using viewer = open({ cameraId, credential: body })
    expect(await viewer.ended).toBe(0)
    const shown = viewer.messages.flatMap((message) => (message.type === 'pos' ? [message.wallclock] : []))
    expect(shown.length).toBeGreaterThan(0)
    expect(Math.max(...shown)).toBeLessThan(recordedAt + 2 * SECOND)
  })

  test('that was never issued is refused', async () => {
    const credential = { ticket: Buffer.alloc(32, 7).toString('base64url') }
    expect(await refusalOf(open({ cameraId: camera('Car park'), credential }))).toBe(NOT_AUTHORIZED)
  })
})

describe('a camera out of scope is not found', () => {
  const nowhere = 4_503_599_627_370_497

  test.each([
    ['other@demo.example', 'a camera of another account', 'Car park'],
    ['guard@demo.example', 'a camera in another zone', 'Shop floor'],
  ])('%s: %s', async (email, _, name) => {
    const accessToken = await fetchToken(product.origin, email)
    const answers = []
    for (const cameraId of [camera(name), nowhere]) {
      expect(await refusalOf(open({ cameraId, credential: { accessToken } }))).toBe(GONE)
      expect(await refusalOf(open({ cameraId, from: Date.now() - SECOND, credential: { accessToken } }))).toBe(GONE)
      const path = `POST cameras/${cameraId}/streamTickets`
      const { status, body } = await callApi<object>(product.origin, accessToken, path, { use: 'live' })
      answers.push({ status, body: { ...body, requestId: '' } })
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ status: 404, body: { code: GONE } })
  })

  test('but the guard sees the entrance, which is in their zone', async () => {
    const accessToken = await fetchToken(product.origin, 'guard@demo.example')
    await using viewer = open({ cameraId: camera('Entrance'), credential: { accessToken } })
    await untilSeen(viewer)
  })
})
