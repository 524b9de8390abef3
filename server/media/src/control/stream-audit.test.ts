import { idSource } from '@sightline/platform/db'
import { toCaller, tokenSha256 } from '@sightline/platform/sessions'
import { expect, test } from 'vitest'
import { recordWatching, snapshotAudit, watchedAudit } from './stream-audit.ts'
import type { StreamSession } from './stream-sessions.ts'
import { arrangeSessions } from './stream-sessions-stage.ts'

const TEN = Date.UTC(2026, 0, 1, 10)
const MINUTE = 60_000

/** Sessions of the owner, and the entries that they leave. */
async function audited() {
  const arranged = await arrangeSessions()
  const { db, owner, queries, accountId, cameraId } = arranged
  const sha256 = tokenSha256('owner')
  const row = (await queries.loadSessions([sha256])).get(sha256.toString('hex'))
  const caller = row && toCaller(row, sha256, Date.now())
  const session = (more: Partial<StreamSession>) => ({ caller, accountId, cameraId, ...more }) as StreamSession
  const deps = { db, ids: idSource(db) }
  const entries = async () => {
    const rows = await owner.plain.selectFrom('audit_log').select(['action', 'after', 'target_id']).execute()
    return rows.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
  }
  return { arranged, deps, session, entries, cameraId }
}

test('an entry about recordings says from which time to which; one about live video has none', async () => {
  const { arranged, deps, session, entries, cameraId } = await audited()
  await using _ = arranged
  await recordWatching(deps, session({ use: 'playback', from: TEN, till: TEN + MINUTE }), '::1')
  await recordWatching(deps, session({ use: 'playback', from: TEN }), '::1')
  await recordWatching(deps, session({ use: 'live' }), '::1')
  const [from, till] = ['2026-01-01T10:00:00.000+00:00', '2026-01-01T10:01:00.000+00:00']
  expect(await entries()).toEqual([
    { action: 'live', target_id: cameraId, after: null },
    { action: 'play', target_id: cameraId, after: { from, till } },
    { action: 'play', target_id: cameraId, after: { from } },
  ])
})

test('single pictures of an hour of footage leave one entry, and pictures of now leave none', async () => {
  const { arranged, deps, session, entries, cameraId } = await audited()
  await using _ = arranged
  const at = [undefined, TEN, TEN + MINUTE, TEN + 59 * MINUTE, TEN + 60 * MINUTE, TEN + 2 * MINUTE]
  const record = snapshotAudit(deps)
  for (const from of at) await record(session({ use: 'snapshot', from }), '::1')
  const hour = (from: string, till: string) => ({ from: `2026-01-01T${from}+00:00`, till: `2026-01-01T${till}+00:00` })
  expect(await entries()).toEqual([
    { action: 'recordedPicture', target_id: cameraId, after: hour('10:00:00.000', '11:00:00.000') },
    { action: 'recordedPicture', target_id: cameraId, after: hour('11:00:00.000', '12:00:00.000') },
  ])
})

test('of a stream without an end, an entry says what was watched when it ends', async () => {
  const { arranged, deps, session, entries, cameraId } = await audited()
  await using _ = arranged
  const log = { error: (...given: unknown[]) => expect.fail(String(given)) }
  {
    await using watched = watchedAudit({ ...deps, log }, session({ use: 'playback', from: TEN }), '::1')
    for (let n = 0; n < 60; n++) watched.add({ from: TEN + n * 1000, till: TEN + (n + 1) * 1000 })
    watched.add({ from: TEN - 60 * MINUTE, till: TEN - 59 * MINUTE })
    expect(await entries()).toEqual([])
  }
  const at = (time: string) => `2026-01-01T${time}:00.000+00:00`
  const spans = [`${at('09:00')}/${at('09:01')}`, `${at('10:00')}/${at('10:01')}`]
  expect(await entries()).toEqual([{ action: 'watched', target_id: cameraId, after: { watched: spans } }])
})

test('a stream that sent nothing leaves no second entry', async () => {
  const { arranged, deps, session, entries } = await audited()
  await using _ = arranged
  const log = { error: (...given: unknown[]) => expect.fail(String(given)) }
  await watchedAudit({ ...deps, log }, session({ use: 'playback' }), '::1')[Symbol.asyncDispose]()
  expect(await entries()).toEqual([])
})
