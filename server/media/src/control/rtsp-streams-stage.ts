/** For tests: streams over RTSP on a port of their own, without a whole worker. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type RtspStreamDeps, rtspStreams } from './rtsp-streams.ts'

export interface ServedRtsp extends Disposable {
  readonly port: number
}

/** `deps` says which streams there are, and who may open them. */
export async function serveRtspStreams(
  deps: Pick<RtspStreamDeps, 'sessions' | 'channels' | 'footage' | 'onBug'> & Partial<RtspStreamDeps>,
): Promise<ServedRtsp> {
  const streams = rtspStreams({
    keeps: () => true,
    isElsewhere: async () => false,
    now: Date.now,
    onBegin: async () => undefined,
    onOverload: () => undefined,
    counted: (_, stream) => stream(),
    ...deps,
  })
  const server = createServer((socket: Socket) =>
    streams.accept({ url: '', headers: {}, address: '192.0.2.1' }, socket, new Uint8Array(0)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      streams.close()
      server.close()
    },
  }
}
