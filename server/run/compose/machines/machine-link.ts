import type { KeyObject } from 'node:crypto'
import { type Duplex, duplexPair } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { MachineRow } from '@sightline/media/control'
import { readFromWorker, type StreamRequest, type ToWorker } from '@sightline/media/control'
import type { Logger } from '@sightline/platform/log'
import {
  answerOnly,
  askWorker,
  type ForwardedRequest,
  forwardRequest,
  joinSockets,
  stallLimit,
} from '../piped-stream.ts'
import { BEAT_EVERY_MS, type Pulse, watchPulse } from '../pulse.ts'
import { questions } from '../questions.ts'
import {
  type OpeningStream,
  type RunningWorker,
  toStreamRequest,
  type WorkerConnection,
  type WorkerDesk,
  workerConnection,
} from '../worker-connection.ts'
import { type ChainAnswer, chainAnswer } from './chain-messages.ts'
import { BadFrame, type FrameReader, MAX_FRAME_BYTES, messageText, parseMessage, sendFrame } from './frames.ts'
import { type FirstMessage, fromMachine, LINK_VERSION, type ToMachine, type Welcome } from './link-messages.ts'
import { type AskChain, linkedHeadDisk } from './linked-head-disk.ts'
import { cameraOfMessage, signRequest } from './request-grant.ts'

export interface MachineLinkDeps {
  readonly machine: Pick<MachineRow, 'name' | 'certificateSha256'>
  readonly socket: TLSSocket
  readonly reader: FrameReader
  readonly hello: Extract<FirstMessage, { kind: 'hello' }>
  readonly welcome: Omit<Welcome, 'kind'>
  /** Ed25519, private. */
  readonly grantKey: KeyObject
  readonly desk: WorkerDesk
  readonly log: Logger
  readonly now: () => number
}

interface LinkedWorker {
  readonly connection: WorkerConnection
  readonly running: RunningWorker
  isResponding: boolean
  starts: number | undefined
}

interface WaitingStream extends Pick<OpeningStream, 'request'> {
  readonly viewer: Duplex
  readonly late: NodeJS.Timeout
}

/** A viewer waits so long for the connection that the machine opens for it. */
const STREAM_MS = 10_000
/** Both clocks decide what a grant is worth, and what time footage has. */
const CLOCK_MS = 10_000
/** Reading the lists of a fortnight takes a slow disk some seconds. */
const CHAIN_MS = 15_000
/** Questions of one machine that are answered at the same time; until then it is not read from. */
const QUESTIONS = 32

/** The front's end of the link with one machine. */
export class MachineLink {
  readonly certificateSha256: Buffer
  /** Resolves with the reason. */
  readonly closed: Promise<string>
  readonly #deps: MachineLinkDeps
  readonly #workers: ReadonlyMap<string, LinkedWorker>
  readonly #streams = new Map<string, WaitingStream>()
  readonly #joined = new Set<TLSSocket>()
  readonly #pulse: Pulse
  readonly #beating: NodeJS.Timeout
  readonly #close: (why: string) => void
  readonly #clockOffMs: number
  readonly #questions = new Set<Promise<void>>()
  readonly #chains = questions<ChainAnswer>(CHAIN_MS)
  #why: string | undefined

  constructor(deps: MachineLinkDeps) {
    const { machine, socket, hello, welcome, now } = deps
    this.#deps = deps
    this.certificateSha256 = machine.certificateSha256
    this.#clockOffMs = hello.now - now()
    const closed = Promise.withResolvers<string>()
    this.closed = closed.promise
    this.#close = closed.resolve
    this.#pulse = watchPulse(() => this.end('it doesn’t respond'))
    this.#beating = setInterval(() => this.#send({ kind: 'alive' }), BEAT_EVERY_MS).unref()
    const refusal = refusalOf(hello, machine.name)
    this.#workers = new Map(refusal === undefined ? hello.workerIds.map((id) => [id, this.#joinWorker(id)]) : [])
    socket.once('close', () => this.end('the connection has broken'))
    if (refusal === undefined) {
      this.#send({ kind: 'welcome', ...welcome })
      void this.#receiveAll()
    } else {
      this.#send({ kind: 'refused', sentence: refusal })
      socket.end()
      this.end(refusal)
    }
  }

  get isOpen(): boolean {
    return this.#why === undefined
  }

  workers(): readonly RunningWorker[] {
    return [...this.#workers.values()].map(({ running }) => running)
  }

  problems(): readonly string[] {
    const { name } = this.#deps.machine
    const silent = [...this.#workers].filter(([, { isResponding, starts }]) => starts !== undefined && !isResponding)
    const clock =
      Math.abs(this.#clockOffMs) > CLOCK_MS
        ? [`the clock of the machine ${name} is off by ${Math.round(this.#clockOffMs / 1000)} seconds`]
        : []
    return [
      ...clock,
      ...silent.map(([workerId]) => `the media worker ${workerId} of the machine ${name} is not responding`),
    ]
  }

  /** The machine has connected for a viewer that waits here. @returns false if none does. */
  joinStream(id: string, { socket, first }: { readonly socket: TLSSocket; readonly first: Buffer }): boolean {
    const waiting = this.#streams.get(id)
    this.#streams.delete(id)
    if (waiting === undefined) return false
    clearTimeout(waiting.late)
    socket.setNoDelay(true)
    if (first.length > 0) waiting.viewer.write(first)
    joinSockets(waiting.viewer, socket, stallLimit(waiting.request))
    this.#joined.add(socket)
    socket.once('close', () => this.#joined.delete(socket))
    return true
  }

  end(why: string): void {
    if (this.#why !== undefined) return
    this.#why = why
    clearInterval(this.#beating)
    this.#pulse[Symbol.dispose]()
    for (const { viewer, late } of this.#streams.values()) {
      clearTimeout(late)
      viewer.destroy()
    }
    for (const socket of this.#joined) socket.destroy()
    for (const { connection } of this.#workers.values()) connection.leave()
    this.#deps.socket.destroySoon()
    this.#close(why)
  }

  #send(message: ToMachine): boolean {
    return this.#why === undefined && sendFrame(this.#deps.socket, messageText(message))
  }

  #joinWorker(workerId: string): LinkedWorker {
    const { desk, machine } = this.#deps
    const linked = { isResponding: false, starts: undefined as number | undefined }
    const send = (message: ToWorker) => this.#sendTo(workerId, message) !== undefined
    const isResponding = () => this.isOpen && !this.#pulse.isSilent && linked.isResponding
    const connection = workerConnection({
      workerId,
      disk: machine.name,
      desk,
      send,
      isResponding,
      headDisk: linkedHeadDisk(machine.name, this.#askChain),
      // Another machine can say that it serves a camera; it counts only if the camera is assigned to it.
      believes: (cameraId) => desk.assignment.isAssigned(cameraId, workerId),
    })
    connection.restarted()
    const { receive: _, restarted: __, leave: ___, ...parts } = connection
    const running: RunningWorker = {
      ...parts,
      send: (message) => void send(message),
      upgrade: (stream) => this.#order(workerId, stream),
      answerStream: (forwarded) => {
        const [near, far] = duplexPair()
        this.#order(workerId, { request: toWholeRequest(forwarded), socket: far, head: forwarded.body })
        forwardRequest(forwarded, { createConnection: () => answerOnly(near) })
      },
      requestClip: (url) => {
        const [near, far] = duplexPair()
        const headers = { host: 'media', connection: 'close' }
        this.#order(workerId, { request: { url, headers, address: '' }, socket: far, head: new Uint8Array() })
        return askWorker({ url, method: 'GET', headers }, { createConnection: () => answerOnly(near) })
      },
      // A machine that is away doesn't keep this one from serving.
      unready: () => [],
      problems: () => connection.problems().map((problem) => `${machine.name}: ${problem}`),
    }
    return Object.assign(linked, { connection, running })
  }

  /** The machine connects for the viewer, and the bytes of the worker's answer come over that connection. */
  #order(workerId: string, { socket, ...stream }: OpeningStream): void {
    const id = this.#sendTo(workerId, { kind: 'stream', ...stream })
    if (id === undefined || id === '') return void socket.destroy()
    const late = setTimeout(() => this.#dropStream(id), STREAM_MS)
    this.#streams.set(id, { viewer: socket, late, request: stream.request })
    socket.once('close', () => this.#dropStream(id))
    socket.on('error', () => socket.destroy())
  }

  #dropStream(id: string): void {
    const waiting = this.#streams.get(id)
    if (waiting === undefined) return
    this.#streams.delete(id)
    clearTimeout(waiting.late)
    waiting.viewer.destroy()
  }

  readonly #askChain: AskChain = async (question) => {
    const { machine, grantKey, now } = this.#deps
    if (!this.isOpen) return undefined
    return await this.#chains.ask((id) => {
      const text = messageText({ ...question, id })
      const about = { workerId: machine.name, cameraId: question.of.cameraId, use: 'chain', text } as const
      const { grant, signature } = signRequest(about, grantKey, now())
      this.#send({ kind: 'chain', text, grant: { grant, signature } })
    })
  }

  /** The id of the grant, empty if it needs none; undefined if the message could not be sent. */
  #sendTo(workerId: string, message: ToWorker): string | undefined {
    const { grantKey, now } = this.#deps
    const text = messageText(message)
    const about = cameraOfMessage(message)
    if (about === undefined) return this.#send({ kind: 'message', workerId, text }) ? '' : undefined
    const { id, grant, signature } = signRequest({ workerId, text, ...about }, grantKey, now())
    return this.#send({ kind: 'message', workerId, text, grant: { grant, signature } }) ? id : undefined
  }

  async #receiveAll(): Promise<void> {
    const { reader } = this.#deps
    try {
      for (;;) {
        const text = await reader.next(MAX_FRAME_BYTES)
        if (text === undefined) return this.end('it has closed the connection')
        this.#pulse.beat()
        await this.#receive(parseMessage(text))
      }
    } catch (error) {
      this.end(error instanceof Error ? error.message : String(error))
    }
  }

  /** Resolves when the next message may come. */
  async #receive(value: unknown): Promise<void> {
    const read = fromMachine.safeParse(value)
    if (!read.success) throw new BadFrame('a message that can’t be understood')
    const message = read.data
    if (message.kind === 'alive') return
    if (message.kind === 'chain') {
      const answer = chainAnswer.safeParse(message.answer)
      if (answer.success) this.#chains.answer(message.id, answer.data)
      return
    }
    if (message.kind === 'leaving') {
      void this.#deps.desk.headSigner.settled().then(() => this.#send({ kind: 'bye' }))
      return
    }
    const worker = this.#workers.get(message.workerId)
    if (worker === undefined) throw new BadFrame(`a message of a worker that it doesn't have`)
    if (message.kind === 'worker') {
      if (worker.starts !== undefined && worker.starts !== message.starts) worker.connection.restarted()
      worker.starts = message.starts
      worker.isResponding = message.isResponding
      return
    }
    const said = readFromWorker(message.message)
    if (said === undefined) {
      this.#deps.log.error({ worker: message.workerId }, 'a media worker sent a message that can’t be understood')
      return
    }
    const question = worker.connection
      .receive(said, (reply) => void this.#sendTo(message.workerId, reply))
      .finally(() => this.#questions.delete(question))
    this.#questions.add(question)
    if (this.#questions.size > QUESTIONS) await Promise.race(this.#questions)
  }
}

/** A machine's workers bear its name, so that none can pretend to be another's. */
function refusalOf({ version, workerIds }: MachineLinkDeps['hello'], name: string): string | undefined {
  if (version !== LINK_VERSION) return 'The front and this machine run different versions of Sightline.'
  return workerIds.every((id, index) => id === `${name}-${index + 1}`)
    ? undefined
    : `The workers of the machine ${name} must be named ${name}-1, ${name}-2, …`
}

/** The worker gets the body right behind the headers, as a whole: chunks of the client are joined already. */
function toWholeRequest({ req, body }: ForwardedRequest): StreamRequest {
  const { headers, ...request } = toStreamRequest(req)
  const { 'transfer-encoding': _, ...rest } = headers
  return { ...request, headers: { ...rest, connection: 'close', 'content-length': String(body.length) } }
}
