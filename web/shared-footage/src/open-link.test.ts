import { expect, test, vi } from 'vitest'
import { openLink } from './open-link.ts'

const HASH = `#${'a'.repeat(22)}`

const answering = (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(body, { status, headers }))

test.each([
  ['a wrong password', 403, { kind: 'wrongPassword' }],
  ['a link that isn’t known, has expired or was ended', 404, { kind: 'gone' }],
  ['a server that is being updated', 503, { kind: 'away' }],
])('%s is told apart', async (_, status, expected) => {
  using _fetch = answering(status)
  expect(await openLink(HASH)).toEqual(expected)
})

test('after too many tries it says how long to wait', async () => {
  using _fetch = answering(429, {}, { 'retry-after': '90' })
  expect(await openLink(HASH, 'guess')).toEqual({ kind: 'wait', waitMs: 90_000 })
})

test('an address without a whole secret is never sent', async () => {
  using asked = answering(200)
  for (const hash of ['', '#', '#short', `${HASH}a`, '#<script>'])
    expect(await openLink(hash)).toEqual({ kind: 'gone' })
  expect(asked).not.toHaveBeenCalled()
})

test('without a network, or with a reply that isn’t the server’s, nothing is claimed of the link', async () => {
  using _fetch = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response('<html>sign in to the hotel'))
  expect(await openLink(HASH)).toEqual({ kind: 'away' })
})
