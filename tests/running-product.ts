import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { preparedDataFolder } from './data-folders.ts'

export const repository = resolve(import.meta.dirname, '..')

/** Not a secret: the demonstration is deleted after the test. */
export const DEMO_PASSWORD = 'Tests-only.2026'

/** The whole product as an operator runs it, with its own data folder and port. */
export interface RunningProduct extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  readonly dataFolder: string
  /** All output so far. */
  readonly output: () => string
  /** All processes of the tree, the main process first. */
  processes(): Promise<number[]>
  /** Resolves with the exit code when the product has ended for any reason; null after a signal. */
  readonly ended: Promise<number | null>
  /** Sends SIGTERM, waits, and returns the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL to all processes, like a power cut; returns the time, milliseconds since 1970. */
  killAll(): Promise<number>
}

export interface ProductSettings {
  /** Kept if given; otherwise a folder with an empty database, deleted with the product. */
  readonly dataFolder?: string
  readonly port?: number
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the demonstration's cameras run and are recorded, which takes a twelfth of a processor all the time. They do unless said. */
  readonly cameras?: boolean
  readonly readyWithinMs?: number
  /** Of Node.js, for it and its children. */
  readonly nodeOptions?: readonly string[]
}

/**
 * Below the system's ephemeral ports, so that none of the product's connections takes one first; above the last port that
 * browsers block (10080).
 */
const PORTS = { from: 11_000, below: 32_768 }

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.below)
    const server = createServer()
    const isFree = await new Promise<boolean>((told) => {
      server.once('error', () => told(false))
      server.listen(port, '127.0.0.1', () => told(true))
    })
    if (!isFree) continue
    await new Promise((done) => server.close(done))
    return port
  }
}

const starter: { serverProgram: () => string } = await import(
  pathToFileURL(join(repository, 'tools/start/server-bundle.mjs')).href
)
let program: string | undefined

/** What `npm start` would run: asked once a process, because it reads all sources, and late, because a bench bundles them first. */
function productProgram(): string {
  program ??= starter.serverProgram()
  return program
}

/** Starts the product and waits until `/readyz` succeeds. */
export async function startProduct(settings: ProductSettings = {}): Promise<RunningProduct> {
  const dataFolder = settings.dataFolder ?? (await preparedDataFolder())
  const port = settings.port ?? (await freePort())
  const child = spawn(process.execPath, [...(settings.nodeOptions ?? []), productProgram()], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? '',
      SIGHTLINE_DATA_DIR: dataFolder,
      SIGHTLINE_PORT: String(port),
      SIGHTLINE_METRICS_PORT: '0',
      SIGHTLINE_DEMO_PASSWORD: DEMO_PASSWORD,
      SIGHTLINE_DEMO_CAMERAS: settings.cameras === false ? 'off' : 'on',
      ...settings.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const exited = exitOf(child)
  // A test with TLS has to accept a certificate that nobody signed.
  const scheme = settings.environment?.SIGHTLINE_TLS === 'self-signed' ? 'https' : 'http'
  const origin = settings.environment?.SIGHTLINE_PUBLIC_URL ?? `${scheme}://127.0.0.1:${port}`
  try {
    await untilReady({ origin, child, withinMs: settings.readyWithinMs ?? 60_000, output: () => output })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  const stop = async () => {
    child.kill('SIGTERM')
    return exited
  }
  return {
    origin,
    port,
    dataFolder,
    output: () => output,
    processes: () => listTree(child.pid ?? 0),
    ended: exited,
    stop,
    async killAll() {
      const pids = await listTree(child.pid ?? 0)
      for (const pid of pids) kill(pid)
      const killedAt = Date.now()
      await exited
      await untilGone(pids)
      return killedAt
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop()
      if (settings.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('exit', (code) => done(code)))
}

interface Waiting {
  readonly origin: string
  readonly child: ChildProcess
  readonly withinMs: number
  readonly output: () => string
}

async function untilReady({ origin, child, withinMs, output }: Waiting): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}:\n${output()}`)
    const ready = await fetch(`${origin}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    if (Date.now() > deadline) throw new Error(`not ready within ${withinMs} ms:\n${output()}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

/** A process and its descendants, from /proc. */
export async function listTree(root: number): Promise<number[]> {
  const children = new Map<number, number[]>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    // The name in parentheses may contain anything, so fields are counted after the last one.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree
}

async function untilGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    for (let tries = 0; tries < 200; tries += 1) {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
      if (stat === undefined || stat.includes(') Z ')) break
      await new Promise((done) => setTimeout(done, 10))
    }
  }
}
