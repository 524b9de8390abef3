import { readFile } from 'node:fs/promises'

/** Ticks per second in /proc/<pid>/stat; fixed by the kernel's interface (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100
const KIB = 1024

/**
 * Seconds of user and system time of these processes since their start, including children that have ended and were waited
 * for. An ended process counts as zero, because its time is included in its parent's.
 */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  return sum(await Promise.all(pids.map(timeOf)))
}

async function timeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may contain anything, so fields are counted after the last one: state is field 3.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return sum(times.map(Number)) / TICKS_PER_SECOND
}

/** Total memory of these processes in bytes. */
export interface Memory {
  /** A page shared by n processes counts 1/n in each: the memory that ending them would free. */
  readonly pss: number
  /** Shared pages count fully in every process. */
  readonly rss: number
}

export async function readMemory(pids: readonly number[]): Promise<Memory> {
  const each = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')))
  const total = (name: string) =>
    sum(each.map((text) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * KIB))
  return { pss: total('Pss'), rss: total('Rss') }
}

/** The words of a process's command line; empty if it has ended. */
export async function readCommandLine(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.split('\0').slice(0, -1)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
