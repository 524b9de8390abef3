import { once } from 'node:events'
import type { Server } from 'node:http'
import { talkServerMessage } from '@sightline/contract/camera-audio'
import { streamServerMessage } from '@sightline/contract/streams'
import { type Db, idSource } from '@sightline/platform/db'
import type { StreamSessions } from '../../server/media/src/control/stream-sessions.ts'
import { serveTalk } from '../../server/media/src/control/talk-socket.ts'
import { streamUpgradeHandler, type Viewer } from '../../server/media/src/control/upgrade-handler.ts'

export interface SocketDesk extends Disposable {
  /** The code that the socket ends with. */
  ask(url: string): Promise<number>
}

interface SocketDeskDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  /** Under the role of the media plane. */
  readonly media: Db
}

const CAMERA_OFFLINE = 18
const NOT_AUTHORIZED = 9

/** The media plane's sockets without a camera: who is admitted hears that it is offline. */
export function openSocketDesk(server: Server, { sessions, media }: SocketDeskDeps): SocketDesk {
  const bugs: unknown[] = []
  const talks = { take: async () => ({ kind: 'cameraOffline' }) as const }
  const serve = async ({ isTalk, socket, session, address }: Viewer): Promise<void> => {
    if (isTalk) return await serveTalk({ socket, session, address }, { db: media, ids: idSource(media), talks })
    socket.send(JSON.stringify({ type: 'end', code: CAMERA_OFFLINE }))
    socket.close(1000)
  }
  const upgrades = streamUpgradeHandler({
    sessions: sessions as StreamSessions,
    serve,
    onOverload: () => bugs.push(new Error('too many sockets')),
    onBug: (error) => bugs.push(error),
  })
  server.on('upgrade', ({ url = '', headers }, socket, head) =>
    upgrades.accept({ url, headers: headers as Record<string, string>, address: '192.0.2.1' }, socket, head),
  )
  return {
    async ask(url) {
      const socket = new WebSocket(url.replace(/^http/, 'ws'))
      const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>]
      socket.close()
      if (bugs.length > 0) throw bugs[0]
      return toCode(JSON.parse(data))
    },
    [Symbol.dispose]: () => upgrades.close(),
  }
}

/** Of the last message of a socket; the reasons of a talk are no codes. */
function toCode(message: unknown): number {
  const ended = streamServerMessage.safeParse(message).data
  if (ended?.type === 'end') return ended.code
  const talk = talkServerMessage.parse(message)
  if (talk.type !== 'end') throw new Error('there is no camera to talk through')
  return talk.reason === 'notAllowed' ? NOT_AUTHORIZED : CAMERA_OFFLINE
}
