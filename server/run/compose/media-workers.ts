import type { ChildProcess } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { MediaPlane, SnapshotAnswer } from '@sightline/contract/media-plane'
import { readOrigin } from '@sightline/edge'
import type { FromWorker, StreamRequest, ToWorker, WorkerFigures, WorkerSettings } from '@sightline/media/control'
import type { DatabaseConnection } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { startChild } from './child-process.ts'

/** The video plane as the other parts of this machine see it. */
export interface MediaWorkers extends AsyncDisposable {
  readonly plane: MediaPlane
  /** Hands a WebSocket request to the worker, as the connection itself if possible. */
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  revoked(): void
  /** Why streams can't be served now, one sentence each; none while the worker runs. */
  readonly unready: () => readonly string[]
  /** The problems of a running worker, one sentence each: which camera isn't recorded, and why. */
  readonly problems: () => readonly string[]
  /** For each worker that answers in time, by name. */
  readonly figures: () => Promise<ReadonlyMap<string, WorkerFigures>>
}

/** A worker that hasn't responded by then is busy; the caller may retry. */
const SNAPSHOT_MS = 8000
const FIGURES_MS = 1000

/** Starts the worker. One is enough for some two hundred cameras; the lease rows are ready for more. */
export async function startMediaWorkers(given: {
  settings: WorkerSettings<DatabaseConnection>
  /** Absolute path of the worker's program. */
  entry: string
  /** A process of it that waits for its settings. */
  prepared: ChildProcess | undefined
  log: Logger
  signal: AbortSignal
}): Promise<MediaWorkers> {
  const { settings, entry, prepared, log, signal } = given
  const snapshots = questions<SnapshotAnswer>(SNAPSHOT_MS)
  const figures = questions<WorkerFigures>(FIGURES_MS)
  const onTheWay = new Set<Socket>()
  let problems: readonly string[] = []
  const child = await startChild<WorkerSettings<DatabaseConnection>, ToWorker, FromWorker>({
    name: 'media worker',
    entry,
    settings,
    prepared,
    log,
    signal,
    onMessage(message) {
      if (message.kind === 'health') problems = message.problems
      else if (message.kind === 'figures') figures.answer(message.id, message.figures)
      else snapshots.answer(message.id, message.answer)
    },
    // The dead worker's unaccepted connections are closed; viewers reconnect.
    onRestart() {
      for (const socket of onTheWay) socket.destroy()
      onTheWay.clear()
    },
  })

  return {
    plane: {
      async snapshot({ cameraId, format }) {
        const answer = await snapshots.ask((id) => child.send({ kind: 'snapshot', id, cameraId, format }))
        return answer ?? { kind: 'timedOut' }
      },
      camerasChanged: () => void child.send({ kind: 'camerasChanged' }),
    },
    async figures() {
      const answer = await figures.ask((id) => child.send({ kind: 'figures', id }))
      return new Map(answer === undefined ? [] : [[settings.workerId, answer]])
    },
    upgrade(req, socket, head) {
      if (!(socket instanceof Socket) || socket instanceof TLSSocket)
        return pipe({ req, socket, head }, settings.socketPath)
      const request = requestOf(req)
      // The worker reads everything that a peer sends from now on.
      socket.pause()
      // After the handover this end of the connection is an empty shell, which must report its close.
      const putAway = () => {
        onTheWay.delete(socket)
        socket.destroy()
      }
      onTheWay.add(socket)
      if (!child.send({ kind: 'stream', request, head }, socket, putAway)) putAway()
    },
    revoked: () => void child.send({ kind: 'revoked' }),
    unready() {
      if (child.isResponding()) return []
      return [child.pid() === undefined ? 'the media worker is restarting' : 'the media worker is not responding']
    },
    problems: () => problems,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** Questions that a worker answers when it can. */
function questions<Answer>(withinMs: number) {
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  return {
    /** Undefined if the response is late. */
    ask(send: (id: number) => unknown): Promise<Answer | undefined> {
      asked += 1
      const id = asked
      return new Promise((resolve) => {
        const late = setTimeout(() => {
          waiting.delete(id)
          resolve(undefined)
        }, withinMs)
        waiting.set(id, (answer) => {
          clearTimeout(late)
          resolve(answer)
        })
        send(id)
      })
    },
    answer(id: number, answer: Answer): void {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
  }
}

function requestOf(req: IncomingMessage): StreamRequest {
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
  return { url: req.url ?? '', headers, address: readOrigin(req).address }
}

/** A TLS connection can't leave the process with its keys, so its bytes go through a local socket. */
function pipe({ req, socket, head }: { req: IncomingMessage; socket: Duplex; head: Buffer }, path: string): void {
  const worker = connect(path)
  const { url, headers } = requestOf(req)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  worker.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  worker.write(head)
  socket.pipe(worker).pipe(socket)
  worker.on('error', () => socket.destroy())
  socket.on('error', () => worker.destroy())
  socket.on('close', () => worker.destroy())
}
