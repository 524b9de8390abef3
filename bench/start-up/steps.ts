/** One step of the start and its duration. */
export interface StartStep {
  readonly name: string
  readonly ms: number
}

const UP = / is up$/

/**
 * The steps of a start that began at `began` (milliseconds since 1970), from the log (JSON lines): first the time until its
 * first line, then each step as the server timed it. Concurrent steps each have their full duration.
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
