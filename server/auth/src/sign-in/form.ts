import type { IncomingMessage } from 'node:http'
import { isStorable } from '@sightline/platform/http'

/** Enough for an address of 255 characters and a password of 128, percent-encoded. */
const MOST_BYTES = 8192

export interface SignInForm {
  readonly email: string
  readonly password: string
  /** Set on the page that asks which of several accounts is meant. */
  readonly userId: number | undefined
  /** Set on the page that asks for the second factor. */
  readonly code: string | undefined
  /** What a passkey answered, as JSON; a script fills it in. */
  readonly passkey: string | undefined
  /** The account that somebody wants to look around without a password. */
  readonly demonstration: number | undefined
}

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined

/** The fields of a posted form, or undefined where it is none, longer than 8 KiB, or holds what no text can. */
export async function readFields(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')) return undefined
  const text = await readBody(req)
  const fields = new URLSearchParams(text)
  return text === undefined || ![...fields].flat().every(isStorable) ? undefined : fields
}

/** The body as text, or undefined where it is longer than 8 KiB; the connection stays, so that it can be answered. */
export async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The posted form, or undefined where it is no such form or too long. */
export async function readForm(req: IncomingMessage): Promise<SignInForm | undefined> {
  const fields = await readFields(req)
  if (fields === undefined) return undefined
  return {
    email: (fields.get('email') ?? '').slice(0, 255),
    password: (fields.get('password') ?? '').slice(0, 128),
    userId: numberIn(fields.get('userId')),
    code: fields.get('code')?.slice(0, 64),
    passkey: fields.get('passkey') ?? undefined,
    demonstration: numberIn(fields.get('demonstration')),
  }
}

/**
 * Did the form come from our own page? Browsers say so in Sec-Fetch-Site, older ones in Origin; a request that says
 * neither did not come from a browser's form.
 */
export function isSameOrigin(req: IncomingMessage, origin: string): boolean {
  const site = req.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return req.headers.origin === origin
}
