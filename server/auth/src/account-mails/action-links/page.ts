import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorPage, PageFrame, SignInPages } from '@sightline/contract/sign-in-pages'
import type { Brand } from '@sightline/platform/brands'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import {
  createPageFrame,
  getPageHref,
  type PageReply,
  readFields,
  sendError,
  sendPage,
} from '../../sign-in-pages/index.ts'
import { type ActionLinkKind, type findLinkPage, getLinkRule } from './rules.ts'
import { findLink, type LiveLink } from './store.ts'

interface PageRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly address: string
}

/** Somebody follows a link of a mail, or posts the form behind it. */
export interface LinkRequest extends PageRequest {
  readonly at: NonNullable<ReturnType<typeof findLinkPage>>
}

/** The link opens; what it is for is shown or done. */
export interface OpenLink extends Pick<PageRequest, 'req' | 'brand' | 'address'> {
  readonly link: LiveLink
  readonly token: string
}

export type LinkReply = Pick<PageReply, 'status' | 'frame' | 'html' | 'retryAfterS'>

/** What is particular to a kind of links. `over`: the link ended meanwhile; `refused`: this is not the form of its page. */
export interface LinkAction<Deps> {
  /** The page that asks. It changes nothing, because mail programs open links to look at them. */
  readonly show: (open: OpenLink, deps: Deps) => Promise<LinkReply | 'over'>
  /** Does it, once, with what the form says. */
  readonly perform: (open: OpenLink, deps: Deps, fields: URLSearchParams) => Promise<LinkReply | 'over' | 'refused'>
}

export type LinkActions<Deps> = Readonly<Record<ActionLinkKind, LinkAction<Deps>>>

export interface LinkPageDeps {
  readonly db: Db
  readonly clock: Clock
  readonly pages: SignInPages
}

/**
 * The page behind a link of a mail, without script or cookie. Links that are over, used or made up look alike, and a form must
 * not come from another site. Links that are made up do not count as wrong passwords do: nobody guesses 256 bits, and any page of
 * pictures could lock an office out of signing in. The limit of requests holds here as anywhere.
 */
export async function followLink<Deps extends LinkPageDeps>(
  request: LinkRequest,
  deps: Deps,
  acts: LinkActions<Deps>,
): Promise<void> {
  const { req, res, brand, address, at } = request
  const refuse = (kind: ErrorPage['kind'], status: number) => sendError(request, deps, { kind, status })
  const sendOver = () => refuse(at.over, 404)
  const asked = { tokenSha256: tokenSha256(at.token), kinds: at.kinds }
  const link = await findLink(deps.db.plain, asked, deps.clock.now())
  if (link === undefined) return sendOver()
  if (isForeignForm(req)) return refuse('refused', 403)
  const open = { req, brand, address, link, token: at.token }
  const { show, perform } = acts[link.kind]
  const fields = req.method === 'POST' ? await readFields(req) : 'none'
  if (fields === undefined) return refuse('refused', 400)
  const reply = fields === 'none' ? await show(open, deps) : await perform(open, deps, fields)
  if (reply === 'over') return sendOver()
  if (reply === 'refused') return refuse('refused', 400)
  // Not even a page of ours needs to know the address, in which the token is.
  sendPage(res, { ...reply, referrer: 'no-referrer' })
}

/** The token in the address is what no other site knows; a browser that says who sent the form is believed besides. */
function isForeignForm(req: IncomingMessage): boolean {
  const site = req.headers['sec-fetch-site']
  return req.method === 'POST' && site !== undefined && site !== 'same-origin'
}

/** Of the page that asks: its frame, and where its form is sent. */
export function askingFrame({ req, brand, link, token }: OpenLink): {
  readonly frame: PageFrame
  readonly action: string
} {
  const about = { path: `${getLinkRule(link.kind).path}${token}` }
  const frame = createPageFrame(req, brand, about)
  return { frame, action: getPageHref(about, frame.language) }
}

/** Of the page that says that it is done: its address opens nothing any more, so there are no other languages of it. */
export const doneFrame = ({ req, brand }: OpenLink): PageFrame => ({
  ...createPageFrame(req, brand, { path: '' }),
  otherLanguages: [],
})
