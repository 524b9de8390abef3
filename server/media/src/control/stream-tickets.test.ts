import type { SessionRow } from '@sightline/platform/sessions'
import { expect, test } from 'vitest'
import type { Ticket } from './store.ts'
import { type OpenStreamInput, streamSessions } from './stream-sessions.ts'

const base: Ticket = {
  accountId: 1,
  cameraId: 2,
  tokenSha256: Buffer.alloc(32),
  use: 'live',
  stream: null,
  from: null,
  till: null,
  proof: null,
}

/**
 * Opens streams with one ticket, which the database gives once. The token that it belongs to is gone: code 9 is of both, so the
 * queries say whether the ticket was taken.
 */
function ticketDesk(ticket: Partial<Ticket>, now = Date.now) {
  let left: Ticket | undefined = { ...base, ...ticket }
  let asked = 0
  const sessions = streamSessions({
    queries: {
      consumeTicket: async () => {
        const given = left
        left = undefined
        return given
      },
      loadSessions: async () => {
        asked++
        return new Map<string, SessionRow>()
      },
      loadPlaces: async () => new Map(),
    },
    now,
    limits: { perPerson: undefined, perAccount: undefined },
    agreementVersion: async () => 'none',
  })
  return {
    async isAdmitted(wanted: Partial<OpenStreamInput>): Promise<boolean> {
      const before = asked
      await sessions.open({ cameraId: 2, from: undefined, address: '::1', credential: { ticket: 't' }, ...wanted })
      return asked > before
    },
    [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose](),
  }
}

test.each([
  ['main', 'sub', false],
  ['sub', 'main', false],
  ['sub', 'sub', true],
  ['sub', undefined, true],
  [null, 'sub', true],
  [null, undefined, true],
] as const)('a ticket for the stream %s and an address for %s: admitted %s', async (stream, wanted, admitted) => {
  await using desk = ticketDesk({ stream })
  expect(await desk.isAdmitted({ stream: wanted })).toBe(admitted)
})

const file = { file: { till: undefined } }

test('a ticket for a file opens it again for half an hour, for its camera only', async () => {
  let now = Date.now()
  await using desk = ticketDesk({ use: 'mp4', from: 1000, till: 9000 }, () => now)
  expect(await desk.isAdmitted(file)).toBe(true)
  now += 29 * 60_000
  expect(await desk.isAdmitted(file)).toBe(true)
  expect(await desk.isAdmitted({ ...file, cameraId: 3 })).toBe(false)
  expect(await desk.isAdmitted({})).toBe(false)
  now += 2 * 60_000
  expect(await desk.isAdmitted(file)).toBe(false)
})

test.each(['live', 'playback', 'snapshot'] as const)('a ticket for %s opens no file', async (use) => {
  await using desk = ticketDesk({ use })
  expect(await desk.isAdmitted(file)).toBe(false)
})

test.each(['live', 'playback', 'mp4', 'snapshot'] as const)(
  'a ticket for %s opens a snapshot only if it is for one',
  async (use) => {
    await using desk = ticketDesk({ use })
    expect(await desk.isAdmitted({ snapshot: true })).toBe(use === 'snapshot')
  },
)

test('a ticket for a snapshot opens one, and nothing else', async () => {
  for (const wanted of [{}, { from: 1000 }, file]) {
    await using desk = ticketDesk({ use: 'snapshot', from: 1000 })
    expect(await desk.isAdmitted(wanted)).toBe(false)
  }
  await using desk = ticketDesk({ use: 'snapshot' })
  expect(await desk.isAdmitted({ snapshot: true })).toBe(true)
  expect(await desk.isAdmitted({ snapshot: true })).toBe(false)
})

test('a ticket for a file opens nothing to watch', async () => {
  await using desk = ticketDesk({ use: 'mp4' })
  expect(await desk.isAdmitted({})).toBe(false)
})
