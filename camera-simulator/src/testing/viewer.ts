import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A reply to the test's own RTSP client, which shares no code with the server. */
export interface ClientReply {
  readonly status: number
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

export interface Packet {
  readonly channel: number
  readonly bytes: Buffer
  /** Milliseconds since 1970 when it arrived. */
  readonly at: number
}

export interface TestCredentials {
  readonly username: string
  readonly password: string
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Authorization for a challenge: RFC 2617 with qop, RFC 2069 without, either hash. */
export function authorize(
  challenge: string,
  method: string,
  uri: string,
  { username, password }: TestCredentials,
): string {
  const value = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(challenge)?.[1]
  const hash = value('algorithm') === 'SHA-256' ? sha256 : md5
  const [realm, nonce] = [value('realm') ?? '', value('nonce') ?? '']
  const secret = hash(`${username}:${realm}:${password}`)
  const request = hash(`${method}:${uri}`)
  const base = `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}"`
  const algorithm = value('algorithm') === undefined ? '' : `, algorithm=${value('algorithm')}`
  if (value('qop') === undefined) return `${base}, response="${hash(`${secret}:${nonce}:${request}`)}"${algorithm}`
  const response = hash(`${secret}:${nonce}:00000001:abcdef:auth:${request}`)
  return `${base}, response="${response}", qop=auth, nc=00000001, cnonce="abcdef"${algorithm}`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const PATIENCE_MS = 8000

/** An RTSP client over one connection that stores everything it receives. */
export class RtspTestClient {
  readonly #socket: Socket
  readonly #replies: ClientReply[] = []
  readonly packets: Packet[] = []
  /** Bytes that are neither a packet nor a reply have arrived. */
  isOutOfStep = false
  receivedBytes = 0
  closedBy: 'nothing' | 'end' | 'reset' = 'nothing'
  #received: Buffer = Buffer.alloc(0)
  #sequence = 0
  #session: string | undefined
  #challenge: string | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', () => {
      this.closedBy = 'reset'
    })
    socket.on('close', () => {
      if (this.closedBy === 'nothing') this.closedBy = 'end'
    })
  }

  /** Fails as the connection does. */
  static async connect(port: number): Promise<RtspTestClient> {
    const socket = connect({ host: '127.0.0.1', port })
    await once(socket, 'connect')
    return new RtspTestClient(socket)
  }

  /** Connects, signs in and plays video, and audio on request. */
  static async watching(
    port: number,
    path: string,
    credentials: TestCredentials,
    audio = false,
  ): Promise<RtspTestClient> {
    const viewer = await RtspTestClient.connect(port)
    const uri = `rtsp://127.0.0.1:${port}${path}`
    await viewer.signIn(uri, credentials)
    await viewer.ask('SETUP', `${uri}/track1`, { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }, credentials)
    if (audio) await viewer.ask('SETUP', `${uri}/track2`, { Transport: 'RTP/AVP/TCP;interleaved=2-3' }, credentials)
    const played = await viewer.ask('PLAY', uri, {}, credentials)
    if (played.status !== 200) throw new Error(`PLAY was answered with ${played.status}`)
    return viewer
  }

  /** DESCRIBE without and then with credentials. */
  async signIn(uri: string, credentials: TestCredentials): Promise<ClientReply> {
    const first = await this.ask('DESCRIBE', uri)
    this.#challenge = first.headers.get('www-authenticate')?.[0]
    return await this.ask('DESCRIBE', uri, {}, credentials)
  }

  /** Which of the challenges offered is answered from now on. */
  answer(challenge: string): void {
    this.#challenge = challenge
  }

  async ask(
    method: string,
    uri: string,
    headers: Readonly<Record<string, string>> = {},
    credentials?: TestCredentials,
  ): Promise<ClientReply> {
    this.send(method, uri, headers, credentials)
    await this.until(() => this.#replies.length > 0, `a reply to ${method}`)
    const reply = this.#replies.shift()
    if (reply === undefined) throw new Error('no reply')
    this.#session ??= reply.headers.get('session')?.[0]?.replace(/;.*/, '')
    return reply
  }

  send(method: string, uri: string, headers: Readonly<Record<string, string>>, credentials?: TestCredentials): void {
    this.#sequence += 1
    const lines = [`${method} ${uri} RTSP/1.0`, `CSeq: ${this.#sequence}`]
    if (this.#session !== undefined) lines.push(`Session: ${this.#session}`)
    if (credentials !== undefined && this.#challenge !== undefined)
      lines.push(`Authorization: ${authorize(this.#challenge, method, uri, credentials)}`)
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    this.#socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  }

  /** Sends one interleaved packet (RFC 2326 §10.12). */
  sendPacket(channel: number, packet: Buffer): void {
    this.#socket.write(Buffer.concat([Buffer.of(0x24, channel, packet.length >> 8, packet.length & 0xff), packet]))
  }

  /** Waits until what has been received fulfils the condition. */
  async until(condition: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS} ms for ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    this.receivedBytes += bytes.length
    if (this.isOutOfStep) return
    this.#received = Buffer.concat([this.#received, bytes])
    while (this.#received.length >= 4) {
      const taken = this.#received[0] === 0x24 ? this.#takePacket() : this.#takeReply()
      if (!taken) return
    }
  }

  #takePacket(): boolean {
    const end = 4 + this.#received.readUInt16BE(2)
    if (this.#received.length < end) return false
    this.packets.push({ channel: this.#received[1] ?? 0, bytes: this.#received.subarray(4, end), at: Date.now() })
    this.#received = this.#received.subarray(end)
    return true
  }

  #takeReply(): boolean {
    if (this.#received.toString('latin1', 0, 4) !== 'RTSP') {
      this.isOutOfStep = true
      return false
    }
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return false
    const [first = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n')
    const headers = new Map<string, string[]>()
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
      headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value])
    }
    const bodyEnd = end + 4 + Number(headers.get('content-length')?.[0] ?? 0)
    if (this.#received.length < bodyEnd) return false
    const body = this.#received.toString('utf8', end + 4, bodyEnd)
    this.#replies.push({ status: Number(first.split(' ')[1]), headers, body })
    this.#received = this.#received.subarray(bodyEnd)
    return true
  }
}

/** Fields of an RTP packet (RFC 3550 §5.1). */
export function readRtp({ bytes }: Packet) {
  return {
    marker: ((bytes[1] ?? 0) & 0x80) !== 0,
    payloadType: (bytes[1] ?? 0) & 0x7f,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    source: bytes.readUInt32BE(8),
    payload: bytes.subarray(12),
  }
}

/** Wall clock and RTP time of a sender report (RFC 3550 §6.4.1). */
export function readReport({ bytes }: Packet): { readonly wallClock: number; readonly timestamp: number } {
  const seconds = bytes.readUInt32BE(8) - 2_208_988_800
  return { wallClock: (seconds + bytes.readUInt32BE(12) / 2 ** 32) * 1000, timestamp: bytes.readUInt32BE(16) }
}
