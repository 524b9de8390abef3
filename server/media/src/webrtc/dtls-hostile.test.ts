/** Clients that misbehave in the handshake: none gets keys, and none does more than end its own session. */
import { spawnSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { selfSignedPair } from '@sightline/platform/certificate'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type ClientIdentity,
  DtlsTestClient,
  EXTENDED_MASTER_SECRET,
  extension,
  GROUPS,
  SRTP_GCM,
} from './dtls-client-stage.ts'
import { CLIENT_HELLO } from './dtls-messages.ts'
import { ALERT, HANDSHAKE, recordBytes } from './dtls-records.ts'
import { DtlsServer } from './dtls-server.ts'

const identityOf = ({ cert, key }: { cert: string; key: string }): ClientIdentity => ({
  certificate: new X509Certificate(cert).raw,
  key: createPrivateKey(key),
})
const now = Date.now()
const newIdentity = () =>
  identityOf(selfSignedPair({ names: ['webrtc'], notBefore: now - 60_000, notAfter: now + 3_600_000 }))
/** It isn't signed, and of unsealed records nothing in it matters but the epoch. */
const RECORD_HEADER = 13
const [server, viewer] = [newIdentity(), newIdentity()]

interface Meeting {
  readonly client: DtlsTestClient
  readonly dtls: DtlsServer
  /** Sends to the server. */
  readonly send: (...datagrams: readonly Buffer[]) => void
  /** What the server sends; the client has read it. */
  readonly sent: Buffer[]
  readonly keys: unknown[]
  readonly ends: string[]
}

function meet(identity = viewer): Meeting {
  const client = new DtlsTestClient(identity)
  const [sent, keys, ends]: [Buffer[], unknown[], string[]] = [[], [], []]
  const dtls = new DtlsServer({
    identity: server,
    isExpected: () => true,
    send: (datagram) => {
      sent.push(Buffer.from(datagram))
      client.take(datagram)
    },
    onKeys: (found) => keys.push(found),
    onEnd: (reason) => ends.push(reason),
  })
  onTestFinished(() => dtls.close())
  return { client, dtls, sent, keys, ends, send: (...datagrams) => datagrams.map((each) => dtls.receive(each)) }
}

/** Up to the messages that prove who the client is. */
function begun(identity = viewer): Meeting {
  const met = meet(identity)
  met.send(met.client.hello())
  return met
}

function finished(): Meeting {
  const met = begun()
  const { client, send } = met
  send(client.certificate(), client.keyExchange(), client.proof(), client.finished())
  expect(met.keys).toHaveLength(1)
  return met
}

test('the client of these tests gets keys when it behaves', () => {
  const { client, ends } = finished()
  expect(client.heard).toEqual([2, 11, 12, 13, 14, 20])
  expect(ends).toEqual([])
})

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0

describe.skipIf(!hasOpenssl)('a certificate', () => {
  const kinds = [
    'ed25519',
    'ed448',
    'rsa:1024',
    'rsa-pss -pkeyopt rsa_keygen_bits:2048',
    'ec:secp521r1',
    'ec:secp256k1',
  ]
  const kindsOf = (kind: string) => kind.replace('ec:', 'ec -pkeyopt ec_paramgen_curve:').split(' ')
  test.each(kinds)('with a key of the kind %s ends the handshake, whatever its signature says', (kind) => {
    const rest = ['-nodes', '-subj', '/CN=x', '-keyout', '-', '-out', '-']
    const { stdout } = spawnSync('openssl', ['req', '-x509', '-newkey', ...kindsOf(kind), ...rest], {
      encoding: 'utf8',
    })
    const pem = (name: string) => new RegExp(`-----BEGIN ${name}-----[^]*END ${name}-----`).exec(stdout)?.[0] ?? ''
    const identity = identityOf({ cert: pem('CERTIFICATE'), key: pem('PRIVATE KEY') })
    for (const scheme of [0x04_03, 0x05_03, 0x04_01, 0x08_04, 0x08_07, 0]) {
      const { client, send, keys, ends } = begun(identity)
      send(client.certificate(), client.keyExchange(), client.proof(scheme, Buffer.alloc(70, 48)), client.finished())
      expect(ends).toHaveLength(1)
      expect(keys).toEqual([])
    }
  })

  test('that is none, or is empty, ends the handshake', () => {
    for (const certificate of [Buffer.alloc(0), Buffer.from('no certificate'), viewer.certificate.subarray(0, 200)]) {
      const { client, send, keys, ends } = begun({ ...viewer, certificate })
      send(client.certificate(), client.keyExchange(), client.proof())
      expect(ends).toHaveLength(1)
      expect(keys).toEqual([])
    }
  })
})

const ownPoint = (format: 'compressed' | 'hybrid') => (client: DtlsTestClient) => client.ecdh.getPublicKey(null, format)
test.each<[string, (client: DtlsTestClient) => Buffer]>([
  ['nothing', () => Buffer.alloc(0)],
  ['the point at infinity', () => Buffer.of(0)],
  ['a point beside the curve', () => Buffer.alloc(65, 4)],
  ['a short form', ownPoint('compressed')],
  ['a mixed form', ownPoint('hybrid')],
  ['too many bytes', (client) => Buffer.concat([client.ecdh.getPublicKey(), Buffer.of(0)])],
])('a key exchange with %s ends it', (_, pointOf) => {
  const { client, send, keys, ends } = begun()
  send(client.certificate(), client.keyExchange(pointOf(client)))
  expect(ends).toEqual(['DTLS: a key that is no point of the curve'])
  expect(keys).toEqual([])
})

const padded = Buffer.concat([vectorOfNumbers(7), Buffer.of(0)])
function vectorOfNumbers(number: number): Buffer {
  return Buffer.of(0, 2, number >> 8, number & 0xff)
}
test.each([
  ['of DTLS 1.0', { version: 0xfe_ff }],
  ['without an extended master secret', { extensions: [GROUPS, SRTP_GCM] }],
  ['without SRTP', { extensions: [GROUPS, EXTENDED_MASTER_SECRET] }],
  [
    'with unknown SRTP only',
    { extensions: [GROUPS, EXTENDED_MASTER_SECRET, extension(14, vectorOfNumbers(5), Buffer.of(0))] },
  ],
  ['with SRTP whose list is cut', { extensions: [GROUPS, EXTENDED_MASTER_SECRET, extension(14, Buffer.of(0, 9, 0))] }],
  ['with SRTP twice', { extensions: [SRTP_GCM, EXTENDED_MASTER_SECRET, extension(14, padded)] }],
  ['with another curve only', { extensions: [extension(10, vectorOfNumbers(29)), EXTENDED_MASTER_SECRET, SRTP_GCM] }],
])('a greeting %s ends it', (_, options) => {
  const { client, send, sent, ends } = meet()
  send(client.hello(options))
  expect(ends).toHaveLength(1)
  expect(client.heard).toEqual([])
  expect(Buffer.concat(sent)[0]).toBe(ALERT)
})

type Step = 'certificate' | 'keyExchange' | 'proof' | 'finished' | 'hello'
const ORDERS: readonly (readonly Step[])[] = [
  ['keyExchange'],
  ['proof'],
  ['hello'],
  ['certificate', 'certificate'],
  ['certificate', 'proof'],
  ['certificate', 'keyExchange', 'keyExchange'],
  ['certificate', 'keyExchange', 'certificate'],
  ['certificate', 'keyExchange', 'proof', 'proof'],
  ['certificate', 'keyExchange', 'proof', 'hello'],
]
test.each(ORDERS.map((order) => [order.join(', '), order] as const))(
  'messages in this order end it: %s',
  (_, order) => {
    const { client, send, keys, ends } = begun()
    for (const step of order) send(client[step]())
    expect(ends).toHaveLength(1)
    expect(keys).toEqual([])
  },
)

test('without a proof there are no keys, and none with another end of the handshake', () => {
  const skipped = begun()
  skipped.send(skipped.client.certificate(), skipped.client.keyExchange())
  skipped.client.proof()
  // The server waits for the proof: what comes after it isn't looked at.
  skipped.send(skipped.client.finished())
  expect(skipped.keys).toEqual([])
  for (let at = 0; at < 12; at++) {
    const { client, send, keys, ends } = begun()
    send(client.certificate(), client.keyExchange(), client.proof())
    send(client.finished((data) => data.map((byte, index) => (index === at ? byte ^ 1 : byte)) as Buffer))
    expect(ends).toEqual(['DTLS: a handshake that someone has changed'])
    expect(keys).toEqual([])
  }
})

test.each([0, 11, 13])('an end of the handshake with %i bytes gives no keys', (length) => {
  const { client, send, keys, ends } = begun()
  send(client.certificate(), client.keyExchange(), client.proof())
  send(client.finished((data) => Buffer.concat([data, Buffer.alloc(1)]).subarray(0, length)))
  expect(ends).toHaveLength(1)
  expect(keys).toEqual([])
})

test('an end of the handshake that isn’t sealed gives no keys', () => {
  const { client, send, keys, ends } = begun()
  send(client.certificate(), client.keyExchange(), client.proof(), client.plain(20, Buffer.alloc(12)))
  expect(ends).toEqual(['DTLS: a message in the wrong place'])
  expect(keys).toEqual([])
})

test('a changed byte anywhere gives no keys, and nothing is thrown', () => {
  for (let message = 0; message < 5; message++)
    for (let at = RECORD_HEADER; at < 450; at += 3) {
      const { client, send, keys } = meet()
      let index = 0
      let isChanged = false
      const change = (datagram: Buffer) => {
        isChanged ||= index === message && at < datagram.length
        if (index++ === message && at < datagram.length) datagram[at] = (datagram[at] ?? 0) ^ (1 << (at % 8))
        return datagram
      }
      send(change(client.hello()))
      send(change(client.certificate()), change(client.keyExchange()))
      if (client.heard.length > 0) send(change(client.proof()), change(client.finished()))
      expect([message, at, keys.length]).toEqual([message, at, isChanged ? 0 : 1])
    }
})

test('what comes in the same datagram after the end doesn’t count', () => {
  const { client, send, keys, ends } = begun()
  send(client.certificate(), client.keyExchange())
  const rest = [client.proof(), client.finished()]
  send(Buffer.concat([client.sealedRecord(ALERT, Buffer.of(1, 0)), ...rest]))
  expect({ keys, ends }).toEqual({ keys: [], ends: ['the viewer has left'] })
})

describe('after the handshake', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    return () => vi.useRealTimers()
  })

  test('nothing that isn’t sealed counts', () => {
    const { send, ends, sent } = finished()
    const before = sent.length
    const hello = new DtlsTestClient(viewer).hello()
    const alert = recordBytes({ type: ALERT, epoch: 0, sequence: 99, payload: Buffer.of(2, 40) })
    for (const epoch of [0, 1, 2, 65_535])
      send(recordBytes({ type: ALERT, epoch, sequence: 100, payload: Buffer.alloc(26, 2) }))
    send(hello, alert)
    expect({ ends, sent: sent.length }).toEqual({ ends: [], sent: before })
  })

  test('nobody begins it anew: a sealed greeting ends it, without other keys', () => {
    const { client, send, keys, ends } = finished()
    send(client.sealed(CLIENT_HELLO, Buffer.alloc(60)))
    expect(ends).toEqual(['DTLS: a message in the wrong place'])
    expect(keys).toHaveLength(1)
  })

  test('what was sent before is answered now and then, each time under another nonce', () => {
    const { client, dtls, sent } = finished()
    const before = sent.length
    for (let time = 0; time < 1000; time++) {
      const fragment = Buffer.alloc(12)
      fragment[0] = 20
      fragment.writeUInt16BE(4, 4)
      dtls.receive(client.sealedRecord(HANDSHAKE, fragment))
      vi.advanceTimersByTime(1)
    }
    expect(sent.length - before).toBeGreaterThan(3)
    expect(sent.length - before).toBeLessThan(7)
    expect(new Set(client.nonces).size).toBe(client.nonces.length)
  })

  test('a sealed alert ends it', () => {
    const { client, send, ends } = finished()
    send(client.sealedRecord(ALERT, Buffer.of(1, 0)))
    expect(ends).toEqual(['the viewer has left'])
  })
})

test('messages that never become whole take little memory and time', () => {
  const { dtls } = begun()
  const fragments = Array.from({ length: 97 }, (_, index) => {
    const header = Buffer.alloc(12)
    header[0] = 11
    header.writeUIntBE(16 * 1024, 1, 3)
    header.writeUInt16BE(1 + (index % 8), 4)
    return header
  })
  const record = recordBytes({ type: HANDSHAKE, epoch: 0, sequence: 1, payload: Buffer.concat(fragments) })
  const start = process.cpuUsage()
  for (let datagram = 0; datagram < 2000; datagram++) dtls.receive(record)
  // 194,000 pieces; each for itself took 30 KiB before.
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
})
