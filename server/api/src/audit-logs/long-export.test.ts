import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApi } from '../slice-testing.ts'
import { auditLogs } from './index.ts'

test('a file of 100,000 entries says that there are more', async () => {
  await using api = await testApi({ slices: [auditLogs] })
  const { accountId, token } = await api.addAccount()
  await sql`insert into audit_log (account_id, audit_log_id, at, user_id, actor_name, action)
    select ${accountId}, n, now() - n * interval '1 s', ${accountId}, 'Ada', 'live' from generate_series(1, 100001) n`.execute(
    api.owner.plain,
  )
  const answer = await api.call(token, 'GET auditLogs/export')
  const lines = answer.body.toString().trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + 100_000 + 1)
  expect(lines.at(-1)).toContain('Only the newest 100000 entries')
  expect(answer.headers.get('x-truncated')).toBe('true')
  expect((await api.call(token, 'GET auditLogs?count=true&limit=1')).headers.get('x-total-count')).toBe('10000')
  const file = (await api.call(token, 'GET auditLogs/export?format=json')).body
  expect([file.isCut, file.lines.length]).toEqual([true, 100_000])
}, 60_000)
