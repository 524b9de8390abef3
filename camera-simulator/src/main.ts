/**
 * The simulator as a separate process. Reads commands (see control.ts) as IPC messages if it was forked, or as lines of
 * JSON on standard input, and replies the same way. Ends on command, or when the parent has ended.
 */
import { createInterface } from 'node:readline'
import { ClipCache } from './clip/clip-cache.ts'
import { type ControlCommand, type ControlReply, command } from './control.ts'
import type { Fault } from './fault.ts'
import { LOAD_SCENES } from './launch.ts'
import { sceneClips, scenes } from './scene-clips.ts'
import { type Simulator, startCameras } from './simulator.ts'

type Answering = (answer: ControlReply) => void

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}

/** One simulator, started by the first command and changed by those that follow. */
class Process {
  readonly #loaded = new ClipCache()
  #simulator: Simulator | undefined

  /** While there are no requests yet. Anything that fails here fails again, with its reason, when a camera needs it. */
  async loadScenes(): Promise<void> {
    for (const scene of scenes) await this.#loaded.of(await sceneClips(scene)).catch(() => undefined)
  }

  async obey(message: unknown, answer: Answering): Promise<void> {
    const parsed = command.safeParse(message)
    if (!parsed.success) {
      answer({ kind: 'failed', request: -1, reason: `not a command: ${parsed.error.message}` })
      return
    }
    try {
      answer(await this.#perform(parsed.data))
    } catch (error) {
      answer({ kind: 'failed', request: parsed.data.request, reason: reasonOf(error) })
    }
  }

  async end(): Promise<void> {
    await this.#simulator?.stop()
    if (process.connected) process.disconnect()
  }

  async #perform(given: ControlCommand): Promise<ControlReply> {
    const { request } = given
    switch (given.kind) {
      case 'start':
        if (this.#simulator !== undefined) throw new Error('the simulator has been started already')
        this.#simulator = await startCameras(given.settings, { loaded: this.#loaded })
        return { kind: 'ready', request, cameras: this.#simulator.cameras.map((camera) => camera.address) }
      case 'fault':
        await this.#harm(given.mac, given.fault)
        return { kind: 'done', request }
      case 'heal':
        await this.#camera(given.mac).heal()
        return { kind: 'done', request }
      case 'stop':
        await this.#simulator?.stop()
        return { kind: 'done', request }
    }
  }

  async #harm(mac: string, fault: Fault): Promise<void> {
    await this.#camera(mac).fault(fault)
  }

  #camera(mac: string) {
    const camera = this.#simulator?.cameras.find(({ address }) => address.mac === mac)
    if (camera === undefined) throw new Error(`no camera has the MAC address ${mac}`)
    return camera
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

const ENDS_WITHIN_MS = 5000

const simulator = new Process()
const stopped = (message: unknown) => command.safeParse(message).data?.kind === 'stop'

if (process.connected) {
  // Ctrl-C in a terminal, and its closing, reach this process too; when to end is for the parent to say.
  for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined)
  process.on('message', async (message) => {
    await simulator.obey(message, (answer) => process.send?.(answer))
    if (stopped(message)) await simulator.end()
  })
  process.on('disconnect', async () => {
    // Connections that are still open must not keep a process without a parent alive.
    setTimeout(() => process.exit(1), ENDS_WITHIN_MS)
    await simulator.end()
    // Node.js waits forever, at full load, for a connection that the end of the process found half closed.
    process.exit()
  })
  if (process.argv.includes(LOAD_SCENES)) await simulator.loadScenes().catch(() => undefined)
} else {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    const message = parseLine(line)
    await simulator.obey(message, (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`))
    if (stopped(message)) break
  }
  await simulator.end()
  process.stdin.destroy()
}
