/** Media workers on other machines: mutual TLS, live video through the front, revocation (security.md §6.12). */
import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect } from 'node:tls'
import { instant, openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueMachinePair, newMachineAuthority } from '../../server/run/compose/machines/certificates.ts'
import { readSecrets } from '../../server/run/compose/secrets.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, until, untilAllRecord } from './demo-cameras.ts'
import { type Front, listProcesses, type Machine, machineThatGets, startFront } from './machines.ts'
import { requestTicket, watch, watchLive } from './viewer.ts'

const SECOND = 1000
/** That one person may have open. */
const STREAMS = 4

let front: Front
let caller: ApiCaller
let cameraIds: readonly number[]
let north: Machine
/** Of the machine: one that gets a camera of the front, whatever the cameras' ids are. */
let name: string
/** What was recorded there before it was killed. */
const recordedOnNorth = { cameraId: 0, at: 0 }

beforeAll(async () => {
  front = await startFront({ SIGHTLINE_STREAMS_PER_PERSON: String(STREAMS) })
  caller = { origin: front.product.origin, token: await fetchToken(front.product.origin, 'owner@demo.example') }
  cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
  await untilAllRecord(caller)
})
afterAll(async () => {
  await north?.[Symbol.asyncDispose]()
  await front[Symbol.asyncDispose]()
})

/** Which worker has each camera, by the leases. */
async function owners(): Promise<ReadonlyMap<number, string>> {
  const rows = await front.database.db.plain.selectFrom('camera_leases').select(['camera_id', 'worker_id']).execute()
  return new Map(rows.map((row) => [row.camera_id, row.worker_id]))
}

const camerasOf = async (workerId: string): Promise<readonly number[]> =>
  [...(await owners())].filter(([, owner]) => owner === workerId).map(([cameraId]) => cameraId)

test('a machine with a certificate joins, takes its share of the cameras, and viewers see them through the front', async () => {
  name = machineThatGets(cameraIds[0] ?? 0)
  north = front.startMachine(await front.addMachine(name), { environment: { SIGHTLINE_MEDIA_WORKERS: '2' } })
  await until('its workers have cameras', async () => {
    const found = await owners()
    return (
      [...found.values()].some((owner) => owner.startsWith(`${name}-`)) && [...found.keys()].length === cameraIds.length
    )
  }).catch((cause: unknown) => {
    throw new Error(`${north.output()}\n${front.product.output()}`, { cause })
  })
  await untilAllRecord(caller)
  const own = [...(await camerasOf(`${name}-1`)), ...(await camerasOf(`${name}-2`))]
  for (const cameraId of own) expect(await seesPictures(cameraId)).toBe(true)
})

/** Whether a viewer gets live pictures through the front; one who is disconnected tries again. */
const seesPictures = (cameraId: number): Promise<boolean> =>
  until(`live pictures of ${cameraId}`, async () => {
    await using viewer = await watchLive(caller.origin, caller.token, cameraId)
    const over = viewer.ended.then(() => true)
    while (viewer.pictures.length <= 3) if (await Promise.race([over, sleep(20, false)])) return undefined
    return true
  })

test('a person’s streams are counted over all workers and machines', async () => {
  const opened = await owners()
  const distinct = ['media-1', `${name}-1`, `${name}-2`].flatMap((worker) =>
    [...opened].filter(([, owner]) => owner === worker).map(([cameraId]) => cameraId),
  )
  await using viewers = new AsyncDisposableStack()
  for (let i = 0; i < STREAMS; i++) {
    const viewer = viewers.use(await watchLive(caller.origin, caller.token, distinct[i % distinct.length] ?? 0))
    await expect.poll(() => viewer.pictures.length, { timeout: 10_000 }).toBeGreaterThan(0)
  }
  for (const cameraId of new Set(distinct)) {
    await using oneMore = await watchLive(caller.origin, caller.token, cameraId)
    expect(await oneMore.ended).toBe(16)
  }
})

/** The reason why a TLS connection with these options isn't accepted. */
const refusalOf = (options: ConnectionOptions): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: front.workerPort, servername: 'front', ...options })
    // TLS 1.3: a client learns that it is refused only when it reads.
    socket.on('data', () => undefined)
    socket.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message))
    socket.on('close', () => resolve('closed'))
  })

const credentialsIn = async (folder: string): Promise<Record<'certificate' | 'key' | 'authority', string>> =>
  JSON.parse(await readFile(join(folder, 'worker.json'), 'utf8'))

test('a machine without a certificate, or with one of another authority, is refused', async () => {
  const { authority } = await credentialsIn(north.dataFolder)
  expect(await refusalOf({ ca: authority })).toBe('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
  const foreign = newMachineAuthority(Date.now())
  const pair = issueMachinePair({ key: createPrivateKey(foreign.key), certificate: foreign.cert }, name, Date.now())
  await refusalOf({ ca: authority, cert: pair.cert, key: pair.key })
  const refusals = () => front.product.output().split('refused a machine without a certificate of ours').length - 1
  await until('both are refused', async () => refusals() === 2)
})

test('a certificate of the installation that the operator never added is refused', async () => {
  const secrets = await readSecrets(front.dataFolder)
  const pair = issueMachinePair(secrets.machines.authority, 'south', Date.now())
  const { authority } = await credentialsIn(north.dataFolder)
  expect(await refusalOf({ ca: authority, cert: pair.cert, key: pair.key })).toBe('closed')
})

/** When the front's disk has footage of a camera again. */
const firstFootage = (cameraId: number, since: number): Promise<number> =>
  until(`footage of ${cameraId} on the front’s disk`, async () => {
    const { first } = await front.database.db.plain
      .selectFrom('recording_runs')
      .select(({ fn }) => fn.min('started_at').as('first'))
      .where('camera_id', '=', cameraId)
      .where('stream', '=', 'main')
      .where('store', '=', 'disk')
      .where('started_at', '>', instant(since))
      .where('run_id', '!=', '0'.repeat(32))
      .executeTakeFirstOrThrow()
    return first ?? undefined
  })

test('a machine is killed: its cameras are recorded again within 5 s, and viewers see them again', async ({
  annotate,
}) => {
  const own = [...(await camerasOf(`${name}-1`)), ...(await camerasOf(`${name}-2`))]
  recordedOnNorth.cameraId = own[0] ?? 0
  recordedOnNorth.at = await until('north has footage', async () => {
    const rows = await front.database.db.plain
      .selectFrom('recording_runs')
      .select(['started_at', 'ended_at'])
      .where('camera_id', '=', recordedOnNorth.cameraId)
      .where('stream', '=', 'main')
      .where('store', '=', name)
      .execute()
    const long = rows.find((row) => row.ended_at - row.started_at > 8000)
    return long && long.started_at + 2000
  })
  const pids = await listProcesses(north)
  const killedAt = Date.now()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await north.ended
  await until('others have its cameras', async () => {
    const found = await owners()
    return own.every((cameraId) => found.get(cameraId) === 'media-1')
  })
  await untilAllRecord(caller)
  const recordedAt = Date.now()
  for (const cameraId of own) expect(await seesPictures(cameraId)).toBe(true)
  const begun = await Promise.all(own.map((cameraId) => firstFootage(cameraId, killedAt)))
  for (const at of begun) expect(at - killedAt).toBeLessThan(5 * SECOND)
  await annotate(
    `footage begins ${begun.map((at) => at - killedAt).join(' ')} ms after the kill; ` +
      `status after ${recordedAt - killedAt} ms, seen again after ${Date.now() - killedAt} ms`,
  )
  expect((await front.workers('list')).startsWith(`${name}  added on`)).toBe(true)
})

/** Plays from a time on; resolves with the time of the first picture, or with the negative code of the end. */
const playsPictures = async (cameraId: number, from: number): Promise<number> => {
  const ticket = await requestTicket(caller.origin, caller.token, { cameraId, use: 'playback' })
  await using viewer = watch({ origin: caller.origin, cameraId, from, credential: { ticket } })
  const over = viewer.ended.then((code) => -(code ?? 1))
  for (;;) {
    const position = viewer.messages.find((message) => message.type === 'pos')?.wallclock
    if (position !== undefined && viewer.pictures.length > 3) return position
    const code = await Promise.race([over, sleep(20, undefined)])
    if (code !== undefined) return code
  }
}

test('footage of a machine that is away says so, and is played again when the machine is back', async () => {
  const from = recordedOnNorth.at
  // 19: footage that is elsewhere doesn't come.
  expect(await playsPictures(recordedOnNorth.cameraId, from)).toBe(-19)
  north = front.startMachine(north.dataFolder, { environment: { SIGHTLINE_MEDIA_WORKERS: '2' } })
  const shown = await until('it is played', async () => {
    const position = await playsPictures(recordedOnNorth.cameraId, from)
    return position > 0 && position
  })
  expect(Math.abs(shown - from)).toBeLessThan(3000)
})

test('footage of the front’s disk is played while another machine records the camera', async () => {
  const cameraId = await until(
    'north records a camera',
    async () => (await camerasOf(`${name}-1`)).concat(await camerasOf(`${name}-2`))[0],
  )
  const rows = await front.database.db.plain
    .selectFrom('recording_runs')
    .select('started_at')
    .where('camera_id', '=', cameraId)
    .where('stream', '=', 'main')
    .where('store', '=', 'disk')
    .where('run_id', '!=', '0'.repeat(32))
    .execute()
  const from = Math.min(...rows.map((row) => row.started_at)) + 1000
  const shown = await playsPictures(cameraId, from)
  expect(Math.abs(shown - from)).toBeLessThan(3000)
})

test('a certificate that is revoked ends the link and the machine’s access to the database, and is refused from then on', async ({
  annotate,
}) => {
  await until(
    'it has cameras',
    async () => (await camerasOf(`${name}-1`)).length + (await camerasOf(`${name}-2`)).length > 0,
  )
  const revokedAt = Date.now()
  await front.workers('revoke', name)
  await until('the link ends', async () => front.product.output().includes('its certificate was revoked'))
  const endedAt = Date.now()
  await until('it is refused', async () => /refused a machine .*revoked/.test(front.product.output()))
  await until('the front has the cameras', async () => (await camerasOf('media-1')).length === cameraIds.length)
  await untilAllRecord(caller)
  await annotate(`link ended ${endedAt - revokedAt} ms after the command began`)
  const { database } = JSON.parse(await readFile(join(north.dataFolder, 'worker.json'), 'utf8'))
  const connection = {
    kind: 'url',
    url: front.database.url,
    passwords: { media: database.password },
    users: { media: database.user },
  } as const
  await using db = openDatabase({
    connection,
    role: 'media',
    maxConnections: 1,
    applicationName: 'chaos',
    log: silentLogger,
  })
  await expect(db.plain.selectFrom('cameras').select('camera_id').execute()).rejects.toThrow(/not permitted to log in/)
})
