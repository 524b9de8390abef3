import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readCommand } from './options.ts'

test('without options everything is verified with the installation’s own key and file', () => {
  expect(readCommand([])).toEqual({
    ok: true,
    value: { kind: 'verify', accountId: undefined, since: undefined, checkpoints: undefined, publicKey: undefined },
  })
})

test('options name a part, another key and a copy; times need a zone, and days are in UTC', () => {
  const words = ['--account', '1001', '--since', '2026-11-21T18:00+01:00', '--key', 'key.pem', '--checkpoints', '/a/b']
  expect(readCommand(words)).toEqual({
    ok: true,
    value: {
      kind: 'verify',
      accountId: 1001,
      since: Date.UTC(2026, 10, 21, 17),
      checkpoints: '/a/b',
      publicKey: resolve('key.pem'),
    },
  })
  expect(readCommand(['--since', '2026-11-21'])).toMatchObject({ value: { since: Date.UTC(2026, 10, 21) } })
})

test('the public key can be shown', () => {
  expect(readCommand(['--public-key'])).toEqual({ ok: true, value: { kind: 'publicKey' } })
})

test.each([
  [['--account', 'x'], '--account must be a number.'],
  [['--account', '0'], '--account must be a number.'],
  [['--since', 'yesterday'], '--since must be a time such as'],
  [['--since', '2026-11-21T18:00'], '--since must be a time such as'],
  [['--since', '2026-13-40'], '--since must be a time such as'],
  [['--frobnicate'], "Unknown option '--frobnicate'"],
  [['everything'], 'Unexpected argument'],
])('%j is refused with a message', (words, sentence) => {
  expect(readCommand(words)).toEqual({ ok: false, failure: expect.stringContaining(sentence) })
})
