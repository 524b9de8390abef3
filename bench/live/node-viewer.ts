import { setTimeout as sleep } from 'node:timers/promises'
import { streamServerMessage } from '@sightline/contract/streams'
import { readFragment, readInitSegment } from '@sightline/media/mux'
import { callApi } from '../../tests/signed-in.ts'

const TICKS_PER_MS = 90

/** A received picture. */
export interface ReceivedPicture {
  /** Media time in milliseconds. */
  readonly mediaTime: number
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface NodeView {
  /** Time from requesting the ticket to the first message with a picture. */
  readonly firstPictureMs: number
  readonly arrived: readonly ReceivedPicture[]
  /** Server time minus media time at each mark of the stream. */
  readonly offsets: readonly number[]
}

interface Ticket {
  readonly ticket: string
  readonly streams: readonly { readonly mseWss: string }[]
}

/** The baseline of the live bench: a program that only records when each picture's bytes arrive. */
export async function watchInNode(
  given: { origin: string; token: string; cameraId: number; stream?: 'main' | 'sub' },
  lengthMs: number,
): Promise<NodeView> {
  const began = Date.now()
  const { origin, token, cameraId, stream: wanted = 'main' } = given
  const { body } = await callApi<Ticket>(origin, token, `POST cameras/${cameraId}/streamTickets`, { use: 'live' })
  const url = new URL(body.streams[wanted === 'main' ? 0 : 1]?.mseWss ?? '')
  url.searchParams.set('ticket', body.ticket)
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  const stream = readStream()
  socket.addEventListener('message', ({ data }) => stream.take(data, Date.now()))
  await sleep(lengthMs)
  socket.close()
  const { arrived, offsets } = stream
  const first = arrived[0]
  if (first === undefined) throw new Error(`camera ${cameraId} sent no picture within ${lengthMs} ms`)
  return { firstPictureMs: first.at - began, arrived, offsets }
}

function readStream() {
  const arrived: ReceivedPicture[] = []
  const offsets: number[] = []
  let tracks: ReturnType<typeof readInitSegment> | undefined
  const takeText = (text: string) => {
    const message = streamServerMessage.parse(JSON.parse(text))
    if (message.type === 'pos') offsets.push(message.wallclock - message.mediaTime * 1000)
    else if (message.type === 'init') tracks = undefined
  }
  const takeBytes = (bytes: Uint8Array, at: number) => {
    if (tracks === undefined) {
      tracks = readInitSegment(bytes)
      return
    }
    const samples = readFragment(bytes, tracks, { origin: 0, wallClockAtZero: 0 })
    const pictures = samples.filter(({ unit }) => unit.kind === 'video')
    arrived.push(...pictures.map(({ unit }) => ({ mediaTime: unit.time / TICKS_PER_MS, at })))
  }
  return {
    arrived,
    offsets,
    take(data: string | ArrayBuffer, at: number) {
      if (typeof data === 'string') takeText(data)
      else takeBytes(new Uint8Array(data), at)
    },
  }
}
