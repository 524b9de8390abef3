import type { Client } from '@sightline/client'
import { postStreamTicket, type StreamName } from '@sightline/contract/streams'

export interface WantedStream {
  readonly use: 'live' | 'playback'
  /** Where playback starts, milliseconds since 1970. */
  readonly time: number | undefined
  /** `smallest`: the sub-stream if the camera has one. */
  readonly stream: StreamName | 'smallest'
  /** Recordings of several cameras, by the clock: all pictures, or key pictures where only the main stream is there. */
  readonly together?: 'all' | 'keysOfMain'
}

export interface StreamAddress {
  readonly href: string
  readonly stream: StreamName
  readonly hasSub: boolean
}

/** Tickets last longer, but a press on a link opens it at once. */
const PREPARED_MS = 5000

interface Prepared {
  readonly client: Client
  readonly cameraId: number
  readonly address: Promise<StreamAddress>
  readonly preparedAt: number
}

let prepared: Prepared | undefined

/**
 * Asks for the address of a camera's live picture while a press on its link is still going on. The next {@link streamAddress} for it
 * takes this one, which spares the picture a round trip.
 */
export function prepareLive(client: Client, cameraId: number): void {
  const address = askForAddress(client, { cameraId, use: 'live', time: undefined, stream: 'main' })
  address.catch(() => undefined)
  prepared = { client, cameraId, address, preparedAt: performance.now() }
}

function takePrepared(client: Client, { cameraId, use, stream }: WantedStream & { readonly cameraId: number }) {
  const taken = prepared
  if (use !== 'live' || stream !== 'main' || taken?.client !== client || taken.cameraId !== cameraId) return undefined
  prepared = undefined
  return performance.now() - taken.preparedAt < PREPARED_MS ? taken.address : undefined
}

/** The URL of a camera's stream with a one-time ticket, so that no URL contains a token. */
export async function streamAddress(
  client: Client,
  wanted: WantedStream & { readonly cameraId: number },
): Promise<StreamAddress> {
  const taken = await takePrepared(client, wanted)?.catch(() => undefined)
  return taken ?? (await askForAddress(client, wanted))
}

async function askForAddress(
  client: Client,
  { cameraId, use, time, stream, together }: WantedStream & { readonly cameraId: number },
): Promise<StreamAddress> {
  const params = { cameraId }
  const body = stream === 'smallest' ? { use } : { use, stream }
  const { ticket, streams = [] } = await client.call(postStreamTicket, { params, body })
  const hasSub = streams.some((one) => one.stream === 'sub')
  const smallest = hasSub ? 'sub' : 'main'
  const chosen = stream === 'smallest' ? smallest : stream
  const base = streams.find((one) => one.stream === chosen)?.mseWss
  if (base === undefined) throw new Error(`camera ${cameraId} has no ${chosen} stream`)
  const address = new URL(base)
  if (together !== undefined) address.searchParams.set('media_times', 'wallclock')
  if (together === 'keysOfMain' && chosen === 'main') address.searchParams.set('pictures', 'keys')
  address.searchParams.set('ticket', ticket)
  if (time !== undefined) address.searchParams.set('time', new Date(time).toISOString())
  return { href: address.href, stream: chosen, hasSub }
}
