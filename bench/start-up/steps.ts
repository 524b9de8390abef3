/** A part of the start and how long the server took for it. */
export interface StartStep {
  readonly name: string
  readonly ms: number
}

const UP = / is up$/

/**
 * What the log (JSON lines) says of a start that began at `began` (milliseconds since 1970): each part as the server timed it,
 * before them what passed until its first line. Parts that start side by side each have their whole time.
 */
export function readStartSteps(log: string, began: number): StartStep[] {
  const steps: StartStep[] = []
  for (const line of log.split('\n')) {
    const entry = parse(line)
    if (entry === undefined) continue
    if (steps.length === 0) steps.push({ name: 'programs loaded and first part', ms: entry.time - began })
    const isStep = UP.test(entry.msg) || entry.msg.startsWith('database schema')
    if (isStep && entry.ms !== undefined) steps.push({ name: entry.msg.replace(UP, ''), ms: entry.ms })
  }
  return steps
}

interface Entry {
  readonly time: number
  readonly msg: string
  readonly ms?: number
}

function parse(line: string): Entry | undefined {
  try {
    const { time, msg, ms } = JSON.parse(line)
    return typeof msg === 'string' ? { time: new Date(time).getTime(), msg, ms } : undefined
  } catch {
    return undefined
  }
}
