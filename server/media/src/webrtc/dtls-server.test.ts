/** The handshake against OpenSSL: the same keys come out, and whoever isn't the viewer of the offer gets none. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KeyPair, selfSignedPair } from '@sightline/platform/certificate'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DtlsServer } from './dtls-server.ts'
import type { SrtpKeys } from './srtp.ts'

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0

const now = Date.now()
const newPair = () => selfSignedPair({ names: ['webrtc'], notBefore: now - 60_000, notAfter: now + 3_600_000 })
const derOf = ({ cert }: KeyPair): Buffer => new X509Certificate(cert).raw

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dtls-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Meeting {
  readonly keys: SrtpKeys | undefined
  readonly end: string | undefined
  /** What the client printed. */
  readonly printed: string
}

interface MeetingOptions {
  readonly args?: readonly string[]
  readonly client?: KeyPair
  /** The certificate of the offer; the client's unless given. */
  readonly expected?: KeyPair
  /** Changes what the client sends, or drops it. */
  readonly onTheWay?: (datagram: Buffer) => Buffer | undefined
}

/** Lets an OpenSSL client meet the server, until there are keys or an end. */
async function meet(options: MeetingOptions = {}): Promise<Meeting> {
  const { args = [], client = newPair(), expected = client, onTheWay = (datagram) => datagram } = options
  const server = newPair()
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certFile, client.cert), writeFile(keyFile, client.key)])
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const result = Promise.withResolvers<Pick<Meeting, 'keys' | 'end'>>()
  let peer: { port: number } | undefined
  const dtls = new DtlsServer({
    identity: { certificate: derOf(server), key: createPrivateKey(server.key) },
    isExpected: (certificate) => certificate.equals(derOf(expected)),
    send: (datagram) => void (peer && socket.send(datagram, peer.port, '127.0.0.1')),
    onKeys: (keys) => result.resolve({ keys, end: undefined }),
    onEnd: (end) => result.resolve({ keys: undefined, end }),
  })
  socket.on('message', (datagram, from) => {
    peer = from
    const arrived = onTheWay(datagram)
    if (arrived !== undefined) dtls.receive(arrived)
  })
  const identity = ['-cert', certFile, '-key', keyFile]
  const connecting = ['s_client', '-dtls1_2', '-connect', `127.0.0.1:${socket.address().port}`]
  const exporting = ['-keymatexport', 'EXTRACTOR-dtls_srtp', '-keymatexportlen', '60']
  const openssl: ChildProcess = spawn('openssl', [...connecting, ...identity, ...exporting, ...args])
  onTestFinished(() => {
    openssl.kill()
    dtls.close()
    socket.close()
  })
  let printed = ''
  openssl.stdout?.on('data', (chunk) => (printed += String(chunk)))
  const late = setTimeout(() => result.resolve({ keys: undefined, end: 'nothing happened' }), 10_000)
  const met = await result.promise
  clearTimeout(late)
  if (met.keys !== undefined) await expect.poll(() => printed, { timeout: 5000 }).toContain('Keying material: ')
  return { ...met, printed }
}

const SRTP = ['-use_srtp', 'SRTP_AES128_CM_SHA1_80']
const GCM = ['-use_srtp', 'SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80']

/** The message of that type in a datagram of unsealed records, changed at its end. */
function changed(datagram: Buffer, type: number): Buffer {
  const copy = Buffer.from(datagram)
  for (let at = 0; at + 25 <= copy.length; at += 13 + copy.readUInt16BE(at + 11)) {
    const end = at + 13 + copy.readUInt16BE(at + 11)
    const isIt = copy[at] === 22 && copy.readUInt16BE(at + 3) === 0 && copy[at + 13] === type
    if (isIt) copy[end - 1] = (copy[end - 1] ?? 0) ^ 1
  }
  return copy
}

describe.skipIf(!hasOpenssl)('a client of OpenSSL', () => {
  test.each([
    ['AES_CM_128_HMAC_SHA1_80', SRTP, 14],
    ['AEAD_AES_128_GCM', GCM, 12],
  ] as const)('agrees on the same keys for %s', async (profile, args, saltBytes) => {
    const { keys, printed } = await meet({ args })
    const material = Buffer.from(/Keying material: ([0-9A-F]+)/.exec(printed)?.[1] ?? '', 'hex')
    expect(keys).toEqual({
      profile,
      receives: { key: material.subarray(0, 16), salt: material.subarray(32, 32 + saltBytes) },
      sends: { key: material.subarray(16, 32), salt: material.subarray(32 + saltBytes, 32 + 2 * saltBytes) },
    })
  })

  test('with an RSA certificate is understood, too', async () => {
    const files = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=rsa', '-keyout', '-', '-out', '-']
    const pem = spawnSync('openssl', ['req', ...files], { encoding: 'utf8' }).stdout
    const cert = /-----BEGIN CERTIFICATE[\s\S]*END CERTIFICATE-----/.exec(pem)?.[0] ?? ''
    const key = /-----BEGIN PRIVATE KEY[\s\S]*END PRIVATE KEY-----/.exec(pem)?.[0] ?? ''
    expect((await meet({ args: SRTP, client: { cert, key } })).keys).toBeDefined()
  })

  test('whose first packets are lost tries again', async () => {
    let lost = 0
    const { keys } = await meet({ args: SRTP, onTheWay: (datagram) => (lost++ < 2 ? undefined : datagram) })
    expect(keys).toBeDefined()
  })

  test('with another certificate than in the offer gets nothing', async () => {
    const { end } = await meet({ args: SRTP, expected: newPair() })
    expect(end).toBe('DTLS: another certificate than in the offer')
  })

  test('that shows a certificate whose key it doesn’t have gets nothing', async () => {
    const stranger = newPair()
    const own = derOf(stranger)
    let known = newPair()
    while (derOf(known).length !== own.length) known = newPair()
    // As somebody on the way would: the certificate of the viewer instead of the own one.
    const swap = (datagram: Buffer) => {
      const at = datagram.indexOf(own)
      if (at < 0) return datagram
      const copy = Buffer.from(datagram)
      derOf(known).copy(copy, at)
      return copy
    }
    const { end } = await meet({ args: SRTP, client: stranger, expected: known, onTheWay: swap })
    expect(end).toBe('DTLS: a signature that is wrong')
  })

  test('whose handshake is changed on the way gets nothing', async () => {
    const { end } = await meet({ args: SRTP, onTheWay: (datagram) => changed(datagram, 15) })
    expect(end).toBe('DTLS: a signature that is wrong')
  })

  test('without SRTP, or with other ciphers only, is refused', async () => {
    expect((await meet()).end).toContain('none of the SRTP profiles')
    const { end } = await meet({ args: [...SRTP, '-cipher', 'ECDHE-RSA-AES256-GCM-SHA384'] })
    expect(end).toContain('ECDHE-ECDSA-AES128-GCM-SHA256')
  })
})

test('random bytes, cut and mixed records do nothing but end it', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (let seed = 0; seed < 20_000; seed++) {
    const dtls = new DtlsServer({
      identity: { certificate: Buffer.alloc(300), key: privateKey },
      isExpected: () => true,
      send: () => undefined,
      onKeys: () => expect.fail('keys'),
      onEnd: () => undefined,
    })
    const bytes = Buffer.from(Array.from({ length: seed % 150 }, (_, at) => (seed * 31 + at * at * 7) & 0xff))
    if (bytes.length > 25)
      Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, seed & 3, 0, bytes.length - 13, 1]).copy(bytes)
    dtls.receive(bytes)
    dtls.close()
  }
})
