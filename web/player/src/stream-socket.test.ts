import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { openStreamSocket, prepareStreamSocket, type SocketEvent } from './stream-socket.ts'

let server: Server
let address: string
const connections = new Set<Socket>()
beforeEach(async () => {
  server = createServer((connection) => {
    connections.add(connection)
    connection.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  address = `ws://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/`
})
afterEach(() => {
  for (const connection of connections) connection.destroy()
  server.close()
})

test('a server that accepts the connection and says nothing is lost, once', async () => {
  const events: SocketEvent[] = []
  await new Promise<void>((resolve) => {
    const on = (event: SocketEvent) => {
      events.push(event)
      resolve()
    }
    openStreamSocket(address, on, { firstMessageMs: 50 })
  })
  for (const connection of connections) connection.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(events).toEqual([{ kind: 'lost' }])
})

test('a closed connection is not lost', async () => {
  const events: SocketEvent[] = []
  openStreamSocket(address, (event) => events.push(event), { firstMessageMs: 20 }).close()
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(events).toEqual([])
})

describe('a prepared connection', () => {
  const END = { type: 'end', code: 19 }

  /** A server that tells everybody who connects the number of the connection, and ends it. */
  async function openServer() {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    const opened = new Set<number>()
    let connections = 0
    sockets.on('connection', (socket) => {
      const number = ++connections
      opened.add(number)
      socket.on('close', () => opened.delete(number))
      socket.send(JSON.stringify(END))
      socket.send(Uint8Array.of(number))
    })
    await new Promise((resolve) => sockets.once('listening', resolve))
    const at = sockets.address()
    return {
      address: `ws://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/`,
      opened,
      [Symbol.dispose]: () => void sockets.close(),
    }
  }

  const isThere = (opened: Set<number>, number: number) => vi.waitFor(() => expect(opened.has(number)).toBe(true))

  test('gives what arrived before it was taken, and is taken once', async () => {
    using at = await openServer()
    prepareStreamSocket(at.address)
    await isThere(at.opened, 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const first: SocketEvent[] = []
    using _one = disposable(openStreamSocket(at.address, (event) => first.push(event)))
    expect(first).toEqual([
      { kind: 'message', message: END },
      { kind: 'bytes', bytes: Uint8Array.of(1) },
    ])
    const second: SocketEvent[] = []
    using _two = disposable(openStreamSocket(at.address, (event) => second.push(event)))
    await vi.waitFor(() => expect(second.at(-1)).toEqual({ kind: 'bytes', bytes: Uint8Array.of(2) }))
  })

  test('isn’t given to another address, and ends when another one is prepared', async () => {
    using at = await openServer()
    prepareStreamSocket(at.address)
    await isThere(at.opened, 1)
    const events: SocketEvent[] = []
    using _other = disposable(openStreamSocket(`${at.address}?camera_id=2`, (event) => events.push(event)))
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ kind: 'bytes', bytes: Uint8Array.of(2) }))
    prepareStreamSocket(`${at.address}?camera_id=3`)
    await vi.waitFor(() => expect([...at.opened]).toEqual([2, 3]))
    using _taken = disposable(openStreamSocket(`${at.address}?camera_id=3`, () => undefined))
  })

  test('ends after three seconds if nobody takes it', async () => {
    using at = await openServer()
    prepareStreamSocket(at.address)
    await isThere(at.opened, 1)
    await vi.waitFor(() => expect(at.opened.size).toBe(0), { timeout: 10_000 })
  })
})

const disposable = (socket: { close(): void }): Disposable => ({ [Symbol.dispose]: () => socket.close() })
