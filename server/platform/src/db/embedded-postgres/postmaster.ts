import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../log/index.ts'
import { StartError } from '../../startup/index.ts'
import type { Binaries } from './binaries.ts'
import { environment, type Launcher } from './launcher.ts'

/** One running PostgreSQL server. */
export interface Postmaster {
  readonly pid: number
  /** Resolves with a description of the exit when the server has ended for any reason. */
  readonly ended: Promise<string>
  /** Rolls back open transactions, flushes everything and ends within about 5 s. */
  stop(): Promise<void>
}

export interface PostmasterSettings {
  readonly cluster: string
  readonly binaries: Binaries
  readonly launcher: Launcher
  readonly arguments: readonly string[]
  readonly log: Logger
}

const POLL_MS = 5
const FAST_STOP_MS = 4000
const IMMEDIATE_STOP_MS = 800
/** Crash recovery can take long on a slow disk; a server still silent after this is stuck. */
const READY_MS = 300_000
/** How long helper processes of a killed server may keep its shared memory. */
const LEFTOVER_MS = 15_000

/**
 * The server is our direct child, so that its exit and signals are ours. A separate watcher reads a pipe that only this
 * process holds open: if the pipe closes without a message, this process was killed, and the watcher requests a fast
 * shutdown. No manual cleanup is needed then.
 */
const WITH_WATCHER = '( { read -r _ <&3 || kill -INT $$; } >/dev/null 2>&1 & ) && exec "$@" 3<&-'

/**
 * Starts the server and waits until it accepts connections. A server left over on this cluster is shut down first: the
 * caller has locked the data folder, so it is unused.
 */
export async function startPostmaster(settings: PostmasterSettings, signal?: AbortSignal): Promise<Postmaster> {
  await stopLeftover(settings.cluster, settings.log)
  const giveUp = Date.now() + LEFTOVER_MS
  for (;;) {
    signal?.throwIfAborted()
    const attempt = launch(settings)
    const failure = await readyOrFailure(settings, attempt, signal)
    if (failure === undefined) return attempt.postmaster
    const isLeftover = /pre-existing shared memory block|is another postmaster/.test(failure)
    if (!isLeftover || Date.now() > giveUp)
      throw new StartError(
        `PostgreSQL did not start in ${settings.cluster} (${failure}). Fix the reported problem, or restore the data folder from your backup.`,
      )
    await sleep(100)
  }
}

interface Attempt {
  readonly postmaster: Postmaster
  /** The server's last words. */
  readonly output: () => string
}

function launch({ cluster, binaries, launcher, arguments: words, log }: PostmasterSettings): Attempt {
  const command = [...launcher.prefix, binaries.postgres, '-D', cluster, ...words]
  const child = spawn('/bin/sh', ['-c', WITH_WATCHER, 'sh', ...command], {
    uid: launcher.runAs,
    gid: launcher.runAs,
    cwd: '/',
    env: environment(binaries),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal reaches a whole process group; the server must outlive its clients.
    detached: true,
  })
  const output = collectOutput(child.stderr as Readable, log)
  const ended = exitInWords(child)
  const watcher = child.stdio[3] as Writable
  // The server may end before the watcher learns that it is no longer needed.
  watcher.on('error', () => undefined)
  void ended.then(() => watcher.end('over\n'))
  const { pid } = child
  if (pid === undefined) return { postmaster: { pid: 0, ended, stop: async () => undefined }, output }
  return { postmaster: { pid, ended, stop: () => stopChild(child, ended) }, output }
}

function exitInWords(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, killedBy) => resolve(killedBy === null ? `exit code ${code}` : `signal ${killedBy}`))
  })
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const steps = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ] as const
  for (const [signalName, patience] of steps) {
    child.kill(signalName)
    if (await isWithin(ended, patience)) return
  }
}

async function isWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  const late = new AbortController()
  const result = await Promise.race([event.then(() => true), sleep(ms, false, { signal: late.signal })])
  late.abort()
  return result
}

function collectOutput(stderr: Readable, log: Logger): () => string {
  const kept: string[] = []
  let unfinished = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines.filter((each) => each.trim() !== '')) {
      kept.push(line)
      if (kept.length > 20) kept.shift()
      if (line.startsWith('PANIC')) log.error({ line }, 'PostgreSQL')
      else log.debug({ line }, 'PostgreSQL')
    }
  })
  return () => [...kept, unfinished].join(' ').trim()
}

async function readyOrFailure(
  { cluster, log }: PostmasterSettings,
  { postmaster, output }: Attempt,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let exit: string | undefined
  void postmaster.ended.then((how) => {
    exit = how
  })
  const began = Date.now()
  let nextNotice = began + 5000
  for (;;) {
    if (exit !== undefined) return `${exit}: ${output()}`
    if (isReady(cluster, postmaster.pid)) return undefined
    const now = Date.now()
    if (signal?.aborted === true || now - began > READY_MS) {
      await postmaster.stop()
      signal?.throwIfAborted()
      return `not ready after ${READY_MS / 1000} s: ${output()}`
    }
    if (now > nextNotice) {
      nextNotice = now + 5000
      log.info({ seconds: Math.round((now - began) / 1000) }, 'PostgreSQL is still recovering')
    }
    await sleep(POLL_MS)
  }
}

/** The server writes its state into the eighth line of its lock file (miscinit.h, LOCK_FILE_LINE_PM_STATUS). */
function isReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

/**
 * A lock file can outlive its server, and its number may belong to any other process by now; PostgreSQL itself would
 * refuse to start then.
 */
async function stopLeftover(cluster: string, log: Logger): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(lockFile, 'utf8').catch(() => ''), 10)
  if (Number.isNaN(pid)) return
  if (isServerOf(pid, cluster)) {
    log.info({ pid }, 'shutting down PostgreSQL left running by a killed Sightline')
    await stopStranger(pid, cluster)
  }
  await rm(lockFile, { force: true })
}

async function stopStranger(pid: number, cluster: string): Promise<void> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ] as const
  for (const [signalName, patience] of steps) {
    try {
      process.kill(pid, signalName)
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'EPERM') {
        throw new StartError(`PostgreSQL of another user (process ${pid}) is running in ${cluster}. Stop it first.`, {
          cause,
        })
      }
      return
    }
    const until = Date.now() + patience
    while (Date.now() < until) {
      if (!isServerOf(pid, cluster)) return
      await sleep(POLL_MS)
    }
  }
}

/** Whether that process is a PostgreSQL server working in this cluster: its working folder is the cluster. */
function isServerOf(pid: number, cluster: string): boolean {
  try {
    if (!existsSync('/proc/self')) return isAlive(pid)
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch (cause) {
    // A process of another user hides its working folder; a failing signal reveals that later.
    return cause instanceof Error && 'code' in cause && cause.code === 'EACCES' && commandNames(pid, cluster)
  }
}

function commandNames(pid: number, cluster: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
