/**
 * Does the work of a timer once the event loop has read what has arrived. A timer of a loop that was late comes before the sockets, and
 * would find a camera silent whose data waits to be read.
 */
export const afterReading = (work: () => void) => (): void => void setImmediate(work)
