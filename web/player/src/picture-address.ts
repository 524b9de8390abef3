import type { Client } from '@sightline/client'
import { getStreams, postStreamTicket } from '@sightline/contract/streams'

/** The URL of a camera's live pictures as JPEG with a one-time ticket; undefined if the server makes none. */
export async function pictureAddress(client: Client, cameraId: number): Promise<string | undefined> {
  const params = { cameraId }
  const [first] = await client.call(getStreams, { params })
  const base = first?.urls.multipartHttps ?? first?.urls.multipartHttp
  if (base === undefined) return undefined
  const { ticket } = await client.call(postStreamTicket, { params, body: { use: 'live' } })
  const address = new URL(base)
  address.searchParams.set('ticket', ticket)
  return address.href
}
