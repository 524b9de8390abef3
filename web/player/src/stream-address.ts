import type { Client } from '@sightline/client'
import { getStreams, postStreamTicket } from '@sightline/contract/streams'

/**
 * The URL of a camera's stream with a one-time ticket, so that no URL contains a token. `time` is the start of playback in
 * milliseconds since 1970.
 */
export async function streamAddress(
  client: Client,
  wanted: { cameraId: number; use: 'live' | 'playback'; time: number | undefined },
): Promise<string> {
  const params = { cameraId: wanted.cameraId }
  const [streams, { ticket }] = await Promise.all([
    client.call(getStreams, { params }),
    client.call(postStreamTicket, { params, body: { use: wanted.use } }),
  ])
  const base = streams[0]?.urls.mseWss
  if (base === undefined) throw new Error(`camera ${wanted.cameraId} offers no stream`)
  const address = new URL(base)
  address.searchParams.set('ticket', ticket)
  if (wanted.time !== undefined) address.searchParams.set('time', new Date(wanted.time).toISOString())
  return address.href
}
