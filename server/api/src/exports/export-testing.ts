/** What tests of making exports share: accounts with cameras and footage, and media workers that send a clip of random bytes. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FootageExport } from '@sightline/contract/exports'
import type { ExportedClipAnswer } from '@sightline/contract/media-plane'
import type { Right } from '@sightline/contract/rights'
import { systemClock } from '@sightline/platform/clock'
import type { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { type TestApi, testApi } from '../slice-testing.ts'
import { artefactFiles } from './artefact-file.ts'
import { footageExports } from './index.ts'
import { type ExportTaskDeps, exportTasks } from './make-export.ts'
import { keyContext } from './sealing-contexts.ts'

/** The API and a folder for files; each test has its own folder. */
export const stage = {} as { database: TestDatabase; api: TestApi; folder: string; instant: typeof instant }

/** What only a test file may import: the hooks of the test runner, and how a time is stored. */
interface TestTools {
  readonly beforeAll: (open: () => Promise<void>) => void
  readonly afterAll: (close: () => PromiseLike<void>) => void
  readonly beforeEach: (open: () => Promise<() => Promise<void>>) => void
  readonly instant: typeof instant
}

export const HOUR = 3_600_000
export const from = Date.now() - 24 * HOUR
export const encryption = envelopeEncryption(randomBytes(32))
export const CLIP = randomBytes(300_000)

/** Opens the stage for the tests of a file. */
export function openStage({ beforeAll, afterAll, beforeEach, instant }: TestTools): void {
  stage.instant = instant
  beforeAll(async () => {
    stage.database = await testDatabase()
    stage.api = await testApi({ open: async () => stage.database, slices: [footageExports] })
  })
  afterAll(() => stage.api[Symbol.asyncDispose]())
  beforeEach(async () => {
    stage.folder = await mkdtemp(join(tmpdir(), 'sightline-exports-'))
    return () => rm(stage.folder, { recursive: true })
  })
}

export const chunked = async function* () {
  for (let at = 0; at < CLIP.length; at += 50_000) yield CLIP.subarray(at, at + 50_000)
}
export const whole = async (): Promise<ExportedClipAnswer> => ({
  kind: 'clip',
  bytes: CLIP.length,
  sound: 'encoded',
  gaps: [{ from: from + 60_000, till: from + 120_000 }],
  allGaps: 3,
  isDerived: false,
  chunks: chunked(),
})
/** Sends a beginning, and then nothing until the export ends. */
export const stuck = async (_address: string, signal: AbortSignal): Promise<ExportedClipAnswer> => ({
  kind: 'clip',
  bytes: CLIP.length,
  sound: 'kept',
  gaps: [],
  allGaps: 0,
  isDerived: false,
  chunks: (async function* () {
    yield CLIP.subarray(0, 70_000)
    await sleep(60_000, undefined, { signal })
  })(),
})

export const taskDeps = (given: Partial<ExportTaskDeps> = {}): ExportTaskDeps => ({
  db: stage.database.db('app'),
  media: { exportedClip: whole, clipEnd: async ({ till }) => till },
  encryption,
  artefacts: artefactFiles(stage.folder),
  freeBytes: async () => 1e12,
  signer: 'ab'.repeat(32),
  checkPage: async () => '<title>check</title>',
  clock: systemClock,
  log: silentLogger,
  ...given,
})

export interface AskedExport {
  readonly accountId: number
  readonly userId: number
  readonly token: string
  readonly cameraIds: readonly number[]
  readonly exportId: number
}

export async function asked(body: object, rights?: readonly Right[]): Promise<AskedExport> {
  const account = await stage.api.addAccount()
  const { accountId, zoneId } = account
  const cameraIds = [
    await stage.api.addCamera(accountId, zoneId, 'Front/door'),
    await stage.api.addCamera(accountId, zoneId, 'Yard'),
  ]
  const run = { account_id: accountId, stream: 'main' as const, run_id: 'a'.repeat(32), bytes: CLIP.length }
  const span = { started_at: stage.instant(from), ended_at: stage.instant(from + HOUR) }
  await stage.api.owner.plain
    .insertInto('recording_runs')
    .values(cameraIds.map((camera_id) => ({ ...run, ...span, camera_id })))
    .execute()
  const caller =
    rights === undefined
      ? { userId: accountId, token: account.token }
      : await stage.api.addSubUser(accountId, { rights: [...rights], allCameras: true })
  const times = { from: new Date(from).toISOString(), till: new Date(from + HOUR).toISOString() }
  const reply = await stage.api.call(caller.token, 'POST exports', { cameraIds: [cameraIds[0]], ...times, ...body })
  if (reply.status !== 202) throw new Error(`POST exports answered ${reply.status}`)
  return { accountId, cameraIds, ...caller, exportId: reply.body.exportId }
}

export const readState = async ({ token, exportId }: AskedExport): Promise<FootageExport> =>
  (await stage.api.call(token, `GET exports/${exportId}`)).body

export function make(of: AskedExport, deps: ExportTaskDeps, signal: AbortSignal = new AbortController().signal) {
  const task = exportTasks(deps).makeExport
  if (task === undefined) throw new Error('no task')
  const { accountId, userId, exportId } = of
  return task.run({ accountId, userId, exportId }, { jobId: '1', attempt: 1, signal })
}

/** The content of the artefact, as its download sends it. */
export async function readContent({ accountId, exportId }: AskedExport): Promise<Buffer> {
  const row = await stage.api.owner.plain
    .selectFrom('exports')
    .selectAll()
    .where('export_id', '=', exportId)
    .executeTakeFirstOrThrow()
  const sealed = row.key_sealed
  if (sealed === null) throw new Error('no key')
  const key = Buffer.from(encryption.open(keyContext({ accountId, exportId }), sealed), 'base64')
  const bytes = row.size_bytes ?? 0
  await using file = await artefactFiles(stage.folder).open({ exportId, attempt: row.attempt }, { key, bytes })
  const chunks: Buffer[] = []
  for await (const chunk of file.read({ from: 0, till: bytes })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
