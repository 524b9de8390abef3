/** Whether the server can be reached, according to the latest calls. */
export interface Connection {
  isLost(): boolean
  subscribe(listener: () => void): () => void
  /** `fetch` with monitoring: a call without a response means that the connection is lost; any response restores it. */
  fetch(address: string, init?: RequestInit): Promise<Response>
}

const ASK_EVERY_MS = 5000

/**
 * While the connection is lost, requests `address` until a response arrives. `browser` reports when this device has no
 * network at all.
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
    // Responses to requests from before don't count.
    const isNews = () => askedAt >= changedAt
    try {
      const response = await fetch(to, init)
      // Statuses that a proxy returns if the server is down.
      if (isNews()) settle(response.status >= 502 && response.status <= 504)
      return response
    } catch (error) {
      // A canceled call says nothing about the connection.
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
