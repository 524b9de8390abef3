/** Heads of footage of other machines are signed by the front, which believes no machine (docs/decisions/0103). */
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { publicHalf } from '@sightline/platform/signed-line'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { headSigner } from '../../server/media/src/control/index.ts'
import { type ChainHead, chainHeads, readHead, SyncGroup, verifyHead } from '../../server/media/src/recording/index.ts'
import {
  CAMERA,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from '../../server/media/src/recording/recording-stage.ts'
import {
  answerChainQuestion,
  type ChainAnswer,
  type ChainQuestion,
  chainAnswer,
  chainQuestion,
} from '../../server/run/compose/machines/chain-messages.ts'
import { messageText, parseMessage } from '../../server/run/compose/machines/frames.ts'
import { linkedHeadDisk } from '../../server/run/compose/machines/linked-head-disk.ts'
import { footage, playTracks } from '../fixtures/footage.ts'

const MINUTE = 60_000
const key = generateKeyPairSync('ed25519').privateKey
const KEYS = [{ publicKey: publicHalf(key), createdAt: TEN_THIRTY, retiredAt: undefined }]
const overTheLink = (value: unknown): unknown => parseMessage(messageText(value))

let database: TestDatabase
/** On the machine. */
let store: string
let group: SyncGroup
beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.db('owner').plain.deleteFrom('footage_heads').execute()
  store = await temporaryFolder()
  group = new SyncGroup()
})
afterAll(async () => {
  await removeTemporaryFolders()
  await database[Symbol.asyncDispose]()
})

/** Records ten seconds on the machine, in segments of two; returns the head. */
async function record(wallClock: number): Promise<ChainHead> {
  const set = await stage({ store, group, segmentMs: 2000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock }))
  await set.stop()
  const [head] = await chainHeads(group).take()
  return head ?? expect.fail('no head')
}

type Machine = (question: ChainQuestion) => Promise<ChainAnswer | undefined>
const honest: Machine = async (question) => {
  const asked = chainQuestion.parse(overTheLink(question))
  return chainAnswer.parse(overTheLink(await answerChainQuestion(store, asked)))
}

/** The front signs a head that the machine reported; returns the problems. */
async function sign(head: ChainHead, machine: Machine = honest, at = TEN_THIRTY + MINUTE): Promise<readonly string[]> {
  const signer = headSigner({
    db: database.db('sealer'),
    store: join(store, 'not-the-machine'),
    signingKey: key,
    publicKeys: [publicHalf(key)],
    log: silentLogger,
    now: () => at,
  })
  const disk = linkedHeadDisk('north', async (question) => await machine({ ...question, id: 1 } as ChainQuestion))
  signer.sign([head], disk)
  await signer[Symbol.asyncDispose]()
  return signer.problems()
}

const folder = () => join(store, String(CAMERA.accountId), String(CAMERA.cameraId), CAMERA.stream)
const manifest = () => join(folder(), '2026-03-01/10/manifest.jsonl')
const signedHeads = async () =>
  await database.db('sealer').plain.selectFrom('footage_heads').select(['store', 'line', 'hash']).execute()

test('heads of another machine’s footage are signed by the front, and proven by the files there', async () => {
  expect(await sign(await record(TEN_THIRTY))).toEqual([])
  const next = await record(TEN_THIRTY + MINUTE)
  expect(await sign(next, honest, TEN_THIRTY + 2 * MINUTE)).toEqual([])
  const [saved, ...more] = await signedHeads()
  expect([saved?.store, saved?.hash, more]).toEqual(['north', next.hash, []])
  expect((await readFile(join(folder(), 'head'), 'utf8')).trimEnd()).toBe(saved?.line)
  expect(await verifyHead(store, CAMERA, KEYS)).toMatchObject({ unsignedLines: 0, findings: [], signed: CAMERA })
})

test('a machine that wrote its list again can’t have it signed as if nothing had happened', async () => {
  await sign(await record(TEN_THIRTY))
  const [before] = await signedHeads()
  const wanted = await record(TEN_THIRTY + MINUTE)
  const lines = (await readFile(manifest(), 'utf8')).trimEnd().split('\n')
  // It leaves out a line, and says that the rest continues what was signed.
  const forger: Machine = async (question) => {
    const answer = await honest(question)
    if (answer?.what !== 'proof' || answer.proof.kind !== 'lines') return answer
    return { what: 'proof', proof: { kind: 'lines', lines: answer.proof.lines.toSpliced(1, 1) } }
  }
  const [problem = ''] = await sign(wanted, forger, TEN_THIRTY + 2 * MINUTE)
  expect(problem).toContain('no longer has what was signed at 2026-03-01T10:31:00.000Z')
  expect(problem).toContain('on the machine north')
  // It says so itself.
  await writeFile(manifest(), `${lines.slice(2).join('\n')}\n`)
  const last = lines.at(-1) ?? ''
  const cut = { ...wanted, bytes: (await readFile(manifest())).length, hash: JSON.parse(last).hash }
  expect(await sign(cut, honest, TEN_THIRTY + 3 * MINUTE)).toHaveLength(1)
  const { findings } = await verifyHead(store, CAMERA, KEYS)
  expect(findings.filter(({ path }) => path.endsWith('.broken'))).toHaveLength(2)
  expect(readHead(before?.line ?? '')).toMatchObject(CAMERA)
})

test('a machine that invents a head, or doesn’t answer, gets no signature', async () => {
  const head = await record(TEN_THIRTY)
  await sign({ ...head, bytes: head.bytes + 7 })
  await sign(head, async () => undefined)
  const inventor: Machine = async (question) =>
    question.what === 'proof'
      ? { what: 'proof', proof: { kind: 'lines', lines: [{ hour: head.hour, bytes: head.bytes, text: '{}' }] } }
      : await honest(question)
  await sign(head, inventor)
  expect(await signedHeads()).toEqual([])
})

test('a machine writes only signed heads of the stream beside its footage', async () => {
  await record(TEN_THIRTY)
  const of = CAMERA
  expect(await honest({ what: 'keep', id: 1, of, line: 'anything' })).toMatchObject({ what: 'failed' })
})
