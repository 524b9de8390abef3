import { expect, test } from 'vitest'
import { isStun, readStun, stunRequest, stunSuccess } from './stun.ts'

/** RFC 5769 §2.1; username `evtj:h6vY`. */
const SAMPLE = Buffer.from(
  '000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b151263b36000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf',
  'hex',
)
const PASSWORD = 'VOkJxbRl1RmTxUk/WvJxBt'

test('the sample of RFC 5769 is read, and only its own password fits', () => {
  const message = readStun(SAMPLE)
  expect(message).toMatchObject({ kind: 'request', username: 'evtj:h6vY', isNominating: false })
  expect(message?.isSignedWith(PASSWORD)).toBe(true)
  expect(message?.isSignedWith(`${PASSWORD}x`)).toBe(false)
})

test('a message whose content was changed isn’t signed', () => {
  for (let at = 20; at < SAMPLE.length - 32; at++) {
    const changed = Buffer.from(SAMPLE)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(readStun(changed)?.isSignedWith(PASSWORD) ?? false).toBe(false)
  }
})

test('attributes behind the signature don’t count', () => {
  const nominating = Buffer.concat([SAMPLE.subarray(0, SAMPLE.length - 8), Buffer.of(0, 0x25, 0, 0)])
  nominating.writeUInt16BE(nominating.length - 20, 2)
  expect(readStun(nominating)?.isNominating).toBe(false)
})

test('cut and random bytes are nothing', () => {
  for (let length = 0; length < SAMPLE.length; length++) expect(readStun(SAMPLE.subarray(0, length))).toBeUndefined()
  expect(isStun(Buffer.from('80c8000621120000', 'hex'))).toBe(false)
})

test.each(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::7', 'fe80::1%eth0'])('a check and its answer: %s', (address) => {
  const transactionId = Buffer.alloc(12, 7)
  const asked = readStun(stunRequest({ transactionId, username: 'a:b', password: 'p', tieBreaker: Buffer.alloc(8) }))
  if (asked === undefined) throw new Error('unreadable')
  expect(asked.isSignedWith('p')).toBe(true)
  const answer = readStun(stunSuccess(asked, { address, port: 32_853 }, 'q'))
  expect(answer).toMatchObject({ kind: 'success', transactionId })
  expect(answer?.isSignedWith('q')).toBe(true)
})

test('the address in an answer is that of RFC 5769 §2.2', () => {
  const asked = readStun(SAMPLE)
  if (asked === undefined) throw new Error('unreadable')
  const answer = stunSuccess(asked, { address: '192.0.2.1', port: 32_853 }, PASSWORD)
  expect(answer.toString('hex')).toContain('002000080001a147e112a643')
})
