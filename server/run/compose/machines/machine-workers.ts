/** The media workers of a machine that isn't the front's: processes as there, with a link instead of a parent that knows all. */
import type { FromWorker, ToWorker, WorkerSettings } from '@sightline/media/control'
import type { DatabaseConnection } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { type SupervisedChild, startChild } from '../child-process.ts'
import { pipeToWorker } from '../piped-stream.ts'
import { answerChainQuestion } from './chain-messages.ts'
import type { MachineCredentials } from './credentials.ts'
import { type FrontLink, keepFrontLink } from './front-link.ts'
import type { Welcome } from './link-messages.ts'
import type { HostAndPort } from './machine-settings.ts'

export interface MachineWorkersDeps {
  readonly front: HostAndPort
  readonly credentials: MachineCredentials
  readonly workerIds: readonly string[]
  /** By the front's settings; one for each worker. */
  readonly settingsOf: (welcome: Welcome) => readonly WorkerSettings<DatabaseConnection>[]
  /** Folder of all footage. */
  readonly store: string
  /** Absolute path of the worker's program. */
  readonly entry: string
  readonly log: Logger
  readonly signal: AbortSignal
}

/** What the front has to know when the link begins: a worker says it only when it changes. */
const LASTING = ['cameras', 'seen', 'health'] as const
type Lasting = (typeof LASTING)[number]
const isLasting = (message: FromWorker): message is Extract<FromWorker, { kind: Lasting }> =>
  LASTING.some((kind) => kind === message.kind)

type Reply = (message: ToWorker) => void

interface MachineWorker {
  child: SupervisedChild<ToWorker> | undefined
  /** Of its present process. */
  reply: Reply | undefined
  readonly lasting: Map<Lasting, FromWorker>
  socketPath: string
  /** How often its process was started. */
  starts: number
}

const TELL_EVERY_MS = 500

/** Starts the workers once the front has said how; they go on while the front is away. */
export function keepMachineWorkers(deps: MachineWorkersDeps): AsyncDisposable & { readonly failed: Promise<unknown> } {
  const { workerIds, log } = deps
  const workers = new Map<string, MachineWorker>(
    workerIds.map((id) => [id, { child: undefined, reply: undefined, lasting: new Map(), socketPath: '', starts: 0 }]),
  )
  const failed = Promise.withResolvers<unknown>()
  let starting: Promise<void> | undefined
  const begin = (welcome: Welcome) => {
    starting ??= Promise.all(
      deps.settingsOf(welcome).map(async (settings) => {
        const worker = workers.get(settings.workerId)
        if (worker !== undefined) await startWorker(worker, settings, deps, { link: () => link, tellStates })
      }),
    ).then(() => undefined, failed.resolve)
  }
  const link = keepFrontLink({
    ...deps,
    onWelcome(welcome) {
      log.info('connected to the front')
      begin(welcome)
      tellStates()
      for (const [id, { lasting }] of workers) for (const message of lasting.values()) link.tell(id, message)
    },
    onMessage(workerId, message) {
      // Keys are needed to start: the process gets them before it is a supervised child.
      workers.get(workerId)?.reply?.(message)
    },
    onStream(workerId, { message, connect }) {
      const worker = workers.get(workerId)
      if (worker?.child?.isResponding() !== true) return
      const { headers, address } = message.request
      const request = { ...message.request, headers: { ...headers, 'x-forwarded-for': address } }
      pipeToWorker({ request, socket: connect(), head: message.head }, worker.socketPath)
    },
    onChain: (question) => answerChainQuestion(deps.store, question),
    now: Date.now,
  })
  const tellStates = () => {
    for (const [workerId, { child, starts }] of workers)
      link.send({ kind: 'worker', workerId, isResponding: child?.isResponding() ?? false, starts })
  }
  const telling = setInterval(tellStates, TELL_EVERY_MS)
  return {
    failed: failed.promise,
    async [Symbol.asyncDispose]() {
      clearInterval(telling)
      await starting
      // The link stays until the last heads and answers are sent.
      await Promise.all([...workers.values()].map((worker) => worker.child?.[Symbol.asyncDispose]()))
      await link[Symbol.asyncDispose]()
    },
  }
}

async function startWorker(
  worker: MachineWorker,
  settings: WorkerSettings<DatabaseConnection>,
  { entry, log, signal }: MachineWorkersDeps,
  { link, tellStates }: { readonly link: () => Pick<FrontLink, 'tell'>; readonly tellStates: () => void },
): Promise<void> {
  const { workerId } = settings
  worker.socketPath = settings.socketPath
  worker.child = await startChild<WorkerSettings<DatabaseConnection>, ToWorker, FromWorker>({
    name: `media worker ${workerId}`,
    entry,
    settings,
    log,
    signal,
    onMessage(message, reply) {
      if (worker.reply !== reply) {
        worker.reply = reply
        worker.starts++
        worker.lasting.clear()
        tellStates()
      }
      if (isLasting(message)) worker.lasting.set(message.kind, message)
      const isSent = link().tell(workerId, message)
      // It would wait for the answer; the reason is a better one than silence.
      if (!isSent && message.kind === 'keys')
        reply({ kind: 'keys', id: message.id, answer: { what: 'refused', reason: 'the front is not connected' } })
    },
  })
}
