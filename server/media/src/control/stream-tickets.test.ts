import { expect, test } from 'vitest'
import type { Ticket } from './store.ts'
import { type OpenStreamInput, streamSessions } from './stream-sessions.ts'

/** Opens a stream with a ticket; the token that it belongs to is gone. Code 9 is of both, so the queries say what came before. */
async function isAdmitted(ticket: Pick<Ticket, 'stream'>, wanted: Pick<OpenStreamInput, 'stream'>): Promise<boolean> {
  let asked = false
  await using sessions = streamSessions({
    queries: {
      consumeTicket: async () => ({
        accountId: 1,
        cameraId: 2,
        tokenSha256: Buffer.alloc(32),
        use: 'live',
        from: null,
        till: null,
        ...ticket,
      }),
      loadSessions: async () => {
        asked = true
        return new Map()
      },
      loadPlaces: async () => new Map(),
    },
    now: Date.now,
    limits: { perPerson: undefined, perAccount: undefined },
    agreementVersion: async () => 'none',
  })
  const credential = { ticket: 't' }
  await sessions.open({ cameraId: 2, from: undefined, address: '::1', credential, ...wanted })
  return asked
}

test.each([
  ['main', 'sub', false],
  ['sub', 'main', false],
  ['sub', 'sub', true],
  ['sub', undefined, true],
  [null, 'sub', true],
  [null, undefined, true],
] as const)('a ticket for the stream %s and an address for %s: admitted %s', async (stream, wanted, admitted) => {
  expect(await isAdmitted({ stream }, { stream: wanted })).toBe(admitted)
})
