import { serveLive } from '../output/index.ts'
import { servePlayback } from '../playback/index.ts'
import type { StreamKey } from '../recording/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { findDisk } from './footage-disk-store.ts'
import type { FootageFiles } from './footage-files.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import { recordWatching, watchedAudit } from './stream-audit.ts'
import { serveTalk } from './talk-socket.ts'
import type { Talks } from './talks.ts'
import type { Viewer } from './upgrade-handler.ts'

export interface ServingDeps extends MediaWorkerDeps {
  /** Whether this worker keeps the camera's footage on its disk. */
  readonly keeps: (cameraId: number) => boolean
  /** The name of its disk. */
  readonly disk: string
  readonly keys: FootageKeyring
  readonly footage: FootageFiles
  readonly talks: Talks
}

/**
 * Whether another disk has the footage of a time. Without the database, what is on this disk is played; with one disk, nobody has to
 * ask.
 */
export function elsewhere(
  { db, disk, isOnlyDisk }: Pick<ServingDeps, 'db' | 'disk' | 'isOnlyDisk'>,
  stream: StreamKey,
  till = Number.POSITIVE_INFINITY,
): ((time: number) => Promise<boolean>) | undefined {
  if (isOnlyDisk === true) return undefined
  return async (time) => {
    if (time >= till) return false
    const found = await findDisk(db, { ...stream, time }).catch(() => undefined)
    return found !== undefined && found !== disk
  }
}

type Followed = NonNullable<Parameters<typeof serveLive>[0]['followTalks']>
export type ViewedChannels = Pick<ChannelKeeper, 'hubOf' | 'isPrivate'>

/** Until the viewer leaves, or may no longer watch. */
export async function serveViewer(
  viewer: Viewer,
  { keys, footage, talks, ...parts }: ServingDeps,
  channels: ViewedChannels,
): Promise<void> {
  const { socket, session, address } = viewer
  if (viewer.isTalk) return await serveTalk({ socket, session, address }, { ...parts, talks })
  const { accountId, cameraId, stream } = session
  const hub = channels.hubOf(cameraId, stream)
  const isPrivate = channels.isPrivate(cameraId)
  const isKept = session.use === 'playback' && (isPrivate || parts.keeps(cameraId))
  if (hub === undefined && !isKept) {
    socket.send(JSON.stringify({ type: 'end', code: isPrivate ? 18 : 4 }))
    return socket.close(1000)
  }
  await recordWatching(parts, session, address)
  const { signal } = session
  const sound = session.caller.rights.has('microphone') ? 'allowed' : 'withheld'
  if (session.use === 'live' && hub !== undefined) {
    const followTalks: Followed = (onChange, until) => talks.follow(cameraId, onChange, until)
    await serveLive({ socket, hub, sound, signal, followTalks })
  } else {
    const recorded = { accountId, cameraId, stream }
    const time = session.from ?? parts.now()
    const source = { store: parts.store, stream: recorded, keys, ...footage }
    const { till } = session
    const isElsewhere = elsewhere(parts, recorded, till)
    // Of a stream with an end, the first entry says it.
    await using watched = till === undefined ? watchedAudit(parts, session, address) : undefined
    const onSent = watched?.add
    await servePlayback({ ...source, ...viewer.playback, socket, time, till, sound, signal, isElsewhere, onSent })
  }
}
