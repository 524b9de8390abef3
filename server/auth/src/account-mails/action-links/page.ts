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

/** Handles a link from an email: the visit, and the form that it posts. */
export interface LinkRequest extends PageRequest {
  readonly at: NonNullable<ReturnType<typeof findLinkPage>>
}

/** The link is valid; shows its page or performs its action. */
export interface OpenLink extends Pick<PageRequest, 'req' | 'brand' | 'address'> {
  readonly link: LiveLink
  readonly token: string
}

export type LinkReply = Pick<PageReply, 'status' | 'frame' | 'html' | 'retryAfterS'>

/**
 * The parts that differ per kind of link. `over`: the link has expired meanwhile; `refused`: the form isn't from this
 * page.
 */
export interface LinkAction<Deps> {
  /** The page that asks for confirmation. It changes nothing, because email programs open links to scan them. */
  readonly show: (open: OpenLink, deps: Deps) => Promise<LinkReply | 'over'>
  /** Performs the action once, with the posted fields. */
  readonly perform: (open: OpenLink, deps: Deps, fields: URLSearchParams) => Promise<LinkReply | 'over' | 'refused'>
}

export type LinkActions<Deps> = Readonly<Record<ActionLinkKind, LinkAction<Deps>>>

export interface LinkPageDeps {
  readonly db: Db
  readonly clock: Clock
  readonly pages: SignInPages
}

/**
 * The page behind a link from an email, without script or cookie. Expired, used and invented links look alike, and a
 * form must not come from another site. Invented links don't count as wrong passwords: 256 bits can't be guessed, and
 * any page of images could lock an office out of signing in. The request limit still applies.
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
  // Keeps the address, which contains the token, out of the Referer header even for our own pages.
  sendPage(res, { ...reply, referrer: 'no-referrer' })
}

/** No other site knows the token in the address; Sec-Fetch-Site is checked too if the browser sends it. */
function isForeignForm(req: IncomingMessage): boolean {
  const site = req.headers['sec-fetch-site']
  return req.method === 'POST' && site !== undefined && site !== 'same-origin'
}

/** For the page that asks: its frame, and where its form is sent. */
export function askingFrame({ req, brand, link, token }: OpenLink): {
  readonly frame: PageFrame
  readonly action: string
} {
  const about = { path: `${getLinkRule(link.kind).path}${token}` }
  const frame = createPageFrame(req, brand, about)
  return { frame, action: getPageHref(about, frame.language) }
}

/** The confirmation page has no links to other languages: its address no longer works. */
export const doneFrame = ({ req, brand }: OpenLink): PageFrame => ({
  ...createPageFrame(req, brand, { path: '' }),
  otherLanguages: [],
})
