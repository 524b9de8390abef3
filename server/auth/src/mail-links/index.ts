import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorPage, SignInPages } from '@sightline/contract/sign-in-pages'
import type { Brand } from '@sightline/platform/brands'
import { sendError } from '../pages/index.ts'

/** Somebody follows a link of a mail, or posts the form behind it. */
export interface MailLinkVisit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly address: string
  readonly token: string
}

export interface MailLinkParts {
  readonly pages: SignInPages
}

/** Where the token may not go: not even a page of ours needs to know where somebody comes from. */
export const MAIL_LINK_REFERRER = 'no-referrer'

/**
 * What a link of a mail stands for. Otherwise the answer is given already: links that are over, used or made up look alike,
 * and a form must not come from another site. Links that are made up do not count as wrong passwords do: nobody guesses
 * 256 bits, and any page of pictures could lock an office out of signing in. The limit of requests holds here as anywhere.
 */
export async function openLink<Link>(
  visit: MailLinkVisit,
  parts: MailLinkParts,
  { find, over }: { readonly find: () => Promise<Link | undefined>; readonly over: ErrorPage['kind'] },
): Promise<Link | undefined> {
  const { req } = visit
  const link = await find()
  if (link === undefined) {
    sendError(visit, parts, { kind: over, status: 404 })
    return undefined
  }
  // The token in the address is what no other site knows; a browser that says who sent the form is believed besides.
  const site = req.headers['sec-fetch-site']
  const isForeign = req.method === 'POST' && site !== undefined && site !== 'same-origin'
  if (!isForeign) return link
  sendError(visit, parts, { kind: 'refused', status: 403 })
  return undefined
}
