import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { choiceCookies } from '@sightline/contract/first-paint'
import {
  type ErrorPage,
  type PageFrame,
  type SignInLanguage,
  type SignInPages,
  signInLanguages,
} from '@sightline/contract/sign-in-pages'
import { chooseLanguage } from '@sightline/platform/accept-language'
import type { Brand } from '@sightline/platform/brands'
import { readCookie } from '@sightline/platform/cookies'

export { isSameOrigin, readBody, readFields } from './forms.ts'

/** Identifies a sign-in in progress. */
export const SIGN_IN_UID = /^[A-Za-z0-9_-]{16,64}$/
/** Shorter than the address of any sign-in. */
export const FORGOT_PASSWORD_PATH = '/sign-in/forgot'

/** The page's frame, for this request: brand, language with links to the others, a nonce for its style. */
export function createPageFrame(
  req: IncomingMessage,
  brand: Brand,
  about: {
    readonly path: string
    readonly uiLocales?: string | undefined
    /** The query of the page's address, in addition to its language. */
    readonly query?: Readonly<Record<string, string>>
  },
): PageFrame {
  // In order: the page's choice, the application's request, this browser's earlier choice, its preference.
  const language = chooseLanguage(req.headers['accept-language'], [
    new URL(req.url ?? '/', brand.origin).searchParams.get('lang') ?? '',
    ...(about.uiLocales ?? '').split(' '),
    readCookie(req, choiceCookies.language) ?? '',
  ])
  return {
    language,
    otherLanguages: signInLanguages
      .filter((other) => other !== language)
      .map((other) => ({ language: other, href: getPageHref(about, other) })),
    theme: brand.theme,
    nonce: randomBytes(16).toString('base64'),
  }
}

/** Path and query of a page in one language. */
export const getPageHref = (
  page: { readonly path: string; readonly query?: Readonly<Record<string, string>> },
  language: SignInLanguage,
): string => `${page.path}?${new URLSearchParams({ ...page.query, lang: language })}`

/**
 * The headers of a page with a password form: only its own style and the brand's images, no frame. Browsers also apply
 * `form-action` to the redirect of the response, so the application's address is included.
 */
function pageHeaders({ frame, formTarget, referrer, hasScript }: PageReply): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${frame.nonce}'`,
    ...(hasScript === true ? [`script-src 'nonce-${frame.nonce}'`] : []),
    "img-src 'self' data:",
    "font-src 'self'",
    // For passkey challenges; and page auditing tools fetch /robots.txt from inside the page (docs/decisions/0024).
    "connect-src 'self'",
    `form-action ${["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': frame.language,
    'content-security-policy': policy.join('; '),
    // `no-referrer` makes browsers send `Origin: null` with the form.
    'referrer-policy': referrer ?? 'same-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    vary: 'accept-language, cookie',
  }
}

export interface PageReply {
  readonly status: number
  readonly frame: PageFrame
  readonly html: string
  /** The origin that the form's response redirects to, if different. */
  readonly formTarget?: string | undefined
  readonly retryAfterS?: number
  /** It has one for passkeys. */
  readonly hasScript?: boolean
  /** If the address of the page itself is a secret. */
  readonly referrer?: 'no-referrer'
}

export function sendPage(res: ServerResponse, page: PageReply): void {
  const headers = pageHeaders(page)
  if (page.retryAfterS !== undefined) headers['retry-after'] = String(page.retryAfterS)
  res.writeHead(page.status, headers)
  res.end(page.html)
}

/** Replies with one of our error pages. */
export function sendError(
  visit: { readonly req: IncomingMessage; readonly res: ServerResponse; readonly brand: Brand },
  deps: { readonly pages: SignInPages },
  shown: { readonly kind: ErrorPage['kind']; readonly status: number },
): void {
  const frame = createPageFrame(visit.req, visit.brand, { path: '' })
  const requestId = visit.req.headers['x-request-id']
  const reference = typeof requestId === 'string' ? { requestId } : {}
  const html = deps.pages.error({ ...frame, kind: shown.kind, ...reference })
  sendPage(visit.res, { status: shown.status, frame, html })
}
