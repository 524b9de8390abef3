const CHANNEL = 'sightline-exports'

/** Tells the other tabs of this browser that there is another export, or one less. */
export function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('changed')
  channel.close()
}

/** Calls back when another tab has changed the exports; the returned function ends that. */
export function whenOtherTabChanges(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = changed
  return () => channel.close()
}
