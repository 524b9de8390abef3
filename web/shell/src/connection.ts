/** Whether the server can be reached, as far as calls have told. */
export interface Connection {
  isLost(): boolean
  subscribe(listener: () => void): () => void
  /** `fetch`, observed: a call that gets no answer loses the connection, any answer has it back. */
  fetch(address: string, init?: RequestInit): Promise<Response>
}

const ASK_EVERY_MS = 5000

/**
 * While the connection is lost it is asked for by `address` until something answers. `browser` tells when this device has
 * no network at all.
 */
export function createConnection(address: string, browser: EventTarget): Connection {
  const listeners = new Set<() => void>()
  let lost = false
  let changedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = (isLost: boolean) => {
    clearTimeout(timer)
    if (isLost) timer = setTimeout(() => void ask(), ASK_EVERY_MS)
    if (isLost === lost) return
    lost = isLost
    changedAt = performance.now()
    for (const listener of listeners) listener()
  }
  const observed = async (to: string, init?: RequestInit) => {
    const askedAt = performance.now()
    // What was asked before tells of before.
    const isNews = () => askedAt >= changedAt
    try {
      const response = await fetch(to, init)
      // What a proxy says in place of a server that is down.
      if (isNews()) settle(response.status >= 502 && response.status <= 504)
      return response
    } catch (error) {
      // Who gives a call up says nothing about the connection.
      if (isNews() && init?.signal?.aborted !== true) settle(true)
      throw error
    }
  }
  const ask = () => observed(address, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  browser.addEventListener('offline', () => settle(true))
  browser.addEventListener('online', () => void ask())
  return {
    isLost: () => lost,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fetch: observed,
  }
}
