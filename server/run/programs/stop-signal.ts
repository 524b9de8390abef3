import { StartError } from '@sightline/platform/startup'

/** Aborted when the process is asked to stop, or a part fails for good. */
export function untilAskedToStop(): { signal: AbortSignal; fail: (reason: string) => void } {
  const stopping = new AbortController()
  const stop = () => stopping.abort('asked to stop')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  // The starter has the other end of this channel; it closes when the starter is killed.
  process.on('disconnect', stop)
  // The reader of our output has ended, as in `npm start | head`; that is no reason to crash.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return { signal: stopping.signal, fail: (reason) => stopping.abort(new StartError(reason)) }
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    // A pending promise doesn't keep a process running, but a timer does.
    const awake = setInterval(() => undefined, 2 ** 30)
    signal.addEventListener('abort', () => {
      clearInterval(awake)
      resolve()
    })
  })
}
