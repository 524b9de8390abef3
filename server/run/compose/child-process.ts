import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@sightline/platform/log'
import { StartError } from '@sightline/platform/startup'
import type { FromChild, ToChild } from './child-channel.ts'
import { type Pulse, watchPulse } from './pulse.ts'

/** One role in its own process, restarted when it dies. */
export interface SupervisedChild<Incoming> extends AsyncDisposable {
  /** The current process; undefined between two. */
  readonly pid: () => number | undefined
  /** Whether the process runs and its event loop does too. */
  readonly isResponding: () => boolean
  /** @returns false if no process can accept it now. */
  send(message: Incoming): boolean
  /**
   * Gives a connection to the process, with a message. It is closed if the peer has disconnected, or the process ends,
   * before it has arrived. @returns false if no process can accept it now; the connection then stays with the caller.
   */
  handOver(message: Incoming, connection: Socket): boolean
}

export interface ChildSettings<Start, Incoming, Outgoing> {
  /** As in the log. */
  readonly name: string
  /** Absolute path of a module that calls `runAsChild`. */
  readonly entry: string
  /** Sent over the channel, which keeps secrets out of arguments and environment. Must survive JSON. */
  readonly settings: Start
  readonly log: Logger
  readonly signal: AbortSignal
  /** A process of this entry that is loading its program already; used for the first start. */
  readonly prepared?: ChildProcess | undefined
  /** Also called while the process starts. `reply` sends to this process, and to none that is started after it. */
  readonly onMessage?: (message: Outgoing, reply: (message: Incoming) => void) => void
  /** The process died and a new one is ready: resend everything it was sent since its start. */
  readonly onRestart?: () => void
}

const READY_MS = 30_000
const STOP_MS = 6000
const LAST_MESSAGES_MS = 1000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
const MOMENT_MS = 200
/** A process that lived this long has earned a quick restart. */
const HEALTHY_MS = 30_000

/**
 * Starts the process and waits until it is ready. After later deaths it restarts with growing pauses, forever: a worker
 * that can't start now may be able to in a minute.
 *
 * @throws StartError or the error of the first start.
 */
export async function startChild<Start, Incoming, Outgoing>(
  settings: ChildSettings<Start, Incoming, Outgoing>,
): Promise<SupervisedChild<Incoming>> {
  const { name, log } = settings
  const stopping = new AbortController()
  const memory: ChildMemory = { kept: undefined }
  const isStopping = () => stopping.signal.aborted || settings.signal.aborted
  let current: ChildProcess | undefined = await launch(settings, memory, settings.prepared)
  let pulse = watchOver(current, settings)
  let handover = connectionHandover<Incoming>(current)

  const keepAlive = async () => {
    let pause = FIRST_PAUSE_MS
    while (current !== undefined) {
      const since = Date.now()
      const how = await exitOf(current)
      pulse[Symbol.dispose]()
      handover[Symbol.dispose]()
      current = undefined
      const hasEndedAt = Date.now()
      await delay(AbortSignal.any([stopping.signal, settings.signal]))
      if (isStopping()) return
      if (hasEndedAt - since > HEALTHY_MS) pause = FIRST_PAUSE_MS
      log.error({ how, pauseMs: pause }, `${name} stopped unexpectedly; restarting it`)
      current = await relaunch(settings, memory, { pause, signal: stopping.signal })
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      if (current === undefined) return
      // It was stopped while this process started.
      if (stopping.signal.aborted) return await stop(current)
      pulse = watchOver(current, settings)
      handover = connectionHandover(current)
      settings.onRestart?.()
    }
  }
  const keeping = keepAlive()
  return {
    pid: () => current?.pid,
    isResponding: () => current !== undefined && !pulse.isSilent,
    send: (message) => current !== undefined && send(current, { kind: 'message', message }),
    handOver: (message, connection) => current !== undefined && handover.give(message, connection),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      pulse[Symbol.dispose]()
      if (current !== undefined) await stop(current)
      await keeping
    },
  }
}

/**
 * A stop of a whole process group (Ctrl-C, a closing terminal, systemd) signals children and parent at once, and a
 * child's death may be noticed first: wait this long for a stop before treating it as a crash. Ends early with the
 * signal.
 */
export async function delay(signal: AbortSignal): Promise<void> {
  await sleep(MOMENT_MS, undefined, { signal }).catch(() => undefined)
}

async function relaunch<Start, Incoming, Outgoing>(
  settings: ChildSettings<Start, Incoming, Outgoing>,
  memory: ChildMemory,
  { pause, signal }: { pause: number; signal: AbortSignal },
): Promise<ChildProcess | undefined> {
  for (let wait = pause; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    await sleep(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return undefined
    try {
      return await launch(settings, memory)
    } catch (err) {
      settings.log.error({ err }, `${settings.name} did not start`)
    }
  }
}

/**
 * Media pass through buffers outside of the heap, which V8 answers with a full garbage collection twice a second when it
 * collects in small steps. At once, and rarely, it takes a third less processor time (docs/decisions/0099). A small
 * young generation is enough, because hardly anything survives.
 */
const ENGINE_OPTIONS = ['--no-incremental-marking', '--max-semi-space-size=8']

/**
 * Eight syncs of a slow disk at once leave as many threads to reads, writes, name look-ups and cryptography. Memory of the threads
 * isn't kept for each of them.
 */
const THREADS = { UV_THREADPOOL_SIZE: '16', MALLOC_ARENA_MAX: '2' }

/**
 * A process that loads the module of `entry` and then waits for its settings, so that it can start before they are
 * known. It ends when this process ends or is killed.
 */
export function forkChild(entry: string): ChildProcess {
  const compiled = getCompileCacheDir()
  // No other environment: the process gets its settings over the channel only.
  const child = fork(entry, [], {
    env: { ...THREADS, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) },
    execArgv: [...process.execArgv, ...ENGINE_OPTIONS],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // Without a listener, an early failure would end this process.
  return child.on('error', () => undefined)
}

/** What a process asked to remember for the next one: never on disk, and gone with this process. */
interface ChildMemory {
  kept: unknown
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

async function launch<Start, Incoming, Outgoing>(
  settings: ChildSettings<Start, Incoming, Outgoing>,
  memory: ChildMemory,
  prepared?: ChildProcess,
): Promise<ChildProcess> {
  const child = prepared !== undefined && isRunning(prepared) ? prepared : forkChild(settings.entry)
  const reply = (message: Incoming) => void send(child, { kind: 'message', message })
  const late = setTimeout(() => child.kill('SIGKILL'), READY_MS)
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: FromChild<Outgoing>) => {
        try {
          if (message.kind === 'ready') resolve()
          else if (message.kind === 'refused') reject(new StartError(message.sentence))
          else if (message.kind === 'remember') memory.kept = message.memory
          else if (message.kind === 'message') settings.onMessage?.(message.message, reply)
        } catch (err) {
          // A camera may have taken the process over: nothing that it sends may end this one.
          settings.log.error({ err }, `${settings.name} sent a message that can't be understood`)
        }
      })
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        reject(new Error(`${settings.name} stopped with ${signal ?? code} while starting`)),
      )
      send(child, { kind: 'settings', settings: settings.settings, recalled: memory.kept })
    })
  } catch (error) {
    child.kill('SIGKILL')
    // The next one takes over what this one had: they never run at the same time.
    if (child.pid !== undefined) await exitOf(child)
    throw error
  } finally {
    clearTimeout(late)
  }
  // A process that dies while something is being sent to it reports that here; its exit is dealt with anyway.
  child.on('error', (err) => settings.log.debug({ err }, `${settings.name}: lost the channel to the process`))
  return child
}

/** A process that hangs is ended, so that it is started again. */
function watchOver(child: ChildProcess, { name, log }: { readonly name: string; readonly log: Logger }): Pulse {
  const pulse = watchPulse(() => {
    log.error({ pid: child.pid }, `${name} does not respond; ending it`)
    child.kill('SIGKILL')
  })
  child.on('message', pulse.beat)
  return pulse
}

/**
 * Gives connections to a process. This end stays open until the process has answered that the connection arrived: Node.js
 * forgets one that it has sent to a process that dies before it accepts it, and the peer would wait for an answer forever.
 */
function connectionHandover<Incoming>(child: ChildProcess) {
  const onTheWay = new Map<number, Socket>()
  let given = 0
  child.on('message', (message: FromChild<unknown> | null) => {
    if (message?.kind !== 'arrived') return
    onTheWay.get(message.id)?.destroy()
    if (onTheWay.delete(message.id)) send(child, { kind: 'released', id: message.id })
  })
  return {
    give(message: Incoming, connection: Socket): boolean {
      given += 1
      const id = given
      if (!child.connected) return false
      onTheWay.set(id, connection)
      connection.on('error', () => connection.destroy())
      const read = stopReading(connection)
      const sent: ToChild<never, Incoming> = { kind: 'connection', id, message, read }
      child.send(sent, connection, { keepOpen: true })
      return true
    },
    [Symbol.dispose](): void {
      for (const connection of onTheWay.values()) connection.destroy()
      onTheWay.clear()
    },
  }
}

/**
 * What was read of a connection and not used. From then on this process reads nothing more of it, so that nothing is lost that a peer
 * sends while its connection is on the way to another process: Node.js has no other way, because a paused socket reads on.
 */
function stopReading(connection: Socket): Uint8Array {
  const read: unknown = connection.read()
  const { _handle: handle } = connection as { readonly _handle?: { readStop?: () => void } | null }
  handle?.readStop?.()
  return read instanceof Uint8Array ? read : new Uint8Array(0)
}

function send<Start, Incoming>(child: ChildProcess, message: ToChild<Start, Incoming>): boolean {
  if (!child.connected) return false
  child.send(message as object)
  return true
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = exitOf(child)
  send(child, { kind: 'stop' })
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(late)
  // Its last messages may still be on the way. Node.js doesn't say that the channel has closed if it still had a connection to send.
  if (child.connected)
    await Promise.race([once(child, 'disconnect'), sleep(LAST_MESSAGES_MS, undefined, { ref: false })])
}

function exitOf(child: ChildProcess): Promise<string> {
  const describe = (code: number | null, signal: string | null) =>
    signal === null ? `exit code ${code}` : `signal ${signal}`
  if (!isRunning(child)) {
    return Promise.resolve(describe(child.exitCode, child.signalCode))
  }
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(describe(code, signal))))
}
