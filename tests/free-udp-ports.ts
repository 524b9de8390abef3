import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The first of so many UDP ports in a row that nobody uses now. */
export async function freeUdpPorts(count: number): Promise<number> {
  for (;;) {
    const first = await bind(0)
    const others = await Promise.all(Array.from({ length: count - 1 }, (_, index) => bind(first.port + index + 1)))
    for (const each of [first, ...others]) each.close()
    if (others.every(({ port }) => port > 0)) return first.port
  }
}

async function bind(port: number): Promise<{ readonly port: number; close(): void }> {
  const socket = createSocket('udp4')
  const bound = once(socket, 'listening').then(
    () => socket.address().port,
    () => 0,
  )
  socket.bind(port, '127.0.0.1')
  const taken = await bound
  return { port: taken, close: () => void (taken > 0 && socket.close()) }
}
