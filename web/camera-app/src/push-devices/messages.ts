import type { PushPayload } from '@sightline/contract/push-devices'

const HOME = '/app/'

/** Browsers require that every push message is shown, so an unreadable one gets a general text. */
const unreadable: PushPayload = { title: 'Sightline', body: '', path: HOME, tag: 'message', language: 'en' }

/** The server's message, already decrypted by the browser. */
export function readPayload(text: string | undefined): PushPayload {
  try {
    const given: Partial<PushPayload> = JSON.parse(text ?? '')
    const isWhole = [given.title, given.body, given.path, given.tag, given.language].every(
      (part) => typeof part === 'string',
    )
    return isWhole ? (given as PushPayload) : unreadable
  } catch {
    return unreadable
  }
}

/** The address that a message opens; never of another origin. */
export function pageToOpen(path: unknown, origin: string): string {
  const home = new URL(HOME, origin).href
  if (typeof path !== 'string' || !URL.canParse(path, origin)) return home
  const page = new URL(path, origin)
  return page.origin === origin ? page.href : home
}
