import { once } from 'node:events'
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Socket } from 'node:net'

/** A way to a server that the test can break: open connections end, and new ones are refused. */
export interface BreakableConnection extends AsyncDisposable {
  break(): void
  mend(): void
}

/** @param at where clients connect: a port of loopback, another address with a port, or the path of a unix socket. */
export async function breakableConnection(
  at: number | string | Pick<ListenOptions, 'host' | 'port'>,
  to: NetConnectOpts,
): Promise<BreakableConnection> {
  const open = new Set<Socket>()
  let isBroken = false
  const server = createServer((near) => {
    if (isBroken) return void near.destroy()
    const far = connect(to)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  if (typeof at === 'object') server.listen(at)
  else server.listen(typeof at === 'number' ? { port: at, host: '127.0.0.1' } : { path: at })
  await once(server, 'listening')
  const end = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    break() {
      isBroken = true
      end()
    },
    mend() {
      isBroken = false
    },
    async [Symbol.asyncDispose]() {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
