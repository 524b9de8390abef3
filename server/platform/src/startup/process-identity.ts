import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** One process, told apart from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the process began, in a form that only equality means something for. */
  readonly birth: string
  /** Numbers of processes mean something inside one namespace only; a container has its own. Empty outside Linux. */
  readonly pidNamespace: string
}

/** The identity of a running process, or undefined if no process has that number now. */
export function processIdentity(pid: number): ProcessIdentity | undefined {
  const birth = process.platform === 'linux' ? birthFromProc(pid) : birthFromPs(pid)
  return birth === undefined ? undefined : { pid, birth, pidNamespace: pidNamespace() }
}

export const isSameProcess = (a: ProcessIdentity, b: ProcessIdentity | undefined): boolean =>
  b !== undefined && a.pid === b.pid && a.birth === b.birth

function birthFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): the name in parentheses may contain anything, so count fields after the last one: state is 3, starttime
    // 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isZombie = fields[0] === 'Z' || fields[0] === 'X'
    return isZombie ? undefined : `${bootId()}/${fields[19]}`
  } catch {
    return undefined
  }
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

function birthFromPs(pid: number): string | undefined {
  const answer = spawnSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return answer.status === 0 ? answer.stdout.trim() || undefined : undefined
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
