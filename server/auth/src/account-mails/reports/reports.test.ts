import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { reportEmail } from './email.ts'

let under: AuthUnderTest
beforeAll(async () => {
  under = await openAuthUnderTest()
})
afterAll(() => under[Symbol.asyncDispose]())

test('two requests send one email, with a link to the report but not the report', async () => {
  const host = new URL(under.origin).host
  const of = { userId: 1000, accountId: 1000, resellerId: 255, email: 'ada@demo.example', language: 'de', host }
  const report = { reportId: 4711, type: 'storageUsage', from: '2026-07-06', till: '2026-07-12' }
  await under.auth.plane.notifyReport({ ...of, ...report })
  await under.auth.plane.notifyReport({ ...of, ...report })
  const mails = await under.sentMails()
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['ada@demo.example', 'Ihr Bericht für 06.07.2026 – 12.07.2026 ist fertig'],
  ])
  expect(mails[0]?.text).toContain(`${under.origin}/app/reports/4711`)
  expect(mails[0]?.text).toContain('Speicher, 06.07.2026 – 12.07.2026')
})

test.each(['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'])('in %s has no empty placeholders', (language) => {
  const day = '2026-07-09'
  const given = { type: 'cameraUptime', from: day, till: day, company: 'Watchful', address: 'https://a.example/' }
  const template = reportEmail({ ...given, language })
  expect(template.language).toBe(language)
  expect(JSON.stringify(template)).not.toMatch(/[{}]\w|cameraUptime/)
})
