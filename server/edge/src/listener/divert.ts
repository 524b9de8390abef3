import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that aren't for the web server. */
export interface Diversion {
  /** By the first bytes; undefined while there are too few to tell. */
  readonly isWanted: (bytes: Buffer) => boolean | undefined
  /** `first` was read of the connection. */
  readonly accept: (socket: Socket, first: Buffer) => void
}

/**
 * Reads the first bytes of each connection before the web server does, which gets them back unless the connection is wanted. A silent
 * one is given to the web server after `patienceMs`.
 *
 * @param event `connection`, or `secureConnection` with TLS.
 */
export function divertConnections(
  server: Server,
  event: 'connection' | 'secureConnection',
  { isWanted, accept, patienceMs }: Diversion & { readonly patienceMs: number },
): void {
  const handlers = server.listeners(event)
  server.removeAllListeners(event)
  server.on(event, (socket: Socket) => {
    let bytes: Buffer = Buffer.alloc(0)
    const gone = () => socket.destroy()
    const pass = () => {
      stop()
      if (bytes.length > 0) socket.unshift(bytes)
      for (const handle of handlers) Reflect.apply(handle, server, [socket])
      socket.resume()
    }
    const read = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const wanted = isWanted(bytes)
      if (wanted === undefined) return
      if (!wanted) return pass()
      stop()
      accept(socket, bytes)
    }
    const timer = setTimeout(pass, patienceMs)
    const stop = () => {
      clearTimeout(timer)
      socket.off('data', read).off('end', gone).off('error', gone).off('close', stop)
      socket.pause()
    }
    socket.on('data', read).on('end', gone).on('error', gone).once('close', stop)
  })
}
