/** However many viewers there are and however busy the machine is, no camera loses footage. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { idSource, instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, loadTimeline, untilAllRecord } from './demo-cameras.ts'
import { openProductDatabase } from './product-database.ts'

const SECOND = 1000
const ACCOUNTS = 50
const STREAMS_EACH = 20
const WATCHED_MS = 40 * SECOND
/** A machine that takes longer proves nothing about recording. */
const OPENING_MS = 240 * SECOND

let dataFolder: string
let product: RunningProduct
let metricsPort: number
let caller: ApiCaller
let cameraIds: readonly number[]

beforeAll(async () => {
  dataFolder = await newDataFolder()
  metricsPort = await freePort()
  product = await startProduct({ dataFolder, environment: { SIGHTLINE_METRICS_PORT: String(metricsPort) } })
  caller = { origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') }
  await untilAllRecord(caller)
  cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
  await sleep(10 * SECOND)
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

interface PausedViewers extends Disposable {
  readonly open: () => number
  /** Number of ended viewers by code; -1 is a broken connection. */
  readonly ended: () => Readonly<Record<string, number>>
}

interface Watched {
  readonly cameraId: number
  readonly token: string
}

/** Opens playback and pauses as soon as it begins, `opening` viewers at a time. */
async function watchPaused(
  watched: readonly Watched[],
  from: number,
  opening = watched.length,
): Promise<PausedViewers> {
  const playing = new Set<WebSocket>()
  const sockets: WebSocket[] = []
  const ended: Record<string, number> = {}
  const settled = () => playing.size + Object.values(ended).reduce((sum, count) => sum + count, 0)
  const open = ({ cameraId, token }: Watched) => {
    const address = new URL('/stream/mse/open', product.origin.replace('http', 'ws'))
    address.searchParams.set('camera_id', String(cameraId))
    address.searchParams.set('time', new Date(from).toISOString())
    address.searchParams.set('access_token', token)
    const socket = new WebSocket(address)
    socket.binaryType = 'arraybuffer'
    let code = -1
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== 'string') return
      const message = JSON.parse(data)
      if (message.type === 'end') code = message.code
      if (message.type !== 'init') return
      playing.add(socket)
      socket.send('{"type":"pause"}')
    })
    socket.addEventListener('close', () => {
      playing.delete(socket)
      ended[code] = (ended[code] ?? 0) + 1
    })
    sockets.push(socket)
  }
  const until = Date.now() + OPENING_MS
  for (const viewer of watched) {
    while (sockets.length - settled() >= opening) {
      if (Date.now() > until) throw new Error(`${settled()} of ${watched.length} streams settled in ${OPENING_MS} ms`)
      await sleep(10)
    }
    open(viewer)
  }
  return {
    open: () => playing.size,
    ended: () => ended,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.close()
    },
  }
}

/** Adds accounts with an owner and a camera each, with a copy of a demo camera's footage. */
async function addAccounts(): Promise<readonly Watched[]> {
  await using db = openProductDatabase(dataFolder)
  const ids = idSource(db)
  const pattern = await db.plain
    .selectFrom('cameras')
    .innerJoin('accounts', 'accounts.account_id', 'cameras.account_id')
    .select(['accounts.account_id', 'accounts.reseller_id', 'cameras.camera_id'])
    .where('cameras.camera_id', '=', cameraIds[0] ?? 0)
    .executeTakeFirstOrThrow()
  const { account_id: of, camera_id: like, reseller_id } = pattern
  const footage = (account: number, camera: number) => join(dataFolder, 'footage', String(account), String(camera))
  const added: Watched[] = []
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const [account_id, zone_id, camera_id] = [await ids.next(), await ids.next(), await ids.next()]
    const email = `${account_id}@demo.example`
    const name = { email, email_folded: email, first_name: 'Ada', last_name: 'Byron' }
    await db.plain.insertInto('accounts').values({ account_id, reseller_id, name: 'load' }).execute()
    await db.plain
      .insertInto('users')
      .values({ account_id, user_id: account_id, reseller_id, ...name })
      .execute()
    await db.plain.insertInto('zones').values({ account_id, zone_id, name: 'load' }).execute()
    await db.plain
      .insertInto('cameras')
      .values({
        account_id,
        camera_id,
        zone_id,
        name: 'c',
        eth_mac_address: '',
        address: '127.0.0.1',
        rtsp_port: 9,
        main_path: '/',
      })
      .execute()
    await db.plain
      .insertInto('auth.access_sessions')
      .values({
        token_sha256: tokenSha256(email),
        token_id: await ids.next(),
        user_id: account_id,
        account_id,
        client_id: 'camera-app.v1',
        app_id: 'camera-app.v1',
        scopes: ['read', 'write'],
        expires_at: instant(Date.now() + 3_600_000),
      })
      .execute()
    await cp(footage(of, like), footage(account_id, camera_id), { recursive: true })
    added.push(...Array.from({ length: STREAMS_EACH }, () => ({ cameraId: camera_id, token: email })))
  }
  // The worker reloads its cameras every five seconds.
  await sleep(10 * SECOND)
  return added
}

/** All cameras' gaps since a moment, and the worker's metrics. */
async function outcomeSince(since: number) {
  const gaps = []
  for (const cameraId of cameraIds) {
    const timeline = await loadTimeline(caller, { cameraId, from: since, till: Date.now() })
    gaps.push(...timeline.gaps.map(({ start, end, reason }) => ({ start, end, reason })))
  }
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const shown = /^sightline_media_(late_lease|event_loop|resident|refused|viewers|lost_packets|dropped)\w*\{.*$/gm
  return { gaps, metrics: metrics.match(shown) ?? [] }
}

const busyProcesses = (): readonly ChildProcess[] =>
  Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))

test('a user who opens a thousand streams gets forty, and every camera is still recorded', async () => {
  const since = Date.now() - 5 * SECOND
  const cameraOf = (n: number) => cameraIds[n % cameraIds.length] ?? 0
  const wanted = Array.from({ length: 1000 }, (_, n) => ({ cameraId: cameraOf(n), token: caller.token }))
  using viewers = await watchPaused(wanted, since)
  await expect.poll(() => viewers.ended()['16'], { timeout: 120 * SECOND }).toBe(960)
  await expect.poll(viewers.open, { timeout: 30 * SECOND }).toBe(40)
  await sleep(WATCHED_MS)
  const outcome = await outcomeSince(since)
  console.log('one user, 1,000 attempts:', Date.now() - since, viewers.open(), outcome)
  expect([viewers.open(), outcome.gaps]).toEqual([40, []])
})

test('a thousand paused streams of fifty accounts cost no footage, even next to four busy processes', async () => {
  const wanted = await addAccounts()
  const began = Date.now()
  using viewers = await watchPaused(wanted, began - 65 * SECOND, 100)
  await expect.poll(viewers.open, { timeout: 60 * SECOND }).toBe(wanted.length)
  console.log(`1,000 of 50 accounts: open within ${Date.now() - began} ms`)
  // Open streams stay open for both rounds: opening them loads the API, but keeping them open loads recording.
  for (const machine of ['quiet', 'busy']) {
    const since = machine === 'quiet' ? began : Date.now()
    const busy = machine === 'busy' ? busyProcesses() : []
    try {
      await sleep(WATCHED_MS)
      const outcome = await outcomeSince(since)
      console.log(`1,000 of 50 accounts, ${machine}:`, viewers.open(), outcome)
      expect([viewers.open(), outcome.gaps]).toEqual([wanted.length, []])
    } finally {
      for (const child of busy) child.kill('SIGKILL')
    }
  }
})
