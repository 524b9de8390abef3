import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const MS_PER_SECOND = 1000

/** How late timers are. */
export interface LoopDelay {
  readonly p99Ms: number
  readonly worstMs: number
}

/** What a worker's metrics say. */
export interface WorkerReading extends LoopDelay {
  /** Cameras that are recorded. */
  readonly recorded: number
  /** User and system time since its start. */
  readonly processorSeconds: number
}

/** Reads a worker's metrics; its delays are those since the reading before. */
export async function readWorker(metricsPort: number): Promise<WorkerReading> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const value = (name: string, label: string): number =>
    Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1])
  const delay = (quantile: string) =>
    value('sightline_media_event_loop_delay_seconds', `quantile="${quantile}"`) * MS_PER_SECOND
  return {
    p99Ms: delay('0.99'),
    worstMs: delay('1'),
    recorded: value('sightline_media_cameras', 'state="recorded"'),
    processorSeconds: value('sightline_media_processor_seconds_total', ''),
  }
}

/** Of idle-loop.mjs, since the reading before. */
export async function readIdle(idle: ChildProcess): Promise<LoopDelay> {
  const answer = once(idle, 'message')
  idle.send('read')
  const [delay] = await answer
  return delay as LoopDelay
}
