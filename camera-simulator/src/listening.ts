import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Binds and returns the port, which is useful if 0 was requested. Fails with the address that couldn't be bound. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new Error(`cannot listen on ${host} port ${port}`, { cause })
  }
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error(`no port after binding ${host} port ${port}`)
  return address.port
}

/** Stops listening and waits until the last connection has ended; the caller ends them. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}
