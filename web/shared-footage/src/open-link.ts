import type { SharedFootage } from '@sightline/contract/shares'

export type SharedVideo = NonNullable<SharedFootage['footage']>

/** What the server says of the link. */
export type ShareAnswer =
  | { readonly kind: 'footage'; readonly footage: SharedVideo }
  | { readonly kind: 'password' }
  | { readonly kind: 'wrongPassword' }
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'away' }

const SECRET = /^#([\w-]{22})$/

/** Asks the server for the footage behind `hash`, the part of the link from `#`. Never rejects: without a network it is `away`. */
export async function openLink(hash: string, password?: string): Promise<ShareAnswer> {
  const [, secret] = SECRET.exec(hash) ?? []
  if (secret === undefined) return { kind: 'gone' }
  try {
    const reply = await fetch('/rest/v2.4/sharedFootage/public', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, password }),
      referrerPolicy: 'no-referrer',
    })
    if (reply.status >= 500) return { kind: 'away' }
    if (reply.status === 403) return { kind: 'wrongPassword' }
    if (reply.status === 429) return { kind: 'wait', waitMs: 1000 * Number(reply.headers.get('retry-after') ?? 60) }
    if (!reply.ok) return { kind: 'gone' }
    const { needsPassword, footage }: SharedFootage = await reply.json()
    return needsPassword || footage === null ? { kind: 'password' } : { kind: 'footage', footage }
  } catch {
    return { kind: 'away' }
  }
}
