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

/** What a message shows, as a `data:` address; undefined if it can't be had in time. */
export async function loadPicture(
  { pictureToken }: PushPayload,
  { ask, waitMs }: { readonly ask: typeof fetch; readonly waitMs: number },
): Promise<string | undefined> {
  if (typeof pictureToken !== 'string') return undefined
  try {
    const signal = AbortSignal.timeout(waitMs)
    const config = await ask('/config.json', { signal })
    const { apiServer }: { apiServer: string } = await config.json()
    // A token is never part of an address.
    const headers = { authorization: `Bearer ${pictureToken}`, accept: 'image/jpeg' }
    const reply = await ask(`${apiServer}pushPicture`, { headers, credentials: 'omit', cache: 'no-store', signal })
    if (!reply.ok || reply.headers.get('content-type') !== 'image/jpeg') return undefined
    return `data:image/jpeg;base64,${toBase64(new Uint8Array(await reply.arrayBuffer()))}`
  } catch {
    // The message matters more than its picture.
    return undefined
  }
}

const CHUNK = 8192

/** A function takes only so many arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
