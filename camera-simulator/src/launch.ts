import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CameraAddress } from './camera.ts'
import type { ControlCommand, ControlReply } from './control.ts'
import type { Fault } from './fault.ts'
import type { SimulatorInput } from './settings.ts'

/** Cameras in a separate process. */
export interface SimulatorProcess extends AsyncDisposable {
  /** In the order of the settings. */
  readonly cameras: readonly CameraAddress[]
  fault(mac: string, fault: Fault): Promise<void>
  heal(mac: string): Promise<void>
  /** Stops the cameras and waits for the process to end. */
  stop(): Promise<void>
  /** Settles when the process has ended, wanted or not; exit code, or null after a signal. */
  readonly ended: Promise<number | null>
}

// Each variant without `request`, which is assigned here.
type Asked = ControlCommand extends infer One ? (One extends ControlCommand ? Omit<One, 'request'> : never) : never

class Conversation {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: ControlReply) => void>()
  #requests = 0

  constructor(child: ChildProcess) {
    this.#child = child
    // Only main.ts is on the other end, and it sends nothing but replies.
    child.on('message', (answer: ControlReply) => this.#settle(answer))
    child.once('exit', (code) => {
      for (const request of this.#waiting.keys())
        this.#settle({ kind: 'failed', request, reason: `its process ended with ${code}` })
    })
  }

  async ask(asked: Asked): Promise<ControlReply> {
    this.#requests += 1
    const request = this.#requests
    const { promise, resolve } = Promise.withResolvers<ControlReply>()
    this.#waiting.set(request, resolve)
    if (!this.#child.connected) this.#settle({ kind: 'failed', request, reason: 'its process has ended' })
    else this.#child.send({ ...asked, request })
    const answer = await promise
    if (answer.kind === 'failed') throw new Error(`camera simulator, ${asked.kind}: ${answer.reason}`)
    return answer
  }

  #settle(answer: ControlReply): void {
    this.#waiting.get(answer.request)?.(answer)
    this.#waiting.delete(answer.request)
  }
}

const STOPS_WITHIN_MS = 10_000

/** Argument of the program: load the built-in scenes before cameras are requested. */
export const LOAD_SCENES = '--load-scenes'

interface ForkOptions {
  readonly loadsScenes?: boolean
  /** Words before the program, such as a network namespace's; the first is an absolute path. */
  readonly under?: readonly string[]
}

/**
 * A simulator that loads its program, with `loadsScenes` also the built-in scenes, and then waits for {@link
 * launchSimulator}, so that it can start before its settings are known. It ends when this process does, and when it is
 * killed.
 */
export function forkSimulator({ loadsScenes = false, under = [] }: ForkOptions = {}): ChildProcess {
  const compiled = getCompileCacheDir()
  const [command, ...words] = under
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), loadsScenes ? [LOAD_SCENES] : [], {
    // The program runs as `<under> node main.ts`.
    ...(command === undefined ? { execArgv: [] } : { execPath: command, execArgv: [...words, process.execPath] }),
    // Cameras get none of the parent's environment except the folder for compiled code.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled },
  })
  // Without a listener, a failure that comes before the process is used would end this one.
  return child.on('error', () => undefined)
}

/**
 * Runs the simulator as a child process and waits until its cameras can be reached. The settings go over IPC, so no
 * password appears in the list of processes. Throws if the cameras can't start; the process has ended then.
 */
export async function launchSimulator(settings: SimulatorInput, prepared?: ChildProcess): Promise<SimulatorProcess> {
  const isReady = prepared?.exitCode === null && prepared.signalCode === null
  const child = isReady ? prepared : forkSimulator()
  const ended = once(child, 'exit').then(([code]): number | null => (typeof code === 'number' ? code : null))
  const conversation = new Conversation(child)
  const stop = async (): Promise<void> => {
    // A process that is stuck must not outlive its user: it would hold the user's output open too.
    const overdue = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS)
    try {
      if (child.connected) await conversation.ask({ kind: 'stop' }).catch(() => child.kill())
      await ended
    } finally {
      clearTimeout(overdue)
    }
  }
  const answer = await conversation.ask({ kind: 'start', settings }).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  return {
    cameras: answer.kind === 'ready' ? answer.cameras : [],
    fault: async (mac, fault) => void (await conversation.ask({ kind: 'fault', mac, fault })),
    heal: async (mac) => void (await conversation.ask({ kind: 'heal', mac })),
    stop,
    ended,
    [Symbol.asyncDispose]: stop,
  }
}
