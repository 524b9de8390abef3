/** One message. Errors stay until closed; successes close automatically (specification §8: 2-4 s). */
export interface Snack {
  readonly id: number
  readonly kind: 'success' | 'error' | 'info'
  readonly text: string
}

export interface SnackBar {
  /** The current messages, oldest first; the same array until something changes. */
  readonly current: () => readonly Snack[]
  success(text: string): void
  error(text: string): void
  info(text: string): void
  close(id: number): void
  /** Closes the errors, because the action is tried again. */
  closeErrors(): void
  /** Called after each change; the returned function unsubscribes. */
  subscribe(listener: () => void): () => void
}

const SHOWN_MS = 4000
const MOST = 4

/** The messages of an app. An error is not shown twice at a time. */
export function createSnackBar(): SnackBar {
  let snacks: readonly Snack[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const change = (next: readonly Snack[]) => {
    snacks = next
    for (const listener of listeners) listener()
  }
  const close = (id: number) => change(snacks.filter((snack) => snack.id !== id))
  const show = (kind: Snack['kind'], text: string) => {
    lastId += 1
    const id = lastId
    const others = snacks.filter((snack) => snack.kind !== kind || snack.text !== text)
    change([...others, { id, kind, text }].slice(-MOST))
    if (kind !== 'error') setTimeout(() => close(id), SHOWN_MS)
  }
  return {
    current: () => snacks,
    success: (text) => show('success', text),
    error: (text) => show('error', text),
    info: (text) => show('info', text),
    close,
    closeErrors: () => change(snacks.filter((snack) => snack.kind !== 'error')),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
