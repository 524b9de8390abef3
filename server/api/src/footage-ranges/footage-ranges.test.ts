import { MAX_LOCKS, type RecordingDeletion, type RecordingLock } from '@sightline/contract/footage-ranges'
import type { RecordedPictureQuestion } from '@sightline/contract/media-plane'
import type { Recording } from '@sightline/contract/recording-list'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { events } from '../events/index.ts'
import { recordingList } from '../recording-list/index.ts'
import { recordings } from '../recordings/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { footageRanges } from './index.ts'

let api: TestApi
let questions: RecordedPictureQuestion[] = []
let refusal: 'noDecoder' | 'noFootage' | 'timedOut' | undefined
const NOON = Date.UTC(2026, 0, 1, 12)
const HOUR = 3_600_000
const text = (at: number) => new Date(at).toISOString()
const inReply = (at: number) => text(at).replace('Z', '+00:00')

beforeAll(async () => {
  api = await testApi({
    slices: [recordings, recordingList, footageRanges, events],
    media: {
      async recordedPicture(question) {
        questions.push(question)
        if (refusal !== undefined) return { kind: refusal }
        return { kind: 'picture', contentType: 'image/jpeg', bytes: Buffer.from('jpeg'), takenAt: question.at }
      },
    },
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  questions = []
  refusal = undefined
  api.now = NOON + 24 * HOUR
})

async function cameraWithFootage() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  const row = { account_id: account.accountId, camera_id: cameraId, stream: 'main' as const }
  const slice = (run: string, from: number, till: number, isOpen = false) => ({
    ...row,
    run_id: run.repeat(32),
    started_at: instant(from),
    ended_at: instant(till),
    is_open: isOpen,
  })
  await api.owner.plain
    .insertInto('recording_runs')
    .values([
      slice('a', NOON, NOON + HOUR),
      slice('a', NOON + HOUR, NOON + 2 * HOUR),
      slice('a', NOON + 2 * HOUR, NOON + 2.5 * HOUR),
      slice('b', NOON + 3 * HOUR, NOON + 3.5 * HOUR, true),
      { ...slice('c', NOON, NOON + HOUR), stream: 'sub' as const },
    ])
    .execute()
  return { ...account, cameraId }
}

describe('recordings', () => {
  test('a recording is one item over all its hours, the oldest first, without the sub-stream', async () => {
    const { token, cameraId } = await cameraWithFootage()
    const span = `minTimestamp=${text(NOON + 2.2 * HOUR)}&maxTimestamp=${text(NOON + 4 * HOUR)}`
    const reply = await api.call(token, `GET cameras/${cameraId}/recordings?${span}`)
    expect(reply.status).toBe(200)
    const found = reply.body as Recording[]
    expect(found).toMatchObject([
      {
        recordingId: `${cameraId}-${'a'.repeat(32)}`,
        startTime: inReply(NOON),
        endTime: inReply(NOON + 2.5 * HOUR),
        inProgress: false,
        locked: false,
        urls: {},
      },
      { recordingId: `${cameraId}-${'b'.repeat(32)}`, inProgress: true },
    ])
    const all = await api.call(token, `GET recordings?${span}&cameraIds=${cameraId}&includeUrlTypes=rtsp,mseWss`)
    expect(all.body).toMatchObject(found.map(({ urls: _, ...one }) => one))
    expect((all.body as Recording[])[0]?.urls.mseWss).toContain(`camera_id=${cameraId}&time=2026-01-01T12`)
    const one = await api.call(token, `GET recordings/${cameraId}-${'a'.repeat(32)}`)
    const whole = `recording_from=2026-01-01T12%3A00%3A00.000%2B00%3A00&recording_till=2026-01-01T14%3A30%3A00.000%2B00%3A00`
    expect(one.body).toMatchObject({
      ...found[0],
      urls: {
        mseWss: expect.stringContaining('/stream/mse/open'),
        hlsHttp: expect.stringMatching(
          /\/stream\/hls\/getPlaylist\?camera_id=\d+&from=2026-01-01T12.+&till=2026-01-01T14/,
        ),
        mp4: expect.stringMatching(new RegExp(`/stream/mp4/open\\?camera_id=${cameraId}&${whole}$`)),
      },
    })
  })

  test('without a range, it is the last day; a longer one than a month is refused', async () => {
    const { token, cameraId } = await cameraWithFootage()
    expect((await api.call(token, `GET cameras/${cameraId}/recordings`)).body).toHaveLength(2)
    api.now = NOON + 72 * HOUR
    expect((await api.call(token, `GET cameras/${cameraId}/recordings`)).body).toEqual([])
    const long = `minTimestamp=2026-01-01T00:00:00Z&maxTimestamp=2026-02-05T00:00:00Z`
    expect((await api.call(token, `GET cameras/${cameraId}/recordings?${long}`)).status).toBe(400)
  })

  test('a recording of a camera out of reach, or of none, is not found', async () => {
    const { cameraId } = await cameraWithFootage()
    const other = await cameraWithFootage()
    const { token } = other
    for (const id of [
      `${cameraId}-${'a'.repeat(32)}`,
      `${other.cameraId}-${'c'.repeat(32)}`,
      `${other.cameraId}-${'d'.repeat(32)}`,
    ])
      expect((await api.call(token, `GET recordings/${id}`)).status).toBe(404)
    expect((await api.call(token, `GET recordings/${cameraId}`)).status).toBe(404)
    const foreign = await api.call(token, `GET recordings?cameraIds=${cameraId}`)
    expect(foreign.body).toEqual([])
  })

  test('a picture of a time has the width that was asked for', async () => {
    const { token, cameraId, accountId } = await cameraWithFootage()
    const path = `cameras/${cameraId}/recordings/snapshot?time=${text(NOON)}`
    const reply = await api.call(token, `GET ${path}&width=320`, undefined, { accept: 'image/jpeg' })
    expect(reply.status).toBe(200)
    expect(questions).toEqual([{ accountId, cameraId, at: NOON, format: 'jpeg', width: 320 }])
    expect((await api.call(token, `GET ${path}&width=5`)).status).toBe(400)
  })

  test('pictures of an hour of footage are one entry in the audit log for each user', async () => {
    const { token, cameraId, accountId } = await cameraWithFootage()
    const other = await api.addSubUser(accountId, { rights: ['playback'], allCameras: true })
    const look = async (at: number, as = token) =>
      (await api.call(as, `GET cameras/${cameraId}/recordings/snapshot?time=${text(at)}`)).status
    for (const at of [NOON, NOON + 1000, NOON + HOUR - 1, NOON + HOUR]) expect(await look(at)).toBe(200)
    expect(await look(NOON + 2000, other.token)).toBe(200)
    refusal = 'noFootage'
    expect(await look(NOON + 5 * HOUR)).toBe(404)
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'user_id', 'target_id', 'after'])
    const entries = await log.where('account_id', '=', accountId).orderBy('at').execute()
    const entry = { action: 'recordedPicture', user_id: accountId, target_id: cameraId }
    const hour = (at: number) => ({ from: inReply(at), till: inReply(at + HOUR) })
    expect(entries).toEqual([
      { ...entry, after: hour(NOON) },
      { ...entry, after: hour(NOON + HOUR) },
      { ...entry, user_id: other.userId, after: hour(NOON) },
    ])
  })

  test.each([
    ['noDecoder', 422, 17],
    ['noFootage', 404, 4],
    ['timedOut', 504, 19],
  ] as const)('a time without a picture says why: %s', async (kind, status, code) => {
    const { token, cameraId } = await cameraWithFootage()
    refusal = kind
    const reply = await api.call(token, `GET cameras/${cameraId}/recordings/snapshot?time=${text(NOON)}`)
    expect(reply).toMatchObject({ status, body: { code } })
  })

  test('the event next to a time is found in both directions, and 204 says that there is none', async () => {
    const { token, cameraId } = await cameraWithFootage()
    for (const hour of [1, 2])
      await api.call(token, `POST cameras/${cameraId}/events`, {
        type: 'custom',
        name: `Hour ${hour}`,
        timestamp: text(NOON + hour * HOUR),
      })
    const ask = (at: number, direction: string) =>
      api.call(token, `GET cameras/${cameraId}/recordings/adjacentEvent?time=${text(at)}&direction=${direction}`)
    expect((await ask(NOON + 1.5 * HOUR, 'next')).body).toMatchObject({ timestamp: inReply(NOON + 2 * HOUR) })
    expect((await ask(NOON + 1.5 * HOUR, 'previous')).body).toMatchObject({ timestamp: inReply(NOON + HOUR) })
    // The event of the time itself is neither.
    expect((await ask(NOON + 2 * HOUR, 'next')).status).toBe(204)
    expect((await ask(NOON + HOUR, 'previous')).status).toBe(204)
  })
})

describe('locks', () => {
  test('a lock shows in the timeline and at its recordings, and goes again', async () => {
    const { token, cameraId } = await cameraWithFootage()
    const path = `cameras/${cameraId}/recordings/locks`
    const body = { from: text(NOON), till: text(NOON + 2.5 * HOUR), reason: 'Break-in' }
    const added = await api.call(token, `POST ${path}`, body)
    expect(added.status).toBe(201)
    const lock = added.body as RecordingLock
    expect(lock).toMatchObject({ cameraId, reason: 'Break-in', from: inReply(NOON) })
    expect((await api.call(token, `GET ${path}`)).body).toEqual([lock])
    const [recording] = (await api.call(token, `GET cameras/${cameraId}/recordings`)).body as Recording[]
    expect(recording?.locked).toBe(true)
    expect((await api.call(token, `DELETE ${path}/${lock.lockId}`)).status).toBe(204)
    expect((await api.call(token, `DELETE ${path}/${lock.lockId}`)).status).toBe(404)
    const [unlocked] = (await api.call(token, `GET cameras/${cameraId}/recordings`)).body as Recording[]
    expect(unlocked?.locked).toBe(false)
  })

  test('two locks that touch lock a recording together, one alone does not', async () => {
    const { token, cameraId } = await cameraWithFootage()
    const lock = (from: number, till: number) =>
      api.call(token, `POST cameras/${cameraId}/recordings/locks`, { from: text(from), till: text(till) })
    const isLocked = async () =>
      ((await api.call(token, `GET cameras/${cameraId}/recordings`)).body as Recording[])[0]?.locked
    await lock(NOON - HOUR, NOON + HOUR)
    expect(await isLocked()).toBe(false)
    await lock(NOON + HOUR, NOON + 3 * HOUR)
    expect(await isLocked()).toBe(true)
  })

  test('a range that ends before it starts, or of more than a month, is refused, and so is a lock too many', async () => {
    const { token, cameraId, accountId } = await cameraWithFootage()
    const path = `cameras/${cameraId}/recordings/locks`
    for (const till of [NOON, NOON + 32 * 24 * HOUR])
      expect((await api.call(token, `POST ${path}`, { from: text(NOON), till: text(till) })).status).toBe(400)
    const at = { started_at: instant(NOON), ended_at: instant(NOON + 1), locked_at: instant(NOON) }
    const rows = Array.from({ length: MAX_LOCKS }, (_, n) => ({
      account_id: accountId,
      camera_id: cameraId,
      footage_lock_id: n + 1,
      locked_by: accountId,
      ...at,
    }))
    await api.owner.plain.insertInto('footage_locks').values(rows).execute()
    const body = { from: text(NOON), till: text(NOON + HOUR) }
    expect(await api.call(token, `POST ${path}`, body)).toMatchObject({ status: 409, body: { code: 6 } })
  })
})

describe('deleting footage', () => {
  const del = (token: string, cameraId: number, from: number, till: number) =>
    api.call(token, `DELETE cameras/${cameraId}/recordings?from=${text(from)}&till=${text(till)}`)

  test('a deletion waits for the worker and can be followed', async () => {
    const { token, cameraId } = await cameraWithFootage()
    const reply = await del(token, cameraId, NOON, NOON + HOUR)
    expect(reply.status).toBe(202)
    const deletion = reply.body as RecordingDeletion
    expect(deletion).toMatchObject({ cameraId, from: inReply(NOON), state: 'waiting', endedAt: null })
    const path = `cameras/${cameraId}/recordings/deletions/${deletion.deletionId}`
    expect((await api.call(token, `GET ${path}`)).body).toEqual(deletion)
    const other = await cameraWithFootage()
    const elsewhere = `cameras/${other.cameraId}/recordings/deletions/${deletion.deletionId}`
    expect((await api.call(other.token, `GET ${elsewhere}`)).status).toBe(404)
  })

  test('the newest 15 minutes stay, to the millisecond', async () => {
    const { token, cameraId } = await cameraWithFootage()
    api.now = NOON + 2 * HOUR
    const newest = api.now - 15 * 60_000
    expect(await del(token, cameraId, NOON, newest + 1)).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await del(token, cameraId, NOON, newest)).status).toBe(202)
  })

  test('what is being exported stays until it is done', async () => {
    const { token, cameraId, accountId } = await cameraWithFootage()
    const span = { started_at: instant(NOON), ended_at: instant(NOON + HOUR) }
    const wanted = { user_id: accountId, camera_ids: [cameraId], format: 'zip', has_password: false } as const
    await api.owner.plain
      .insertInto('exports')
      .values({
        account_id: accountId,
        export_id: cameraId,
        ...span,
        ...wanted,
        created_at: instant(NOON),
        estimated_bytes: 1,
      })
      .execute()
    expect(await del(token, cameraId, NOON, NOON + 2 * HOUR)).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await del(token, cameraId, NOON + HOUR, NOON + 2 * HOUR)).status).toBe(202)
    await api.owner.plain.updateTable('exports').set({ status: 'Failed' }).where('export_id', '=', cameraId).execute()
    expect((await del(token, cameraId, NOON, NOON + HOUR)).status).toBe(202)
  })

  test('what is locked stays, and what only touches a lock may go', async () => {
    const { token, cameraId } = await cameraWithFootage()
    const body = { from: text(NOON), till: text(NOON + HOUR) }
    await api.call(token, `POST cameras/${cameraId}/recordings/locks`, body)
    expect(await del(token, cameraId, NOON + HOUR - 1, NOON + 2 * HOUR)).toMatchObject({
      status: 409,
      body: { code: 6 },
    })
    expect((await del(token, cameraId, NOON + HOUR, NOON + 2 * HOUR)).status).toBe(202)
  })
})
