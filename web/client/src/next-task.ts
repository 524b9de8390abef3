/**
 * Lets the browser do what waits, such as showing something or answering a press, before more is done. For work that
 * takes a telephone longer than people take for immediate.
 */
export const nextTask = (): Promise<void> =>
  // Safari has it not.
  'scheduler' in globalThis && 'yield' in scheduler ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
