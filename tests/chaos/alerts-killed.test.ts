/** Processes that send camera alerts are killed at work; every user still gets exactly one alert. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { alertDeps, setStatus } from '../../server/api/src/alerts-testing.ts'
import { type TestApi, testApi } from '../../server/api/src/api-testing.ts'
import { notifyDue } from '../../server/api/src/notification-settings/alerts/index.ts'
import { isLongRun } from '../long-run.ts'

const PEOPLE = isLongRun ? 60 : 24
const KILLS = isLongRun ? 6 : 2
let database: TestDatabase
let api: TestApi
beforeAll(async () => {
  database = await testDatabase()
  api = await testApi({ open: async () => database })
})
afterAll(() => api[Symbol.asyncDispose]())

test('each user gets one email although some alert processes are killed', async () => {
  const since = Date.now()
  for (let person = 0; person < PEOPLE; person += 1) {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    await api.call(token, 'PATCH users/self/notificationSettings/cameraDown', { enabled: true })
    await setStatus(api.owner, { accountId, cameraId }, since)
  }
  const now = since + 2 * MS_PER_HOUR
  const told = async () => {
    const rows = await api.owner.plain.selectFrom('mail_outbox').select('recipient').execute()
    return rows.map(({ recipient }) => recipient)
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = (await told()).length
    const isTelling = async () => (await told()).length > before
    await Promise.all([killedOnce(isTelling, now), killedOnce(isTelling, now)])
  }
  expect((await told()).length).toBeGreaterThanOrEqual(KILLS)
  await notifyDue(alertDeps({ db: database.db('alerts'), clock: manualClock(now) }))
  const mails = await told()
  expect(mails).toHaveLength(PEOPLE)
  expect(new Set(mails).size).toBe(PEOPLE)
}, 120_000)

async function killedOnce(isTelling: () => Promise<boolean>, now: number): Promise<void> {
  const script = fileURLToPath(new URL('./alerts-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(database.connection), String(now)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  while (child.exitCode === null && !(await isTelling())) await sleep(1)
  child.kill('SIGKILL')
  await ended
}
