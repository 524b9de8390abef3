import { describe, expect, test } from 'vitest'
import { SrtcpReceiver, type SrtpKeys, SrtpSender } from './srtp.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const RTP = hex('800f1234decafbadcafebabe abababababababababababababababab')
const RTCP = hex('81c8000bcafebabe abababababababababababababababab')

/** Keys and packets that other implementations test themselves with, too. */
const vectors: [SrtpKeys['profile'], { key: string; salt: string; rtp: string; rtcp: string }][] = [
  [
    'AES_CM_128_HMAC_SHA1_80',
    {
      key: 'e1f97a0d3e018be0d64fa32c06de4139',
      salt: '0ec675ad498afeebb6960b3aabe6',
      rtp: '800f1234decafbadcafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb',
      rtcp: '81c8000bcafebabe 7128035be487b9bdbef89041f977a5a8 80000001 993e08cd54d6c1230798',
    },
  ],
  [
    'AEAD_AES_128_GCM',
    {
      key: '000102030405060708090a0b0c0d0e0f',
      salt: 'a0a1a2a3a4a5a6a7a8a9aaab',
      rtp: '800f1234decafbadcafebabe c5002ede04cfdd2eb91159e0880aa06ed2976826f796b201df3131a127e8a392',
      rtcp: '81c8000bcafebabe c98b8b5df0392a5585cc8a08ca8f2b75c11e8c01f5b1c3c5 80000001',
    },
  ],
]

describe.each(vectors)('%s', (profile, { key, salt, rtp, rtcp }) => {
  const master = { key: hex(key), salt: hex(salt) }
  const keys = { profile, sends: master, receives: master }

  test('seals as others do', () => {
    expect(new SrtpSender(keys).rtp(RTP).toString('hex')).toBe(hex(rtp).toString('hex'))
  })

  test('opens what it has sealed, once', () => {
    const [sender, receiver] = [new SrtpSender(keys), new SrtcpReceiver(keys)]
    for (let index = 0; index < 300; index++) {
      const sealed = sender.rtcp(RTCP)
      expect(sealed.includes(RTCP.subarray(8))).toBe(false)
      expect(receiver.open(sealed)).toEqual(RTCP)
      expect(receiver.open(sealed)).toBeUndefined()
    }
  })

  test('opens nothing that was changed or cut', () => {
    const sealed = new SrtpSender(keys).rtcp(RTCP)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(new SrtcpReceiver(keys).open(changed)).toBeUndefined()
      expect(new SrtcpReceiver(keys).open(sealed.subarray(0, at))).toBeUndefined()
    }
    if (profile === 'AES_CM_128_HMAC_SHA1_80') expect(new SrtcpReceiver(keys).open(hex(rtcp))).toEqual(RTCP)
  })

  test('numbers that begin again change the seal', () => {
    const sender = new SrtpSender(keys)
    const at = (sequence: number) => {
      const packet = Buffer.from(RTP)
      packet.writeUInt16BE(sequence, 2)
      return sender.rtp(packet).toString('hex')
    }
    const first = at(65_535)
    at(0)
    expect(at(65_535)).not.toBe(first)
  })
})
