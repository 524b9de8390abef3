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

  test('opens reports of several sources that count for themselves, but not of any number of sources', () => {
    const receiver = new SrtcpReceiver(keys)
    const sealedBy = (ssrc: number) => {
      const packet = Buffer.from(RTCP)
      packet.writeUInt32BE(ssrc, 4)
      return new SrtpSender(keys).rtcp(packet)
    }
    for (let ssrc = 0; ssrc < 16; ssrc++) {
      expect(receiver.open(sealedBy(ssrc))).toBeDefined()
      expect(receiver.open(sealedBy(ssrc))).toBeUndefined()
    }
    expect(receiver.open(sealedBy(16))).toBeUndefined()
  })

  test('opens late reports once, but none that are too old', () => {
    const [sender, receiver] = [new SrtpSender(keys), new SrtcpReceiver(keys)]
    const sealed = Array.from({ length: 200 }, () => sender.rtcp(RTCP))
    expect(receiver.open(sealed[199] ?? RTCP)).toBeDefined()
    const opened = sealed.map((each) => receiver.open(each) !== undefined)
    expect(opened).toEqual(sealed.map((_, index) => index > 199 - 64 && index !== 199))
    expect(sealed.some((each) => receiver.open(each) !== undefined)).toBe(false)
  })

  test('seals nothing twice under the same number, whatever source and however often numbers begin again', () => {
    // The same content under the same nonce would look the same.
    const [sender, seen] = [new SrtpSender(keys), new Set<string>()]
    let count = 0
    for (const ssrc of [1, 2 ** 31 + 1])
      for (let sequence = 65_000; sequence < 65_000 + 2 * 65_536; sequence += 97, count++) {
        const packet = Buffer.from(RTP)
        packet.writeUInt16BE(sequence & 0xff_ff, 2)
        packet.writeUInt32BE(ssrc, 8)
        seen.add(sender.rtp(packet).subarray(12, 28).toString('hex'))
      }
    for (let index = 0; index < 500; index++, count++) seen.add(sender.rtcp(RTCP).subarray(8, 24).toString('hex'))
    expect(seen.size).toBe(count)
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
