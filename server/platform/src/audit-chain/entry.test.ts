import { expect, test } from 'vitest'
import { chainStart, type EntryTexts, entrySha256, linkHash, toCommitments } from './entry.ts'

/** The example of docs/design/audit-log.md. */
const line: EntryTexts = {
  account_id: '1001',
  audit_log_id: '4294967299',
  at: '1795255331.123000',
  user_id: '1002',
  staff_id: null,
  api_key_id: null,
  client_id: 'camera-app',
  action: 'patchCamera',
  target_kind: 'camera',
  target_id: '7',
  actor_name: 'Ada Lovelace',
  before: '{"name": "Door"}',
  after: '{"name": "Gate"}',
  address: null,
  salt: Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
}

test('the example in the documentation has these hashes for all entries of this version', () => {
  const commitments = toCommitments(line)
  const hex = [0, 1, 2, 3].map((n) => commitments.subarray(32 * n, 32 * (n + 1)).toString('hex'))
  expect(hex).toEqual([
    '4bbcc97b75ea68b86440e08b8fd68bdef70cd8cb2f59298cb933bdc18d34e6e5',
    '3b137af28e27af7dfc3d45d8e62f57a4efd35624e9873b4433d34dd1c1edf37b',
    'b1f71593ffe798c8d70050bc57a40cda3eff6899364f54b4727a924970f9775b',
    'e7f95f224eaf44118b552c7b0646f91ba6f223ba807368c346a84d690eb246eb',
  ])
  const ofLine = entrySha256(line, commitments)
  expect(ofLine.toString('hex')).toBe('9930db817fb7e70f47d7cd76b845fc9a66a86ca8a9d7fd88975b19e99a874b58')
  const start = chainStart('1001')
  expect(start.toString('hex')).toBe('51e0df02294e9bbfcad2c22290d4ae1730b7cfe5ceccc273c956a28e2e285703')
  expect(linkHash(start, 1, ofLine).toString('hex')).toBe(
    '5d09e1b4d53768296e713fe3b5f02f75a7d0d81650bc730392da3e69dc45c993',
  )
})

test('different lists of values never have the same bytes', () => {
  const hashOf = (values: Partial<EntryTexts>) =>
    entrySha256({ ...line, ...values }, toCommitments(line)).toString('hex')
  const all = [
    {},
    { client_id: 'camera-appaction', action: '' },
    { target_kind: null, target_id: null },
    { target_kind: 'camera7', target_id: null },
    { target_kind: '', target_id: 'camera7' },
    { user_id: null, staff_id: '1002' },
  ].map(hashOf)
  expect(new Set(all).size).toBe(all.length)
})

test('null, empty text, and the same value in another field or with another salt give different commitments', () => {
  const first = (values: Partial<EntryTexts>) =>
    toCommitments({ ...line, ...values })
      .subarray(0, 32)
      .toString('hex')
  const all = [
    first({}),
    first({ actor_name: null }),
    first({ actor_name: '' }),
    first({ salt: null }),
    first({ salt: Buffer.alloc(16) }),
    toCommitments({ ...line, before: line.actor_name })
      .subarray(32, 64)
      .toString('hex'),
  ]
  expect(new Set(all).size).toBe(all.length)
})
