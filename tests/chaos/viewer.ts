import { createHash } from 'node:crypto'
import { type StreamServerMessage, streamServerMessage } from '@sightline/contract/streams'
import type { AccessUnit, TrackConfig } from '../../server/media/src/frame/index.ts'
import { readFragment, readInitSegment } from '../../server/media/src/mux/index.ts'
import { callApi } from '../signed-in.ts'

/** A viewer of a camera over the product's WebSocket. */
export interface SocketViewer extends AsyncDisposable {
  readonly messages: readonly StreamServerMessage[]
  /** The {@link pictureHash} of every received picture, in order. */
  readonly pictures: readonly string[]
  /** The code of the `end` message, or undefined if the connection just broke. */
  readonly ended: Promise<number | undefined>
}

export interface WatchOptions {
  readonly origin: string
  readonly cameraId: number
  /** Start of playback, milliseconds since 1970; live if undefined. */
  readonly from?: number
  readonly credential: { readonly ticket: string } | { readonly accessToken: string }
}

/** Identifies a coded picture: the simulator burns a number into each. */
export function pictureHash(unit: AccessUnit): string {
  const hash = createHash('sha256')
  for (const piece of unit.units) hash.update(piece)
  return hash.digest('base64')
}

export function watch({ origin, cameraId, from, credential }: WatchOptions): SocketViewer {
  const address = new URL('/stream/mse/open', origin.replace('http', 'ws'))
  address.searchParams.set('camera_id', String(cameraId))
  if (from !== undefined) address.searchParams.set('time', new Date(from).toISOString())
  if ('ticket' in credential) address.searchParams.set('ticket', credential.ticket)
  else address.searchParams.set('access_token', credential.accessToken)
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  const messages: StreamServerMessage[] = []
  const pictures: string[] = []
  let tracks: readonly TrackConfig[] | undefined
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') {
      const message = streamServerMessage.parse(JSON.parse(data))
      messages.push(message)
      if (message.type === 'init') tracks = undefined
    } else if (tracks === undefined) tracks = readInitSegment(new Uint8Array(data))
    else pictures.push(...picturesIn(new Uint8Array(data), tracks))
  })
  const closed = new Promise<void>((done) => {
    socket.addEventListener('close', () => done())
  })
  return {
    messages,
    pictures,
    ended: closed.then(() => messages.find((message) => message.type === 'end')?.code),
    async [Symbol.asyncDispose]() {
      socket.close()
      await closed
    },
  }
}

const picturesIn = (bytes: Uint8Array, tracks: readonly TrackConfig[]): string[] =>
  readFragment(bytes, tracks, { origin: 0, wallClockAtZero: 0 })
    .filter(({ unit }) => unit.kind === 'video')
    .map(({ unit }) => pictureHash(unit))

/** Requests a one-time ticket from the API. */
export async function requestTicket(
  origin: string,
  token: string,
  wanted: { cameraId: number; use: 'live' | 'playback' },
): Promise<string> {
  const path = `cameras/${wanted.cameraId}/streamTickets`
  const { status, body } = await callApi<{ ticket: string }>(origin, token, `POST ${path}`, { use: wanted.use })
  if (status !== 201) throw new Error(`no ticket for camera ${wanted.cameraId}: ${status} ${JSON.stringify(body)}`)
  return body.ticket
}

/** Watches live with a new ticket. */
export const watchLive = async (origin: string, token: string, cameraId: number): Promise<SocketViewer> =>
  watch({ origin, cameraId, credential: { ticket: await requestTicket(origin, token, { cameraId, use: 'live' }) } })
