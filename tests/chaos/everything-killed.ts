/**
 * The whole product is killed repeatedly on one data folder, each time at another moment, while users change their
 * details and watch (R1, and R2's acknowledged writes as far as processes are concerned). The test first collects its
 * observations after each kill, then checks them promise by promise.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@sightline/platform/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStreams, streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type Changes, currentValue, keepChanging } from './acknowledged-changes.ts'
import { listCameras, until, untilAllRecord } from './demo-cameras.ts'
import { segmentsOfAllStreams, strayFiles } from './footage-on-disk.ts'
import { compareRuns, type FootageFound, judgeCamera, PICTURE_MS, type RunsFound } from './killed-footage.ts'
import { auditedValues, openProductDatabase } from './product-database.ts'
import { type SocketViewer, watchLive } from './viewer.ts'

const RECORD_MS = { least: 3000, most: 5000 }
const PICTURES_PER_SECOND = 25
/** What a look at the footage needs at least. */
const FEW_PICTURES = 25

/** How everything ends, each time. */
export interface EndOfEverything extends AsyncDisposable {
  /** An empty folder at the beginning. */
  readonly dataFolder: string
  /** What may be lost of the footage that had arrived (R1, R2). */
  readonly promisedSeconds: number
  /** Whether the product has no time to notice: it refuses nothing, and its locks remain. */
  readonly isImmediate: boolean
  /**
   * Ends the product; returns the time, milliseconds since 1970. If viewers can see more afterwards, `mark` is called at
   * that time.
   */
  end(product: RunningProduct, mark: () => void): Promise<number>
  /** Before the next start. */
  repair(): Promise<void>
}

/** Every process gets SIGKILL. */
async function everyProcessKilled(): Promise<EndOfEverything> {
  const folder = await newDataFolder()
  return {
    dataFolder: folder,
    promisedSeconds: 1,
    isImmediate: true,
    end: (product) => product.killAll(),
    repair: async () => undefined,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** One run of the product, from start to kill. */
interface Life {
  readonly number: number
  readonly startMs: number
  readonly changesSince: number
  readonly changes: readonly Changes[]
  /** What a viewer of each camera saw until the end. */
  readonly pictures: ReadonlyMap<number, readonly string[]>
  readonly killedAt: number
  /** Files left in the data folder that only a running product should have. */
  readonly leftBehind: readonly string[]
}

interface ChangesFound {
  readonly field: string
  readonly acknowledged: number
  readonly refusals: readonly string[]
  /** The requested values 1, 2, 3 …, as many as the audit log has. */
  readonly asked: readonly string[]
  readonly audited: readonly string[]
  readonly before: string | null
  readonly after: string | null
}

const lives: Life[] = []
const changesFound: ChangesFound[] = []
const footageFound: FootageFound[] = []
const runsFound: RunsFound[] = []
let ending: EndOfEverything
let dataFolder: string
let port: number
let product: RunningProduct
let db: Db
let token: string

/** Mulberry32: the same moments in every run. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function start(): Promise<number> {
  const began = performance.now()
  product = await startProduct({ dataFolder, port, readyWithinMs: 180_000 })
  return Math.round(performance.now() - began)
}

const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')
/** Even lives use one half of the zones, odd lives the other, so that no life starts with the current zone. */
const zoneOf = (life: number, n: number): string => zones[2 * (n % (zones.length >> 1)) + (life % 2)] ?? ''

const changeEverything = (life: number): readonly Changes[] => {
  const common = { origin: product.origin, token }
  const details = { ...common, path: 'users/self/details' }
  return [
    keepChanging({ ...details, field: 'companyName', value: (n) => `Life ${life} company ${n}` }),
    keepChanging({ ...details, field: 'city', value: (n) => `Life ${life} city ${n}` }),
    keepChanging({
      ...common,
      path: 'accounts/self/timeZone',
      field: 'timeZone',
      value: (n) => zoneOf(life, n),
    }),
  ]
}

/** Runs until the kill; meanwhile `lookBack` examines the previous life. */
async function live(
  number: number,
  given: { startMs: number; recordMs: number; lookBack: () => Promise<void> },
): Promise<Life> {
  const caller = { origin: product.origin, token }
  const changesSince = Date.now()
  const changes = changeEverything(number)
  await untilAllRecord(caller)
  const recordedLongEnough = sleep(given.recordMs)
  const cameras = await listCameras(caller)
  const viewers = new Map<number, SocketViewer>()
  for (const { cameraId } of cameras) viewers.set(cameraId, await watchLive(caller.origin, token, cameraId))
  await given.lookBack()
  await recordedLongEnough
  const seen = new Map<number, number>()
  const mark = () => {
    for (const [cameraId, { pictures }] of viewers) seen.set(cameraId, pictures.length)
  }
  const killedAt = await ending.end(product, mark)
  for (const each of changes) await each.over
  for (const viewer of viewers.values()) await viewer.ended
  const leftBehind = ['lock', 'postgres/cluster/postmaster.pid'].filter((file) => existsSync(join(dataFolder, file)))
  const pictures = new Map([...viewers].map(([id, { pictures: all }]) => [id, all.slice(0, seen.get(id))]))
  return { number, startMs: given.startMs, changesSince, changes, pictures, killedAt, leftBehind }
}

/** The process id in a lock file may belong to another process by the next start. */
function giveAwayProcessNumber(): void {
  const file = join(dataFolder, 'postgres/cluster/postmaster.pid')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)))
}

const actionOf = { companyName: 'patchUserDetails', city: 'patchUserDetails', timeZone: 'patchTimeZone' } as const

async function findChanges({ changes, changesSince }: Life, before: ReadonlyMap<string, string | null>): Promise<void> {
  for (const { field: changed, acknowledged, refusals } of changes) {
    const { field, value } = changed
    const action = actionOf[field as keyof typeof actionOf]
    const audited = await auditedValues(db, { action, field, since: changesSince })
    changesFound.push({
      field,
      acknowledged: acknowledged(),
      refusals,
      asked: audited.map((_, index) => value(index + 1)),
      audited,
      before: before.get(field) ?? null,
      after: await currentValue(changed, product.origin),
    })
  }
}

const valuesNow = async (): Promise<ReadonlyMap<string, string | null>> =>
  new Map(changesFound.slice(-3).map(({ field, after }) => [field, after]))

async function findFootage(life: Life, known: Set<string>): Promise<void> {
  const segments = await segmentsOfAllStreams(join(dataFolder, 'footage'), life.killedAt)
  // Viewers watch main streams.
  const fresh = segments.filter(({ path, stream }) => stream === 'main' && !known.has(path))
  for (const { path } of fresh) known.add(path)
  const caller = { origin: product.origin, token }
  for (const [cameraId, watched] of life.pictures) {
    const own = fresh.filter((segment) => segment.cameraId === cameraId)
    footageFound.push(await judgeCamera({ kill: life.number, cameraId, own, watched, killedAt: life.killedAt, caller }))
  }
  runsFound.push(await compareRuns(db, segments, life.killedAt))
}

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

interface Kills {
  readonly kills: number
  /** Of the moments. */
  readonly seed: number
  readonly end?: () => Promise<EndOfEverything>
}

/** Declares the tests for a number of kills at moments chosen by the seed. */
export function describeKills({ kills, seed, end = everyProcessKilled }: Kills): void {
  describe.skipIf(!hasFfmpeg)(`everything ends ${kills} times`, () => testKills({ kills, seed, end }))

  test.runIf(!hasFfmpeg)('nothing was killed: ffmpeg is not installed to check the footage', ({ skip }) => {
    skip('install ffmpeg')
  })
}

/** Starts the product on a new folder, kills it `kills` times, and collects observations after each kill. */
async function liveAndDie({ kills, seed, end }: Required<Kills>): Promise<void> {
  const roll = dice(seed)
  const known = new Set<string>()
  ending = await end()
  dataFolder = ending.dataFolder
  port = await freePort()
  let startMs = await start()
  db = openProductDatabase(dataFolder)
  token = await fetchToken(product.origin, 'owner@demo.example')
  for (let number = 1; number <= kills; number += 1) {
    const before = lives.at(-1)
    const recordMs = RECORD_MS.least + roll() * (RECORD_MS.most - RECORD_MS.least)
    const lookBack = async () => (before === undefined ? undefined : findFootage(before, known))
    const life = await live(number, { startMs, recordMs, lookBack })
    lives.push(life)
    await ending.repair()
    if (ending.isImmediate && number % 5 === 0) giveAwayProcessNumber()
    startMs = await start()
    await findChanges(life, await valuesNow())
  }
  await untilAllRecord({ origin: product.origin, token })
  await findFootage(lives.at(-1) as Life, known)
}

function testKills({ kills, seed, end }: Required<Kills>): void {
  beforeAll(() => liveAndDie({ kills, seed, end }), 1_800_000)

  afterAll(async () => {
    await db[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await ending[Symbol.asyncDispose]()
  })

  test('it restarts automatically each time despite stale lock files', async ({ annotate }) => {
    expect(lives).toHaveLength(kills)
    const locks = ['lock', 'postgres/cluster/postmaster.pid']
    if (ending.isImmediate) for (const { leftBehind } of lives) expect(leftBehind).toEqual(locks)
    await annotate(
      `start, ms: first ${lives[0]?.startMs}, later ${spread(lives.slice(1).map(({ startMs }) => startMs))}`,
    )
  })

  test('no acknowledged change is lost, and each has exactly one audit entry', async ({ annotate }) => {
    expect(changesFound).toHaveLength(3 * kills)
    for (const { acknowledged, refusals, asked, audited, before, after } of changesFound) {
      const isExpected = (refusal: string) => !ending.isImmediate && /^5\d\d /.test(refusal)
      expect(refusals.filter((refusal) => !isExpected(refusal))).toEqual([])
      expect(acknowledged).toBeGreaterThan(0)
      // The change in progress at the kill may be done or not.
      expect([acknowledged, acknowledged + 1]).toContain(audited.length)
      expect(audited.toSorted()).toEqual(asked.toSorted())
      expect(after).toBe(asked.at(-1) ?? before)
    }
    await annotate(`acknowledged: ${changesFound.reduce((sum, { acknowledged }) => sum + acknowledged, 0)}`)
  })

  test('no more than promised of received footage is lost, and nothing before it', async ({ annotate }) => {
    expect(footageFound).toHaveLength(4 * kills)
    const promised = ending.promisedSeconds * PICTURES_PER_SECOND
    const isWrong = ({ seen, lostAtEnd, lostBefore }: FootageFound) =>
      seen < FEW_PICTURES || lostAtEnd > promised || lostBefore.length > 0
    expect(footageFound.filter(isWrong)).toEqual([])
    await annotate(`lost of what was seen live, ms: ${spread(footageFound.map((each) => each.lostAtEnd * PICTURE_MS))}`)
    await annotate(`from the last recorded picture to the kill, ms: ${spread(footageFound.map((each) => each.lostMs))}`)
  })

  test('every recording decodes without errors, each picture later than the previous one', async ({ annotate }) => {
    const isWrong = ({ complaints, pictures, wrongNumbers }: FootageFound) =>
      complaints !== '' || pictures < FEW_PICTURES || wrongNumbers > 0
    expect(footageFound.filter(isWrong)).toEqual([])
    await annotate(`pictures decoded: ${footageFound.reduce((sum, { pictures }) => sum + pictures, 0)}`)
  })

  test('every segment belongs to a run, and every run has its segments', async () => {
    for (const { inFiles, inDatabase } of runsFound) expect(inDatabase).toEqual(inFiles)
    expect(runsFound.at(-1)?.inFiles.length).toBeGreaterThanOrEqual(4 * kills)
  })

  test('the store has no stray files, and the hash chains are intact', async () => {
    const store = join(dataFolder, 'footage')
    expect(await strayFiles(store)).toEqual([])
    for (const key of await listStreams(store)) {
      expect((await verifyManifest(streamFolder(store, key), key)).broken).toEqual([])
    }
  })

  test('the timeline shows each kill as a gap, with the restart as its reason', async ({ annotate }) => {
    const isWrong = ({ gaps }: FootageFound) => gaps.length !== 1 || gaps[0]?.reason !== 'restart'
    expect(footageFound.filter(isWrong)).toEqual([])
    await annotate(`recording again, ms after the kill: ${spread(footageFound.map(({ gaps }) => gaps[0]?.till ?? 0))}`)
  })

  test('a sign-in survives the kills', async () => {
    expect(await until('an answer', () => listCameras({ origin: product.origin, token }))).toHaveLength(4)
  })
}

/** Of numbers, as text. */
export function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN)
  return `min ${at(0)}, median ${at(0.5)}, 95 % ${at(0.95)}, max ${at(1)}`
}
