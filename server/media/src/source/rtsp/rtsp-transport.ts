import { ok, type Result } from '@sightline/platform/result'
import type { CameraFault } from '../camera-fault.ts'
import { openHttpTunnel } from './http-tunnel.ts'
import {
  type DialedSocket,
  dial,
  dialPlain,
  finishSocket,
  type RtspTransport,
  type TransportOptions,
  watchEnd,
} from './rtsp-socket.ts'

/** Connects to a camera the way that its address and its habits say. */
export async function openTransport(options: TransportOptions): Promise<Result<RtspTransport, CameraFault>> {
  if (options.usesHttp) return await openHttpTunnel(options, () => dial(options))
  const { receive, ended } = options
  if (options.address.isSecure !== true) {
    const connected = await dialPlain(options, receive)
    return connected.ok ? ok(overSocket({ socket: connected.value, certificate: undefined }, ended)) : connected
  }
  const dialed = await dial(options)
  if (!dialed.ok) return dialed
  dialed.value.socket.on('data', receive)
  return ok(overSocket(dialed.value, ended))
}

function overSocket({ socket, certificate }: DialedSocket, ended: TransportOptions['ended']): RtspTransport {
  watchEnd(socket, ended)
  return {
    peer: socket.remoteAddress ?? '',
    certificate,
    get unsentBytes() {
      return socket.writableLength
    },
    write: (bytes) => void socket.write(bytes),
    destroy: () => void socket.destroy(),
    finish: () => finishSocket(socket),
  }
}
