import type { Client } from '@sightline/client'
import { getStreams, postStreamTicket, type StreamName } from '@sightline/contract/streams'

export interface WantedStream {
  readonly use: 'live' | 'playback'
  /** Where playback starts, milliseconds since 1970. */
  readonly time: number | undefined
  readonly stream: StreamName
}

export interface StreamAddress {
  readonly href: string
  readonly hasSub: boolean
}

/** The URL of a camera's stream with a one-time ticket, so that no URL contains a token. */
export async function streamAddress(
  client: Client,
  { cameraId, use, time, stream }: WantedStream & { readonly cameraId: number },
): Promise<StreamAddress> {
  const params = { cameraId }
  const [streams, { ticket }] = await Promise.all([
    client.call(getStreams, { params }),
    client.call(postStreamTicket, { params, body: { use, stream } }),
  ])
  const base = streams.find((one) => one.stream === stream)?.urls.mseWss
  if (base === undefined) throw new Error(`camera ${cameraId} has no ${stream} stream`)
  const address = new URL(base)
  address.searchParams.set('ticket', ticket)
  if (time !== undefined) address.searchParams.set('time', new Date(time).toISOString())
  return { href: address.href, hasSub: streams.some((one) => one.stream === 'sub') }
}
