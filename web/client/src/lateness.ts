/** When a call is late, and how it says that it was answered in time. */
export interface Late {
  readonly late: AbortSignal
  readonly answered?: () => void
}

/** Late only until an answer begins. */
export function untilAnswered(ms: number): Late {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ms)
  return { late: late.signal, answered: () => clearTimeout(timer) }
}

/** Rejects with the signal's reason once it aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', over)
      resolve()
    }, ms)
    signal.addEventListener('abort', over, { once: true })
  })
