/** A machine's end of the link to the front. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { type FromWorker, readToWorker, type ToWorker } from '@sightline/media/control'
import type { Logger } from '@sightline/platform/log'
import { BEAT_EVERY_MS, watchPulse } from '../pulse.ts'
import { FRONT_NAME } from './certificates.ts'
import { type ChainAnswer, type ChainQuestion, chainQuestion } from './chain-messages.ts'
import type { MachineCredentials } from './credentials.ts'
import { BadFrame, FrameReader, MAX_FRAME_BYTES, messageText, parseMessage, sendFrame } from './frames.ts'
import {
  type FirstMessage,
  type FromMachine,
  LINK_VERSION,
  type ToMachine,
  toMachine,
  type Welcome,
} from './link-messages.ts'
import type { HostAndPort } from './machine-settings.ts'
import { cameraOfMessage, GrantCheck } from './request-grant.ts'

/** A viewer's request, and how to get the bytes of its connection. */
export interface OrderedStream {
  readonly message: Extract<ToWorker, { kind: 'stream' }>
  /** Opens the connection. */
  readonly connect: () => TLSSocket
}

export interface FrontLinkDeps {
  readonly front: HostAndPort
  readonly credentials: MachineCredentials
  readonly workerIds: readonly string[]
  /** After each connection: what the front may have missed is to be sent again. */
  readonly onWelcome: (welcome: Welcome) => void
  readonly onMessage: (workerId: string, message: Exclude<ToWorker, { kind: 'stream' }>) => void
  readonly onStream: (workerId: string, stream: OrderedStream) => void
  readonly onChain: (question: ChainQuestion) => Promise<ChainAnswer>
  readonly log: Logger
  readonly now: () => number
}

export interface FrontLink extends AsyncDisposable {
  /** @returns false while there is no connection. */
  send(message: FromMachine): boolean
  tell(workerId: string, message: FromWorker): boolean
}

const CONNECT_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 3000
/** The front signs the last heads of lists of footage meanwhile. */
const LEAVE_MS = 3000

/** Connects, and again whenever the connection is lost, until it is disposed. */
export function keepFrontLink(deps: FrontLinkDeps): FrontLink {
  const stopping = new AbortController()
  const link = new LinkToFront(deps, stopping.signal)
  const keeping = keepConnected(() => link.run(), deps.log, stopping.signal)
  return {
    send: (message) => link.send(message),
    tell: (workerId, message) => link.send({ kind: 'message', workerId, message }),
    async [Symbol.asyncDispose]() {
      await link.leave()
      stopping.abort()
      await keeping
    },
  }
}

async function keepConnected(run: () => Promise<string>, log: Logger, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS
  let told: string | undefined
  while (!signal.aborted) {
    const began = performance.now()
    const why = await run()
    if (signal.aborted) return
    if (performance.now() - began > CONNECT_MS) pause = FIRST_PAUSE_MS
    if (why !== told) log.warn({ why }, 'there is no connection to the front; trying again')
    told = why
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

class LinkToFront {
  readonly #deps: FrontLinkDeps
  readonly #grants: GrantCheck
  readonly #signal: AbortSignal
  #socket: TLSSocket | undefined
  readonly #saidBye = Promise.withResolvers<void>()

  constructor(deps: FrontLinkDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#grants = new GrantCheck(deps.credentials.grantKey)
    this.#signal = signal
  }

  send(message: FromMachine | FirstMessage): boolean {
    return this.#socket !== undefined && sendFrame(this.#socket, messageText(message))
  }

  /** Waits until the front has dealt with what was reported, or can't be reached. */
  async leave(): Promise<void> {
    if (!this.send({ kind: 'leaving' })) return
    const gone = new Promise((resolve) => this.#socket?.once('close', resolve))
    await Promise.race([this.#saidBye.promise, gone, sleep(LEAVE_MS, undefined, { ref: false })])
  }

  /** Until the connection ends; resolves with the reason. */
  async run(): Promise<string> {
    const { workerIds, now } = this.#deps
    const socket = openConnection(this.#deps)
    const failed = new Promise<string>((resolve) => {
      socket.on('error', (error) => resolve(error.message))
      socket.once('close', () => resolve('the front has closed the connection'))
    })
    const late = setTimeout(() => socket.destroy(new Error('the front doesn’t answer')), CONNECT_MS)
    const pulse = watchPulse(() => socket.destroy(new Error('the front doesn’t respond')))
    const beating = setInterval(() => this.send({ kind: 'alive' }), BEAT_EVERY_MS)
    const stop = () => socket.destroySoon()
    this.#signal.addEventListener('abort', stop)
    socket.once('secureConnect', () => {
      this.#socket = socket
      this.send({ kind: 'hello', version: LINK_VERSION, workerIds: [...workerIds], now: now() })
    })
    const beat = () => {
      clearTimeout(late)
      pulse.beat()
    }
    try {
      return await Promise.race([failed, this.#receiveAll(new FrameReader(socket), beat).then(() => failed)])
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      this.#signal.removeEventListener('abort', stop)
      clearTimeout(late)
      clearInterval(beating)
      pulse[Symbol.dispose]()
      this.#socket = undefined
      socket.destroy()
    }
  }

  async #receiveAll(reader: FrameReader, beat: () => void): Promise<void> {
    for (let text = await reader.next(MAX_FRAME_BYTES); text !== undefined; text = await reader.next(MAX_FRAME_BYTES)) {
      beat()
      this.#receive(parseMessage(text))
    }
  }

  #receive(value: unknown): void {
    const read = toMachine.safeParse(value)
    if (!read.success) throw new BadFrame('the front sent a message that can’t be understood')
    const message = read.data
    if (message.kind === 'refused') throw new BadFrame(message.sentence)
    if (message.kind === 'welcome') this.#deps.onWelcome(message)
    else if (message.kind === 'message') this.#obey(message)
    else if (message.kind === 'chain') void this.#answerChain(message)
    else if (message.kind === 'bye') this.#saidBye.resolve()
  }

  async #answerChain({ text, grant }: Extract<ToMachine, { kind: 'chain' }>): Promise<void> {
    const { credentials, onChain, log, now } = this.#deps
    const read = chainQuestion.safeParse(parseMessage(text))
    if (!read.success) return void log.error('the front sent a question about footage that can’t be understood')
    const about = { workerId: credentials.name, cameraId: read.data.of.cameraId, use: 'chain', text } as const
    const checked = this.#grants.check(grant, about, now())
    if ('refusal' in checked) log.error({ why: checked.refusal }, 'refused a question about footage')
    else this.send({ kind: 'chain', id: read.data.id, answer: await onChain(read.data) })
  }

  #obey({ workerId, text, grant }: Extract<ToMachine, { kind: 'message' }>): void {
    const { onMessage, onStream, log, now } = this.#deps
    const order = readToWorker(parseMessage(text))
    if (order === undefined) throw new BadFrame('the front sent a worker a message that can’t be understood')
    const about = cameraOfMessage(order)
    const checked = about === undefined ? { id: '' } : this.#grants.check(grant, { workerId, text, ...about }, now())
    if ('refusal' in checked)
      log.error({ workerId, use: about?.use, why: checked.refusal }, 'refused a request about a camera')
    else if (order.kind === 'stream')
      onStream(workerId, { message: order, connect: () => openStream(this.#deps, checked.id) })
    else onMessage(workerId, order)
  }
}

function openConnection({ front, credentials }: Pick<FrontLinkDeps, 'front' | 'credentials'>): TLSSocket {
  const options: ConnectionOptions = {
    host: front.host,
    port: front.port,
    // The front's certificate has this name, wherever it listens.
    servername: FRONT_NAME,
    ca: credentials.authority,
    cert: credentials.certificate,
    key: credentials.key,
    minVersion: 'TLSv1.3',
  }
  return connect(options)
}

/** A connection of its own for one stream that the front asked for. */
function openStream(deps: FrontLinkDeps, id: string): TLSSocket {
  const socket = openConnection(deps)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  sendFrame(socket, messageText({ kind: 'stream', id } satisfies FirstMessage))
  return socket
}
