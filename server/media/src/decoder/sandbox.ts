import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'

/** The system's decoder while it runs. */
export type DecoderProcess = ChildProcessByStdio<Writable, Readable, Readable>

export interface DecoderLimits {
  /** Ended after this time; undefined: no limit. */
  readonly timeoutMs?: number
  /** Open files that it gets as its descriptors from 3 on. */
  readonly files?: readonly number[]
  /** Processor time after which the system ends it. */
  readonly processorSeconds: number
}

/** Enough for a picture of 8K; a decoder that wants more is attacked or broken. */
const MEMORY_KIB = 2 * 1024 * 1024
const MAX_FILES = 64
/** Of decoders that run on: about a third of the time that others get. */
const NICENESS = 5
/** The user without rights on every Unix system. */
const NOBODY = 65_534

/**
 * Starts the system's ffmpeg for input from a camera, which may be hostile (docs/design/security.md, 6.10): its own process
 * with an empty environment, no protocol but its pipes, limits of memory, processor time and files, and without the rights
 * of root. When processor time is short, one that runs on gets less of it than what records; for a single picture somebody waits.
 */
export function startDecoder(ffmpeg: string, args: readonly string[], limits: DecoderLimits): DecoderProcess {
  const all = ['-hide_banner', '-loglevel', 'error', '-threads', '1', '-protocol_whitelist', 'pipe', ...args]
  const isUnix = process.platform !== 'win32'
  const [command, ...rest] = isUnix ? ['/bin/sh', '-c', limitScript(limits), ffmpeg, ...all] : [ffmpeg, ...all]
  const child = spawn(command, rest, {
    cwd: isUnix ? '/' : undefined,
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', ...(limits.files ?? [])],
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    ...(limits.timeoutMs !== undefined && { timeout: limits.timeoutMs }),
    killSignal: 'SIGKILL',
  })
  if (limits.timeoutMs === undefined) giveWay(child.pid)
  // The first three are always pipes.
  return child as DecoderProcess
}

function giveWay(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It has ended already, or the system doesn't allow it: it decodes all the same.
  }
}

/** Resolves when the process is gone, with its complaint; the text is empty if it was disposed of. */
export function untilEnded(child: DecoderProcess, isDisposed: () => boolean): Promise<string> {
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-500)
  })
  // Its end is reported by `close`.
  child.stdin.on('error', () => undefined)
  return new Promise<string>((resolve) => {
    child.on('error', (err) => resolve(err.message))
    child.on('close', (code, signal) => resolve(isDisposed() ? '' : `${signal ?? code}: ${complaint.trim()}`))
  })
}

/** The shell is replaced by the decoder; a limit that the system doesn't know is left out. */
const limitScript = ({ processorSeconds }: DecoderLimits): string =>
  [`-v ${MEMORY_KIB}`, `-t ${processorSeconds}`, `-n ${MAX_FILES}`, '-c 0', '-f 0']
    .map((limit) => `ulimit ${limit} 2>/dev/null;`)
    .concat('exec "$0" "$@"')
    .join(' ')
