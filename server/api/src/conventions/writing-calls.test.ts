/**
 * What every call that writes leaves behind: audit entries, emails, changed rows. The fixture has the expected result.
 */
import type { PushReceiver } from '@sightline/platform/web-push/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApi } from '../api-testing.ts'
import { byOwners } from './owner-calls-testing.ts'
import {
  arrange,
  byMembers,
  byStaff,
  everyRight,
  openWritingApi,
  type WritingWorld,
  writtenRows,
} from './writing-calls-testing-store.ts'

let under: Awaited<ReturnType<typeof openWritingApi>>
let api: TestApi
let receiver: PushReceiver
beforeAll(async () => {
  under = await openWritingApi()
  ;({ api, receiver } = under)
})
afterAll(() => under.close())

const namesIn = (world: WritingWorld, caller: number) =>
  new Map<string, string>([
    [String(world.account.accountId), 'account'],
    [String(caller), 'caller'],
    [String(world.peer), 'peer'],
    [String(world.cameraId), 'camera'],
    [String(world.account.zoneId), 'zone'],
    [String(world.other.resellerId), 'other reseller'],
    [String(world.other.distributorId), 'other distributor'],
  ])

/** Entries of one transaction have no order; what differs each time sorts last. */
function inOrder<Entry extends { action: string; account_id: number; target_id: number | null }>(
  entries: readonly Entry[],
  names: ReadonlyMap<string, string>,
): readonly Entry[] {
  const nameOf = (id: number | null) => names.get(String(id)) ?? (id === null || id < 1000 ? String(id) : '~')
  const keyOf = ({ action, account_id, target_id }: Entry) => [action, nameOf(account_id), nameOf(target_id)].join()
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** Times and ids differ each time; an id keeps one name within a record. */
function normalized(record: unknown, names: Map<string, string>): unknown {
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `id ${names.size}`
    names.set(id, name)
    return name
  }
  const text = JSON.stringify(record)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\d/g, '<date>')
    .replaceAll(/"(\d{4,})"|\b(\d{4,})\b(?=[,}\]])/g, (_, quoted, bare) => `"${nameOf(quoted ?? bare)}"`)
    .replaceAll(/\b\d{4,}\b/g, nameOf)
  return JSON.parse(text)
}

/** How many rows were added and removed in each changed table; a changed row counts as both. */
function changes(before: Readonly<Record<string, readonly string[]>>, after: typeof before): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [table, rows] of Object.entries(after)) {
    const [was, is] = [new Set(before[table]), new Set(rows)]
    const [added, removed] = [is.difference(was).size, was.difference(is).size]
    if (added + removed > 0) found[table] = `+${added} -${removed}`
  }
  return found
}

const entryIds = () => api.owner.plain.selectFrom('audit_log').select('audit_log_id').execute()

async function recordOf(name: string, who: 'member' | 'owner' | 'staff'): Promise<unknown> {
  const theme = (asksForAgreement: boolean) =>
    api.owner.plain
      .updateTable('resellers')
      .set({ theme: JSON.stringify({ asksForAgreement }) })
      .where('reseller_id', '=', 255)
      .execute()
  await theme(false)
  const world = await arrange(api, receiver)
  const { account } = world
  const callers = {
    member: () => api.addSubUser(account.accountId, { rights: everyRight, allCameras: true }),
    owner: async () => ({ userId: account.accountId, token: account.token }),
    staff: () => api.addStaff({ level: 'admin' }),
  }
  const requests = { member: byMembers, owner: byOwners, staff: byStaff }
  const caller = await callers[who]()
  if (name === 'acceptAgreement') await theme(true)
  const [request, body, headers] = requests[who][name]?.(world) ?? ['']
  const asked = { calls: api.asked.length, mails: (await api.askedMails()).length }
  const before = await writtenRows(api)
  const earlier = (await entryIds()).map(({ audit_log_id }) => audit_log_id)
  const { status } = await api.call(caller.token, request, body, headers)
  const entries = await api.owner.plain
    .selectFrom('audit_log')
    .select(['account_id', 'user_id', 'actor_name', 'staff_id', 'api_key_id', 'client_id', 'address'])
    .select(['action', 'target_kind', 'target_id', 'before', 'after'])
    .where('audit_log_id', '!=', sql<number>`all (${earlier}::bigint[])`)
    .orderBy('at')
    .execute()
  const mails = [...api.asked.slice(asked.calls), ...(await api.askedMails()).slice(asked.mails)]
  const rows = changes(before, await writtenRows(api))
  const names = namesIn(world, caller.userId)
  return normalized({ status, entries: inOrder(entries, names), mails, rows }, names)
}

test('every call that writes leaves exactly the recorded audit entries, emails and rows', async () => {
  const records: Record<string, unknown> = {}
  for (const [who, requests] of [
    ['member', byMembers],
    ['owner', byOwners],
    ['staff', byStaff],
  ] as const) {
    for (const name of Object.keys(requests)) records[name] = await recordOf(name, who)
  }
  await expect(`${JSON.stringify(records, null, 2)}\n`).toMatchFileSnapshot('./writing-calls.snapshot')
}, 240_000)
