const SLOW_MS = 2000

/**
 * Whether a line is the edge's account of a request about which nobody has to do anything: it was answered in time, and not
 * with a fault of ours (5xx). What is the asker's own fault (4xx) is ordinary, and so is somebody who left.
 */
export function isOrdinaryRequest([fields, sentence]: readonly unknown[]): boolean {
  if (sentence !== 'request' || typeof fields !== 'object' || fields === null) return false
  const { status, ms } = fields as { readonly status?: unknown; readonly ms?: unknown }
  const hasFailed = typeof status === 'number' && status >= 500
  const isSlow = typeof ms === 'number' && ms >= SLOW_MS
  return !hasFailed && !isSlow
}
