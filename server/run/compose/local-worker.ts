import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FromWorker, ToWorker, WorkerSettings } from '@sightline/media/control'
import type { DatabaseConnection } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { startChild } from './child-process.ts'
import { askWorker, pipeToWorker } from './piped-stream.ts'
import { relayAnswer } from './relay-answer.ts'
import { type RunningWorker, toStreamRequest, type WorkerDesk, workerConnection } from './worker-connection.ts'

/** Starts a worker in a process of this machine. */
export async function startLocalWorker(given: {
  settings: WorkerSettings<DatabaseConnection>
  /** Absolute path of the worker's program. */
  entry: string
  /** A process of it that waits for its settings. */
  prepared: ChildProcess | undefined
  desk: WorkerDesk
  log: Logger
  signal: AbortSignal
}): Promise<RunningWorker & AsyncDisposable> {
  const { settings, entry, prepared, desk, log, signal } = given
  const { workerId } = settings
  const name = settings.peers.length === 1 ? 'media worker' : `media worker ${workerId}`
  const {
    receive,
    restarted,
    leave: _,
    ...connection
  } = workerConnection({
    workerId,
    disk: settings.disk,
    desk,
    send: (message) => child.send(message),
    isResponding: () => child.isResponding(),
  })
  const child = await startChild<WorkerSettings<DatabaseConnection>, ToWorker, FromWorker>({
    name,
    entry,
    settings,
    prepared,
    log,
    signal,
    onMessage: (message, reply) => void receive(message, reply),
    onRestart: restarted,
  })
  return {
    ...connection,
    send: (message) => void child.send(message),
    upgrade({ request, socket, head }) {
      if (!(socket instanceof Socket) || socket instanceof TLSSocket)
        return pipeToWorker({ request, socket, head }, settings.socketPath)
      if (!child.handOver({ kind: 'stream', request, head }, socket)) socket.destroy()
    },
    answerStream: ({ req, res, body }) =>
      relayAnswer({ ...toStreamRequest(req), method: req.method ?? 'GET', body }, res, settings.socketPath),
    requestClip: (url) => askWorker({ url, method: 'GET', headers: {} }, { socketPath: settings.socketPath }),
    unready() {
      if (child.isResponding()) return []
      return [`the ${name} is ${child.pid() === undefined ? 'restarting' : 'not responding'}`]
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
