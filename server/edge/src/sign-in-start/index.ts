import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { legalPages } from '@sightline/contract/legal-texts'
import { FIRST_LOGOUT_PATH, firstPartyClients } from '@sightline/contract/runtime-config'
import { callbackParameters, type SignInStart, tokenCookieName, WHOLE_APP } from '@sightline/contract/sign-in-start'
import type { Brand } from '@sightline/platform/brands'
import { readCookie } from '@sightline/platform/cookies'
import { escapedHtml } from '@sightline/platform/html'
import type { SiteSettings } from '../runtime-config/index.ts'
import type { RenderedPage } from '../static-files/index.ts'

type Application = keyof typeof firstPartyClients

/** Public pages. */
const openPages: Readonly<Record<Application, RegExp>> = {
  accountPortal: new RegExp(
    `^(?:/settings(?:/.*)?|/cookies|${FIRST_LOGOUT_PATH}|/logout|/(?:${legalPages.join('|')}))/?$`,
  ),
  cameraApp: /^\/app\/logout\/?$/,
  dealerDashboard: /^\/dealer\/logout\/?$/,
}

/** Whether a page is public. */
export const isOpenPage = (app: Application, path: string): boolean => openPages[app].test(path)

const WITH_APP: readonly string[] = [...callbackParameters, WHOLE_APP]

/** Whether the address belongs to a step of a sign-in, or asks for the application as it is. */
export function needsApplication({ url = '/' }: Pick<IncomingMessage, 'url'>): boolean {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  return WITH_APP.some((name) => query.has(name))
}

/** An address of one of our applications in a browser's request. */
interface Asked {
  readonly app: Application
  readonly path: string
  readonly req: Pick<IncomingMessage, 'url' | 'headers'>
}

/** Whether the application would only redirect to the sign-in page there. */
function isStart({ app, path, req }: Asked): boolean {
  if (isOpenPage(app, path)) return false
  if (needsApplication(req)) return false
  return readCookie(req, tokenCookieName(firstPartyClients[app].clientId)) === undefined
}

/**
 * The page for a browser that isn't signed in. It starts the sign-in like the application, without loading it first.
 * Undefined if the request is for the application itself.
 *
 * @param script the script that Vite built from web/sign-in-start
 */
export function signInStart(
  script: string,
  asked: Asked,
  brand: Brand,
  { authFlow }: SiteSettings,
): RenderedPage | undefined {
  if (!isStart(asked)) return undefined
  const { clientId: appId, redirectPath: path, loggedOutPath } = firstPartyClients[asked.app]
  const start: SignInStart = { appId, authServer: brand.origin, authFlow, path, loggedOutPath }
  return {
    html: `<!doctype html><html lang="en" data-start="${escapedHtml(JSON.stringify(start))}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${escapedHtml(brand.theme.companyName)}</title><link rel="icon" href="data:,"></head><body><noscript>This page needs JavaScript. Please switch it on and load the page again.</noscript><script>${script}</script></body></html>`,
    policy: `default-src 'none'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
  }
}
