import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '@sightline/platform/db'
import { idempotencyStore, openHttp, type ServedRoute } from '@sightline/platform/http'
import { createFindSession, sessionReader } from '@sightline/platform/sessions'

export interface Call {
  readonly method: string
  /** The path after the version, with query. */
  readonly path: string
  readonly token: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface FrameReply {
  readonly status: number
  /** All headers except those that vary, one per line. */
  readonly headers: string
  readonly text: string
}

/** Routes served over a real socket. */
export interface ServedFrame extends AsyncDisposable {
  call(call: Call): Promise<FrameReply>
}

export interface FrameDeps {
  readonly app: Db
  readonly served: readonly ServedRoute[]
  /** How long sessions are cached; not at all by default. */
  readonly rememberMs?: number
  readonly onBug: (error: unknown) => void
}

export async function openFrame({ app, served, rememberMs = 0, onBug }: FrameDeps): Promise<ServedFrame> {
  const http = await openHttp({
    served,
    sessions: sessionReader({
      find: createFindSession(app.plain),
      now: Date.now,
      agreementVersion: async () => '1',
      maxAgeMs: rememberMs,
    }),
    // Every call has its own address, so that one caller's wrong passwords lock no one else out.
    originOf: (req) => ({ address: String(req.headers['x-forwarded-for']), host: req.headers.host ?? '' }),
    onBug,
    idempotency: idempotencyStore(app),
    callLimit: undefined,
  })
  // A busy test leaves connections idle for seconds; one that is closed as a call is sent on it would look like a failed call.
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => http.handle(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let calls = 0
  return {
    call: (call) => {
      calls += 1
      return send(call, { port, agent, address: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}` })
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await http.close()
    },
  }
}

interface Line {
  readonly port: number
  readonly agent: Agent
  readonly address: string
}

function send({ method, path, token, headers, body }: Call, { port, agent, address }: Line): Promise<FrameReply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const outgoing = request({
      port,
      agent,
      method,
      path: `/rest/v2.4/${path}`,
      headers: {
        host: 'tenancy.example',
        'x-forwarded-for': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const lines = Object.entries(incoming.headers).filter(([name]) => !VARYING.has(name))
        resolve({
          status: incoming.statusCode ?? 0,
          headers: lines.map(([name, value]) => `${name}: ${value}`).join('\n'),
          text: Buffer.concat(chunks).toString(),
        })
      })
    })
    outgoing.end(text)
  })
}

/** Headers of the connection, not of the answer. */
const VARYING = new Set(['date', 'connection', 'keep-alive'])
