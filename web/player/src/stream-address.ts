import type { Client } from '@sightline/client'
import { postStreamTicket, type StreamName } from '@sightline/contract/streams'
import { prepareStreamSocket } from './stream-socket.ts'

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

/** A ticket can be used for five minutes; one for a camera that nobody pressed in a minute is asked for again. */
const ASKED_MS = 60_000
/** A connection that nobody takes ends after three seconds, and its ticket is used then. */
const CONNECTED_MS = 2500

interface Prepared {
  readonly client: Client
  readonly cameraId: number
  readonly address: Promise<StreamAddress>
  readonly freshUntil: number
}

let prepared: Prepared | undefined

/**
 * Asks for the address of the live picture of a camera that will probably be opened, because the pointer rests on its link. Nothing
 * is received, and nobody counts as watching, until {@link connectLive} or {@link streamAddress} uses it.
 */
export function prepareLive(client: Client, cameraId: number): void {
  if (!isPrepared(client, cameraId)) prepared = ask(client, cameraId)
}

/**
 * Connects to a camera's live picture while a press on its link is still going on. The next {@link streamAddress} for it takes this
 * connection, which spares the picture two round trips.
 */
export function connectLive(client: Client, cameraId: number): void {
  prepareLive(client, cameraId)
  const { address } = prepared ?? ask(client, cameraId)
  address.then(
    ({ href }) => prepareStreamSocket(href),
    () => undefined,
  )
  prepared = { client, cameraId, address, freshUntil: performance.now() + CONNECTED_MS }
}

const ask = (client: Client, cameraId: number): Prepared => ({
  client,
  cameraId,
  address: askForAddress(client, { cameraId, use: 'live', time: undefined, stream: 'main' }),
  freshUntil: performance.now() + ASKED_MS,
})

const isPrepared = (client: Client, cameraId: number): boolean =>
  prepared?.client === client && prepared.cameraId === cameraId && performance.now() < prepared.freshUntil

function takePrepared(client: Client, { cameraId, use, stream }: WantedStream & { readonly cameraId: number }) {
  if (use !== 'live' || stream !== 'main' || !isPrepared(client, cameraId)) return undefined
  const taken = prepared
  prepared = undefined
  return taken?.address
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
