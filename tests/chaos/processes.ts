import { readdir, readFile, readlink } from 'node:fs/promises'
import type { RunningProduct } from '../running-product.ts'
import { until } from './demo-cameras.ts'

/** A process of the product, by the command it was started with. */
export type ProcessKind = 'media worker' | 'simulator' | 'postmaster' | 'decoder'

const startedAs: Readonly<Record<ProcessKind, RegExp>> = {
  // From the bundle or the sources.
  'media worker': /\/media-worker\.mjs$|server\/run\/programs\/media\.ts$/,
  simulator: /\/camera-simulator\.mjs\b|camera-simulator\/src\/main\.ts\b/,
  decoder: /\bffmpeg\b.*\brawvideo\b/,
  // Its helpers call themselves "postgres: …".
  postmaster: /bin\/postgres\s-D\s/,
}

const commandOf = (pid: number): Promise<string> =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (text) => text.replaceAll('\0', ' ').trim(),
    () => '',
  )

/** The process id, once the process exists. */
export const findPid = (product: RunningProduct, part: ProcessKind): Promise<number> =>
  until(`there is a ${part}`, async () => {
    for (const pid of await product.processes()) if (startedAs[part].test(await commandOf(pid))) return pid
    return undefined
  })

/** The process ids of all that there are now. */
export async function findPids(product: RunningProduct, part: ProcessKind): Promise<readonly number[]> {
  const pids = await product.processes()
  const commands = await Promise.all(pids.map(commandOf))
  return pids.filter((_, index) => startedAs[part].test(commands[index] ?? ''))
}

/** All PostgreSQL processes: postmaster and helpers. */
export async function postgresPids(product: RunningProduct): Promise<readonly number[]> {
  const pids = await product.processes()
  const commands = await Promise.all(pids.map(commandOf))
  return pids.filter((_, index) => /^postgres: |bin\/postgres\s-D\s/.test(commands[index] ?? ''))
}

/** Processes with the folder in their command line or as working directory. */
export async function findProcesses(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const command = await commandOf(Number(entry))
    const workingFolder = await readlink(`/proc/${entry}/cwd`).catch(() => '')
    if (command.includes(folder) || workingFolder.startsWith(folder)) found.push(`${entry} ${command}`)
  }
  return found
}

/** Those of the processes that are still running. */
export async function listRunning(pids: readonly number[]): Promise<readonly string[]> {
  const commands = await Promise.all(pids.map(async (pid) => ({ pid, command: await commandOf(pid) })))
  return commands.filter(({ command }) => command !== '').map(({ pid, command }) => `${pid} ${command}`)
}
