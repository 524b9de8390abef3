import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStreamSocket, type SocketEvent } from './stream-socket.ts'

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
