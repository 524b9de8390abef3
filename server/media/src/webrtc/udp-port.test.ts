/** The port for all viewers: what strangers, and viewers that name an address of others, get from it. */
import { createHmac, createPrivateKey, X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSignedPair } from '@sightline/platform/certificate'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHub } from '../hub/index.ts'
import { DtlsTestClient } from './dtls-client-stage.ts'
import { DtlsServer } from './dtls-server.ts'
import { chooseTracks, openWebRtcPort, readOffer, type WebRtcPortOptions } from './index.ts'
import { H264_TRACK, OFFER, REMOTE } from './offer-stage.ts'
import { isStun, readStun, stunRequest, stunSuccess } from './stun.ts'

const now = Date.now()
const { cert, key } = selfSignedPair({ names: ['webrtc'], notBefore: now - 60_000, notAfter: now + 3_600_000 })
const newClient = () => new DtlsTestClient({ certificate: new X509Certificate(cert).raw, key: createPrivateKey(key) })

/** A viewer that was answered, and sockets of whoever has its port. */
async function arranged(limits: WebRtcPortOptions['limits'] = {}, expected: readonly Error[] = []) {
  const bugs: unknown[] = []
  const port = await openWebRtcPort({
    host: '127.0.0.1',
    port: 0,
    addresses: ['127.0.0.1'],
    onBug: (bug) => bugs.push(bug),
    limits,
  })
  const offer = readOffer(OFFER)
  if (!offer.ok) throw new Error(offer.failure)
  const chosen = chooseTracks(offer.value, [H264_TRACK])
  if (!chosen.ok) throw new Error(chosen.failure)
  const viewer = port.connect({ hub: createHub(), offer: offer.value, chosen: chosen.value, soundNote: undefined })
  onTestFinished(async () => {
    await port[Symbol.asyncDispose]()
    expect(bugs).toEqual(expected)
  })
  const said = (name: string) => new RegExp(`^a=${name}:(\\S+)`, 'm').exec(viewer.answer)?.[1] ?? ''
  const local = { ufrag: said('ice-ufrag'), password: said('ice-pwd') }
  return { port: port.port, viewer, local }
}

/** A socket, and everything that came to it. */
async function stranger(port: number) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const got: Buffer[] = []
  socket.on('message', (datagram) => got.push(datagram))
  let sent = 0
  const send = (datagram: Uint8Array) => {
    sent += datagram.length
    socket.send(datagram, port, '127.0.0.1')
  }
  return { got, send, handshake: () => got.filter((each) => !isStun(each)), sentBytes: () => sent }
}

const check = (local: { ufrag: string }, password: string, ufrag = local.ufrag) =>
  stunRequest({
    transactionId: Buffer.alloc(12, 7),
    username: `${ufrag}:${REMOTE.ufrag}`,
    password,
    tieBreaker: Buffer.alloc(8),
  })

test('strangers get nothing, whatever they send', async () => {
  const { port, local, viewer } = await arranged()
  const { got, send } = await stranger(port)
  let hasEnded = false
  void viewer.ended.then(() => (hasEnded = true))
  const signed = check(local, local.password)
  send(check(local, 'a wrong password'))
  send(check(local, REMOTE.password))
  send(check(local, local.password, 'somebody'))
  send(signed.subarray(0, signed.length - 32))
  send(newClient().hello())
  for (let seed = 0; seed < 2000; seed++) {
    send(Buffer.from(Array.from({ length: seed % 90 }, (_, at) => (seed * 31 + at * at * 7) & 0xff)))
    const changed = Buffer.from(signed)
    const at = seed % signed.length
    // Behind the signature is only the checksum.
    if (at < signed.length - 8) changed[at] = (changed[at] ?? 0) ^ (1 << (seed % 8))
    if (at < signed.length - 8) send(changed)
    if (seed % 100 === 0) await sleep(1)
  }
  for (const first of [20, 22, 63, 64, 128, 191, 200]) send(Buffer.alloc(1200, first))
  await sleep(200)
  expect(got).toEqual([])
  expect(hasEnded).toBe(false)
})

test('an address that doesn’t answer gets no handshake and no more bytes than were sent from it', async () => {
  const { port, local } = await arranged()
  const { got, send, handshake, sentBytes } = await stranger(port)
  const client = newClient()
  const hello = client.hello()
  for (let time = 0; time < 25; time++) {
    send(check(local, local.password))
    send(hello)
    await sleep(60)
  }
  expect(got.length).toBeGreaterThan(25)
  expect(handshake()).toEqual([])
  expect(Buffer.concat(got).length).toBeLessThan(1.5 * sentBytes())
})

test('a handshake that began before the address had answered continues once it has', async () => {
  const { port, local } = await arranged()
  const { got, send, handshake } = await stranger(port)
  send(check(local, local.password))
  send(newClient().hello())
  await expect.poll(() => got.length).toBe(2)
  await sleep(100)
  expect(handshake()).toEqual([])
  const asked = got.map((each) => readStun(each)).find((each) => each?.kind === 'request')
  if (asked === undefined) throw new Error('no check')
  expect(asked.isSignedWith(REMOTE.password)).toBe(true)
  // Only an answer that is signed, and from there, counts.
  const elsewhere = await stranger(port)
  const answer = stunSuccess(asked, { address: '127.0.0.1', port }, REMOTE.password)
  elsewhere.send(answer)
  send(stunSuccess(asked, { address: '127.0.0.1', port }, local.password))
  await sleep(100)
  expect(handshake()).toEqual([])
  send(answer)
  await expect.poll(() => handshake()[0]?.[13]).toBe(2)
  expect(elsewhere.got).toEqual([])
})

/** The check with USE-CANDIDATE in it, which says that the viewer has moved. */
function nominating(local: { ufrag: string; password: string }, number: number): Buffer {
  const plain = stunRequest({
    transactionId: Buffer.alloc(12, number),
    username: `${local.ufrag}:${REMOTE.ufrag}`,
    password: local.password,
    tieBreaker: Buffer.alloc(8),
  })
  const before = Buffer.concat([plain.subarray(0, -32), Buffer.of(0, 0x25, 0, 0)])
  before.writeUInt16BE(before.length - 20 + 24, 2)
  const signature = createHmac('sha1', local.password).update(before).digest()
  return Buffer.concat([before, Buffer.of(0, 8, 0, 20), signature])
}

test('checks that somebody repeats from other addresses neither move a viewer nor push it out', async () => {
  const { port, local, viewer } = await arranged({ connectsWithinMs: 60_000 })
  const { got, send, handshake } = await stranger(port)
  const answered = new Set<string>()
  const answerChecks = () => {
    for (const each of got) {
      const asked = readStun(each)
      const id = asked?.transactionId.toString('hex') ?? ''
      if (asked?.kind !== 'request' || answered.has(id)) continue
      answered.add(id)
      send(stunSuccess(asked, { address: '127.0.0.1', port }, REMOTE.password))
    }
  }
  send(nominating(local, 1))
  const confirmed = () => {
    answerChecks()
    return viewer.confirmed
  }
  await expect.poll(confirmed).toBeDefined()
  const others = await Promise.all(Array.from({ length: 8 }, () => stranger(port)))
  const { size } = answered
  // Often enough that our own checks of the viewer have no moment between them.
  for (let round = 0; round < 90; round++) {
    others[round % others.length]?.send(nominating(local, 1))
    await sleep(50)
  }
  answerChecks()
  expect(answered.size).toBeGreaterThan(size)
  send(newClient().hello())
  await expect.poll(() => handshake()[0]?.[13]).toBe(2)
  for (const other of others) expect(other.handshake()).toEqual([])
})

test('a viewer that floods is answered so often and no more, and others are answered all the same', async () => {
  const { port, local } = await arranged()
  const { got, send } = await stranger(port)
  for (let time = 0; time < 4000; time++) {
    send(check(local, local.password))
    if (time % 50 === 0) await sleep(1)
  }
  await sleep(100)
  const answers = got.filter((each) => readStun(each)?.kind === 'success').length
  expect(answers).toBeGreaterThan(300)
  expect(answers).toBeLessThan(2000)
  expect(got.length - answers).toBeLessThan(20)
})

test('a bug that a datagram meets ends its viewer alone', async () => {
  const bug = new Error('planted')
  const { port, local, viewer } = await arranged({}, [bug])
  const planted = vi.spyOn(DtlsServer.prototype, 'receive').mockImplementation(() => {
    throw bug
  })
  onTestFinished(() => planted.mockRestore())
  const { got, send } = await stranger(port)
  send(check(local, local.password))
  await expect.poll(() => got.length).toBe(2)
  const asked = got.map((each) => readStun(each)).find((each) => each?.kind === 'request')
  if (asked === undefined) throw new Error('no check')
  send(stunSuccess(asked, { address: '127.0.0.1', port }, REMOTE.password))
  send(newClient().hello())
  expect(await viewer.ended).toBe('a bug')
  // It is forgotten: nothing more is answered, and nothing more is thrown.
  send(newClient().hello())
  send(check(local, local.password))
  await sleep(100)
  expect(got).toHaveLength(2)
})
