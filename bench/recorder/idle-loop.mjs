// Measures how late its timers are while it does nothing else, as a media worker does (control/worker-figures.ts).
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 100
const NANOSECONDS_PER_MS = 1e6

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
process.on('message', () => {
  const late = (nanoseconds) => Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS)
  process.send({ p99Ms: late(delay.percentile(99)), worstMs: late(delay.max) })
  delay.reset()
})
process.on('disconnect', () => process.exit())
