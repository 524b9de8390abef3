import { createSocket } from 'node:dgram'
import { createServer, isIPv6 } from 'node:net'
import { StartError } from '@sightline/platform/startup'

/**
 * Finds out whether the port can be listened on, before anything is started that would have to be stopped again.
 * @throws StartError naming the setting to change.
 */
export async function checkPort(host: string, port: number, setting: string): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (cause) {
    throw new StartError(whyNot(cause, { host, port, setting }), { cause })
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
}

/**
 * The same for UDP.
 * @throws StartError naming the setting to change.
 */
export async function checkUdpPort(host: string, port: number, setting: string): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.bind({ address: host, port, exclusive: true }, resolve)
    })
  } catch (cause) {
    throw new StartError(whyNot(cause, { host, port, setting }), { cause })
  } finally {
    socket.close()
  }
}

function whyNot(cause: unknown, { host, port, setting }: { host: string; port: number; setting: string }): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program. Set ${setting} to a free port.`
  if (code === 'EACCES')
    return `This user has no permission to listen on port ${port}. Set ${setting} to 1024 or higher.`
  return `Could not listen on port ${port} of ${host} (${code}). Check SIGHTLINE_HOST and ${setting}.`
}
