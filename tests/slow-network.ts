import { createServer, connect as dial, type Socket } from 'node:net'

/** What TCP makes of a network; the defaults are a bad mobile one: 50 ms there and back, and one packet in fifty lost. */
export interface NetworkSettings {
  readonly roundTripMs?: number
  /** Part of the packets that are lost. */
  readonly loss?: number
}

const PACKET_BYTES = 1400

export interface SlowNetwork extends AsyncDisposable {
  readonly origin: string
  /** Bytes that the client got so far. */
  readonly received: () => number
}

/**
 * A port that leads to another one of this machine through a network with delay and loss, as TCP shows them to programs: bytes come
 * late, those behind a lost packet wait until it was sent again, and there are not more of them in a second than the congestion window
 * allows (Mathis et al. 1997, "The macroscopic behavior of the TCP congestion avoidance algorithm").
 */
export async function slowNetwork(port: number, settings: NetworkSettings = {}): Promise<SlowNetwork> {
  const { roundTripMs = 50, loss = 0.02 } = settings
  const bytesPerMs = loss === 0 ? Number.POSITIVE_INFINITY : (PACKET_BYTES * 1.22) / (roundTripMs * Math.sqrt(loss))
  let received = 0
  const server = createServer({ noDelay: true }, (near) => {
    const far = dial({ port, host: '127.0.0.1', noDelay: true })
    pass(near, far, { roundTripMs, loss, bytesPerMs })
    pass(far, near, { roundTripMs, loss, bytesPerMs, count: (bytes) => (received += bytes) })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    origin: `http://127.0.0.1:${address.port}`,
    received: () => received,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

interface Way {
  readonly roundTripMs: number
  readonly loss: number
  readonly bytesPerMs: number
  readonly count?: (bytes: number) => void
}

/** One direction of one connection. What is on its way is bounded, as by a window, so that the sender notices. */
function pass(from: Socket, to: Socket, { roundTripMs, loss, bytesPerMs, count }: Way): void {
  const windowBytes = Math.max(16 * PACKET_BYTES, bytesPerMs * roundTripMs * 2)
  const onTheWay: { readonly packet: Buffer; readonly arrives: number }[] = []
  let bytesOnTheWay = 0
  let sentAt = 0
  let isScheduled = false
  let isOver = false
  const schedule = (ms: number) => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(deliver, ms)
  }
  // One queue, because timers of different lengths may fire in another order.
  const deliver = () => {
    isScheduled = false
    for (let [next] = onTheWay; next !== undefined && next.arrives <= performance.now(); [next] = onTheWay) {
      onTheWay.shift()
      bytesOnTheWay -= next.packet.length
      count?.(next.packet.length)
      if (!to.destroyed) to.write(next.packet)
    }
    if (bytesOnTheWay < windowBytes) from.resume()
    const [next] = onTheWay
    if (next !== undefined) schedule(Math.max(1, next.arrives - performance.now()))
    else if (isOver) to.end()
  }
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += PACKET_BYTES) {
      const packet = chunk.subarray(at, at + PACKET_BYTES)
      // A packet that is lost comes a round trip later, and what follows waits for it.
      const lostMs = Math.random() < loss ? roundTripMs : 0
      sentAt = Math.max(performance.now(), sentAt) + packet.length / bytesPerMs + lostMs
      onTheWay.push({ packet, arrives: sentAt + roundTripMs / 2 })
      bytesOnTheWay += packet.length
    }
    if (bytesOnTheWay >= windowBytes) from.pause()
    schedule(roundTripMs / 2)
  })
  from.on('error', () => to.destroy())
  from.once('end', () => {
    isOver = true
    schedule(1)
  })
  from.once('close', () => {
    isOver = true
    schedule(1)
  })
}
