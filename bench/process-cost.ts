import { readFile } from 'node:fs/promises'

/** Ticks a second in /proc/<pid>/stat; fixed by the kernel's interface (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100
const KIB = 1024

/**
 * Seconds of processor time, own and in the kernel, of these processes since they began, with that of their children that
 * have ended and were waited for. A process that has ended counts as nothing: what it took is its parent's.
 */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  return sum(await Promise.all(pids.map(timeOf)))
}

async function timeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may hold anything, so fields are counted from the last one: state is field 3.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return sum(times.map(Number)) / TICKS_PER_SECOND
}

/** Bytes of memory of these processes together. */
export interface Memory {
  /** Pages shared by n processes count once in n: what would be free without them. */
  readonly pss: number
  /** Each shared page counts in every process. */
  readonly rss: number
}

export async function readMemory(pids: readonly number[]): Promise<Memory> {
  const each = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')))
  const total = (name: string) =>
    sum(each.map((text) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * KIB))
  return { pss: total('Pss'), rss: total('Rss') }
}

/** Words of the command line of a process; none where it is gone. */
export async function readCommandLine(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.split('\0').slice(0, -1)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
