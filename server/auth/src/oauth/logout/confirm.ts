import type { IncomingMessage } from 'node:http'
import { findByUserId } from '../../people/index.ts'
import { createPageFrame, getPageHref, sendPage } from '../../sign-in-pages/index.ts'
import type { LogoutDeps, LogoutRequest } from './sign-out.ts'

/** Asks for confirmation before signing out; the form posts to `path`. */
interface Question {
  readonly path: string
  /** The query of the page's address, in addition to its language. */
  readonly query: Readonly<Record<string, string>>
  readonly confirmPath: string
  readonly confirmQuery?: Readonly<Record<string, string>>
  readonly uiLocales?: string | undefined
  /** The signed-in user. */
  readonly userId: string
}

export async function askFirst(request: LogoutRequest, deps: LogoutDeps, question: Question): Promise<void> {
  const { req, res, brand } = request
  const { path, query, uiLocales, confirmPath, confirmQuery = {} } = question
  const frame = createPageFrame(req, brand, { path, query, uiLocales })
  const person = await findByUserId(deps.db, Number(question.userId))
  const action = getPageHref({ path: confirmPath, query: confirmQuery }, frame.language)
  const html = deps.pages.confirmLogout({ ...frame, action, email: person?.email ?? '', stayHref: '/' })
  sendPage(res, { status: 200, frame, html })
}

/**
 * Whether the request came from a page of this origin or a typed address. Browsers send Sec-Fetch-Site, without TLS
 * only Referer; a request with neither may come from anywhere.
 */
export function isOwnNavigation({ headers }: Pick<IncomingMessage, 'headers'>, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { referer } = headers
  return referer !== undefined && URL.canParse(referer) && new URL(referer).origin === origin
}
