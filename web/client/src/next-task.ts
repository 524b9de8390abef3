/**
 * Lets the browser do waiting work first, such as painting or handling input. Use it before work that takes a phone
 * noticeably long.
 */
export const nextTask = (): Promise<void> =>
  // Safari doesn't have it.
  'scheduler' in globalThis && 'yield' in scheduler ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
