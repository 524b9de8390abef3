import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A request as received. */
export interface CameraRequest {
  readonly method: string
  readonly uri: string
  readonly headers: ReadonlyMap<string, string>
}

/** A camera's reply: header lines without CSeq, and a body. `undefined` sends none. */
export interface ScriptedReply {
  readonly status?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Raw bytes after the reply. */
  readonly followedBy?: Uint8Array
}

export type Script = (asked: CameraRequest, socket: Socket) => ScriptedReply | undefined

export interface ScriptedCamera extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly CameraRequest[]
}

export const sdp = (control = 'trackID=1'): string =>
  `v=0\r\ns=-\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:${control}\r\n`

/** A correct camera; a test changes one reply. */
export function wellBehaved({ method, headers }: CameraRequest): ScriptedReply {
  switch (method) {
    case 'DESCRIBE':
      return { headers: { 'Content-Type': 'application/sdp' }, body: sdp() }
    case 'SETUP':
      return { headers: { Session: 'abc;timeout=60', Transport: headers.get('transport') ?? '' } }
    case 'OPTIONS':
      return { headers: { Public: 'OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER' } }
    default:
      return { headers: { Session: 'abc' } }
  }
}

/** Listens on a free port of loopback and replies by the script. */
export async function scriptedCamera(script: Script, path = '/live'): Promise<ScriptedCamera> {
  const asked: CameraRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      text = withoutPackets(text + data.toString('latin1'))
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = parse(text.slice(0, end))
        text = withoutPackets(text.slice(end + 4))
        asked.push(request)
        const answer = script(request, socket)
        if (answer !== undefined) write(socket, request, answer)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `rtsp://127.0.0.1:${port}${path}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reports of the viewer may come between requests. */
function withoutPackets(text: string): string {
  if (!text.startsWith('$') || text.length < 4) return text
  const end = 4 + (text.charCodeAt(2) << 8) + text.charCodeAt(3)
  return text.length < end ? text : withoutPackets(text.slice(end))
}

function parse(text: string): CameraRequest {
  const [start = '', ...lines] = text.split('\r\n')
  const [method = '', uri = ''] = start.split(' ')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { method, uri, headers: new Map(pairs) }
}

function write(
  socket: Socket,
  asked: CameraRequest,
  { status = '200 OK', headers = {}, body = '', followedBy }: ScriptedReply,
): void {
  const lines = [`RTSP/1.0 ${status}`, `CSeq: ${asked.headers.get('cseq')}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  if (followedBy !== undefined) socket.write(followedBy)
}
