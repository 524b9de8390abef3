import { setTimeout as sleep } from 'node:timers/promises'
import type { Hub } from '../hub/index.ts'
import type { ChannelDeps } from './camera-channel.ts'
import type { SubStream } from './sub-stream.ts'

/** Said again until it is heard: the holder forgets what was said before it knew. */
const ANNOUNCE_EVERY_MS = 500
/** The sub-stream is waited for, but not for long: the main stream is the one that is to have no gap. */
const SUB_STREAM_MS = 2000
/** A key picture is larger than this only if it is damaged. */
const KEY_PICTURE_BYTES = 16 * 1024 * 1024

interface Announced {
  readonly leases: Pick<ChannelDeps['leases'], 'announce'>
  readonly hub: Hub
  readonly sub: SubStream | undefined
  readonly log: ChannelDeps['log']
}

/**
 * Tells the worker that still has a camera when to let go: once there is a picture to begin with, or if the camera refuses a
 * second connection. Ends when the lease is granted or the signal aborts.
 */
export function announceWhenReady(
  { leases, hub, sub, log }: Announced,
  granted: Promise<unknown>,
  signal: AbortSignal,
): { readonly refused: () => void } {
  const over = new AbortController()
  void granted.then(() => over.abort())
  const until = AbortSignal.any([signal, over.signal])
  const refused = Promise.withResolvers<void>()
  const ready = async () => {
    await untilKeyPicture(hub, until)
    if (sub !== undefined) await Promise.race([untilKeyPicture(sub.hub, until), pause(SUB_STREAM_MS, until)])
  }
  const announce = async () => {
    await Promise.race([ready(), refused.promise])
    while (!until.aborted) {
      await leases.announce().catch((err: unknown) => log.debug({ err }, 'could not announce a camera’s next worker'))
      await pause(ANNOUNCE_EVERY_MS, until)
    }
  }
  void announce()
  return { refused: refused.resolve }
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

async function untilKeyPicture(hub: Hub, signal: AbortSignal): Promise<void> {
  const reader = hub.join({ maxQueuedBytes: KEY_PICTURE_BYTES, start: 'next-key' })
  const leave = () => reader.leave()
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  for (let message = await reader.next(); message !== undefined; message = await reader.next())
    if (message.kind === 'unit') break
  signal.removeEventListener('abort', leave)
  leave()
}
