import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RTSP_PATH } from '@sightline/contract/streams'
import { addressGroup } from '@sightline/platform/limits'
import { TunnelConnection } from './tunnel-connection.ts'

const TYPE = 'application/x-rtsp-tunnelled'
const BEGINNINGS = [`GET ${RTSP_PATH}?`, `POST ${RTSP_PATH}?`]
const MAX_HEAD_BYTES = 16_384
/** For a head to arrive, and for the POST of a GET. */
const PATIENCE_MS = 10_000
/** GETs without a POST, of all clients and of one address (a /64 of IPv6). */
const MAX_WAITING = 500
const MAX_WAITING_OF_ONE = 20

/** `url` is the path with its query, as the GET has it. */
export type OpenTunnel = (url: string, connection: { socket: Duplex; head: Uint8Array; address: string }) => void

export interface TunnelOptions {
  /** The client's address. */
  readonly addressOf: (request: { readonly socket: Socket; readonly headers: IncomingHttpHeaders }) => string
  readonly open: OpenTunnel
}

/** The first bytes of a connection: undefined while there are too few to tell. */
export function wantsTunnel(bytes: Buffer): boolean | undefined {
  const text = bytes.toString('latin1', 0, 64)
  if (BEGINNINGS.some((beginning) => text.startsWith(beginning))) return true
  return BEGINNINGS.some((beginning) => beginning.startsWith(text)) ? undefined : false
}

interface Half {
  readonly method: string
  readonly url: string
  readonly key: string
  readonly address: string
  /** What came after the head. */
  readonly rest: Uint8Array
}

/**
 * RTSP over HTTP ("Tunneling QuickTime RTSP and RTP over HTTP", Apple 1999): a GET and a POST with the same cookie, address and
 * target are one connection of RTSP. The web server can't answer them: the body of the POST has neither an end nor the length that it says.
 */
export function rtspTunnels({ addressOf, open }: TunnelOptions): (socket: Socket, first: Buffer) => void {
  const waiting = new Map<string, { readonly socket: Socket; readonly group: string }>()
  const opened = new Map<string, TunnelConnection>()

  const get = (socket: Socket, { key, address }: Half) => {
    const group = addressGroup(address)
    const ofOne = [...waiting.values()].filter((other) => other.group === group).length
    if (waiting.size >= MAX_WAITING || ofOne >= MAX_WAITING_OF_ONE) return refuse(socket, '503 Service Unavailable')
    // A cookie names one tunnel.
    if (waiting.has(key) || opened.has(key)) return refuse(socket, '400 Bad Request')
    waiting.set(key, { socket, group })
    const late = setTimeout(() => waiting.has(key) && socket.destroy(), PATIENCE_MS)
    socket.once('close', () => {
      clearTimeout(late)
      if (waiting.get(key)?.socket === socket) waiting.delete(key)
    })
    socket.write(`HTTP/1.0 200 OK\r\ncontent-type: ${TYPE}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n`)
  }
  const post = (socket: Socket, { key, url, address, rest }: Half) => {
    const known = opened.get(key)
    if (known !== undefined) return known.receive(socket, rest)
    const down = waiting.get(key)?.socket
    if (down === undefined) return refuse(socket, '404 Not Found')
    waiting.delete(key)
    const tunnel = new TunnelConnection(down)
    opened.set(key, tunnel)
    tunnel.on('error', () => tunnel.destroy())
    tunnel.once('close', () => opened.delete(key))
    tunnel.receive(socket, rest)
    open(url, { socket: tunnel, head: new Uint8Array(0), address })
  }

  return (socket, first) =>
    readHead(socket, first, (text, rest) => {
      const half = parseHalf(text)
      if (half === undefined) return refuse(socket, '400 Bad Request')
      const { cookie, headers, ...request } = half
      const address = addressOf({ socket, headers })
      const key = [address, cookie, request.url].join(' ')
      const serve = request.method === 'GET' ? get : post
      serve(socket, { ...request, key, address, rest })
    })
}

const refuse = (socket: Socket, status: string): void =>
  void socket.end(`HTTP/1.0 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`, () => socket.destroy())

/** Calls `done` once, with the head and what came after it; the socket is paused then. */
function readHead(socket: Socket, first: Buffer, done: (text: string, rest: Uint8Array) => void): void {
  let bytes: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
  const gone = () => socket.destroy()
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1 && bytes.length <= MAX_HEAD_BYTES) return
    clearTimeout(timer)
    socket.off('data', read).off('end', gone)
    socket.pause()
    if (end === -1 || end > MAX_HEAD_BYTES) return refuse(socket, '431 Request Header Fields Too Large')
    done(bytes.toString('latin1', 0, end), bytes.subarray(end + 4))
  }
  socket.on('error', gone).on('end', gone).on('data', read)
  socket.once('close', () => clearTimeout(timer))
  read(first)
  if (socket.listeners('data').includes(read)) socket.resume()
}

function parseHalf(text: string) {
  const [start = '', ...lines] = text.split('\r\n')
  const [, method, url] = /^(GET|POST) ([\x21-\x7e]{1,4096}) HTTP\/1\.[01]$/.exec(start) ?? []
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    const known = headers[name.toLowerCase()]
    headers[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`
  }
  const cookie = headers['x-sessioncookie'] ?? ''
  if (method === undefined || url === undefined || !/^[\x21-\x7e]{8,256}$/.test(cookie)) return undefined
  return { method, url, cookie, headers }
}
