import { instant } from '@sightline/platform/db'
import { expect, test } from 'vitest'
import { elsewhere } from './serve-viewer.ts'
import { arrangeSessions } from './stream-sessions-stage.ts'

const AT = Date.parse('2026-03-01T10:30:00Z')

test('footage of another disk is elsewhere, and nobody asks where there is one disk', async () => {
  await using arranged = await arrangeSessions()
  const { db, accountId, cameraId } = arranged
  const run = { account_id: accountId, camera_id: cameraId, stream: 'main' as const, run_id: 'a'.repeat(32), bytes: 1 }
  await db.plain
    .insertInto('recording_runs')
    .values({ ...run, store: 'north', started_at: instant(AT), ended_at: instant(AT + 60_000) })
    .execute()
  const stream = { accountId, cameraId, stream: 'main' } as const
  const isOn = (disk: string, time: number, till?: number) => elsewhere({ db, disk }, stream, till)?.(time)
  expect(await isOn('disk', AT + 1000)).toBe(true)
  expect(await isOn('north', AT + 1000)).toBe(false)
  expect(await isOn('disk', AT + 1000, AT)).toBe(false)
  expect(await isOn('disk', AT + 90_000)).toBe(false)
  expect(elsewhere({ db, disk: 'disk', isOnlyDisk: true }, stream)).toBeUndefined()
})
