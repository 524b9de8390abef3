import { hold } from '@sightline/platform/db-testing'
import { listJobs } from '@sightline/platform/jobs/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from './index.ts'

let api: TestApi
const bugs: unknown[] = []
beforeAll(async () => {
  api = await testApi({ slices: [subUsers], onBug: (error) => bugs.push(error) })
})
afterAll(() => api[Symbol.asyncDispose]())

async function inviting() {
  const { accountId } = await api.addAccount()
  const caller = await api.addSubUser(accountId, { rights: ['addUser', 'viewUserSettings'], allCameras: true })
  const person = await api.addSubUser(accountId, { rights: [] })
  return { caller, send: () => api.call(caller.token, `POST users/${person.userId}/invitation`) }
}
const written = async () => [await api.askedMails(), await listJobs(api.owner)]

test('a call whose caller loses the right before it ends sends no invitation', async () => {
  const { caller, send } = await inviting()
  await using held = await hold({ owner: api.owner.plain }, 'lock table auth.mail_requests in share mode')
  const sent = send()
  await held.waiting(1)
  await api.owner.plain.updateTable('users').set({ rights: [] }).where('user_id', '=', caller.userId).execute()
  await held.release()
  expect(await sent).toMatchObject({ status: 403 })
  expect(await written()).toEqual([[], []])
})

test('a call whose commit fails sends no email, and a successful one queues one job for one email', async () => {
  const { send } = await inviting()
  await sql`create function fail_late() returns trigger language plpgsql as 'begin raise exception ''too late''; end'`.execute(
    api.owner.plain,
  )
  await sql`create constraint trigger fail_late after insert on audit_log deferrable initially deferred
    for each row execute function fail_late()`.execute(api.owner.plain)
  expect(await send()).toMatchObject({ status: 500 })
  expect(String(bugs)).toContain('too late')
  expect(await written()).toEqual([[], []])
  await sql`drop trigger fail_late on audit_log`.execute(api.owner.plain)
  expect(await send()).toMatchObject({ status: 202 })
  expect(await api.askedMails()).toMatchObject([{ kind: 'invitation' }])
  expect(await listJobs(api.owner)).toMatchObject([{ task: 'writeMail' }])
})
