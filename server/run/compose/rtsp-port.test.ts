import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type KeyPair, selfSignedPair } from '@sightline/platform/certificate'
import { expect, onTestFinished, test } from 'vitest'
import { listenForRtsp, type RtspPortOptions } from './rtsp-port.ts'

const host = '127.0.0.1'

async function takenPort() {
  const other = createServer()
  other.listen(0, host)
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return { other, port: (other.address() as AddressInfo).port }
}

/** A port, with the connections that it gave away. */
async function listening(keyPair?: KeyPair) {
  const { other, port } = await takenPort()
  other.close()
  await once(other, 'close')
  const given: { url: string; text: string; address: string }[] = []
  const open: RtspPortOptions['open'] = (url, { socket, head, address }) => {
    given.push({ url, text: Buffer.from(head).toString('latin1'), address })
    onTestFinished(() => void socket.destroy())
  }
  const opened = await listenForRtsp({ host, port, keyPair, open })
  if (!opened.ok) throw new Error(opened.failure)
  onTestFinished(() => opened.value[Symbol.asyncDispose]())
  return { port, given }
}

const dial = async (port: number): Promise<{ socket: Socket; ended: Promise<string> }> => {
  const socket = connect(port, host)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const ended = new Promise<string>((resolve) => void socket.once('close', () => resolve('ended')))
  await once(socket, 'connect')
  return { socket, ended }
}

const REQUEST = 'DESCRIBE rtsp://a/stream/rtsp/open?camera_id=1 RTSP/1.0\r\nCSeq: 1\r\n\r\n'

test('if the port is taken, one sentence says so and names the setting', async () => {
  const { port } = await takenPort()
  const opened = await listenForRtsp({ host, port, keyPair: undefined, open: () => undefined })
  expect(opened).toEqual({ ok: false, failure: expect.stringMatching(/EADDRINUSE.*Set SIGHTLINE_RTSP_PORT/) })
})

test('a connection is given away with everything that was read, once its request has named the camera', async () => {
  const { port, given } = await listening()
  const { socket } = await dial(port)
  socket.write(REQUEST.slice(0, 30))
  await sleep(50)
  expect(given).toEqual([])
  socket.write(`${REQUEST.slice(30)}$`)
  await expect.poll(() => given).toEqual([{ url: '/stream/rtsp/open?camera_id=1', text: `${REQUEST}$`, address: host }])
})

test('what is asked about the server, before a camera is named, is answered at once', async () => {
  const { port, given } = await listening()
  const { socket } = await dial(port)
  let answers = ''
  socket.on('data', (chunk) => {
    answers += chunk.toString('latin1')
  })
  socket.write('OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n')
  socket.write(`User-Agent: a\r\n\r\nOPTIONS * RTSP/1.0\r\nCSeq: 8\r\n\r\n${REQUEST}`)
  await expect.poll(() => given).toEqual([{ url: '/stream/rtsp/open?camera_id=1', text: REQUEST, address: host }])
  expect(answers.match(/^RTSP\/1\.0 200 OK\r\nCSeq: [78]\r\nPublic: OPTIONS, DESCRIBE/gm)).toHaveLength(2)
})

test.each([
  ['HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['more than 8 KiB without an end', `DESCRIBE rtsp://a/ RTSP/1.0\r\nA: ${'x'.repeat(9000)}`],
  ['bytes', '\u0000\u0001\r\n\r\n'],
])('%s ends the connection', async (_, bytes) => {
  const { port, given } = await listening()
  const { socket, ended } = await dial(port)
  socket.write(bytes)
  expect(await ended).toBe('ended')
  expect(given).toEqual([])
})

test('of one address, twenty connections may wait; one that asked makes room', async () => {
  const { port, given } = await listening()
  const waiting = await Promise.all(Array.from({ length: 20 }, () => dial(port)))
  const refused = await dial(port)
  expect(await refused.ended).toBe('ended')
  waiting[0]?.socket.write(REQUEST)
  await expect.poll(() => given.length).toBe(1)
  const another = await dial(port)
  another.socket.write(REQUEST)
  await expect.poll(() => given.length).toBe(2)
})

test('with TLS, connections that never finish their handshake count too, and one that does is given away', async () => {
  const keyPair = selfSignedPair({ names: [host], notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 })
  const { port, given } = await listening(keyPair)
  const silent = await Promise.all(Array.from({ length: 20 }, () => dial(port)))
  const refused = await dial(port)
  expect(await refused.ended).toBe('ended')
  silent[0]?.socket.destroy()
  await silent[0]?.ended
  await sleep(50)
  const spoken = connectTls({ port, host, rejectUnauthorized: false })
  onTestFinished(() => void spoken.destroy())
  await once(spoken, 'secureConnect')
  spoken.write(REQUEST)
  await expect.poll(() => given).toMatchObject([{ url: '/stream/rtsp/open?camera_id=1', address: host }])
})
