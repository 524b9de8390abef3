import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createPageFrame,
  type Failures,
  getPageHref,
  isSameOrigin,
  readFields,
  sendError,
  sendPage,
} from '@sightline/auth'
import type { FirstRunPage, SignInLanguage, SignInPages } from '@sightline/contract/sign-in-pages'
import { readOrigin } from '@sightline/edge'
import type { Brand, BrandSource } from '@sightline/platform/brands'
import type { Logger } from '@sightline/platform/log'
import { type FirstUser, readFirstUser } from './form.ts'

export const FIRST_RUN_PATH = '/sign-in/first-run'

export const sha256Hex = (code: string): string => createHash('sha256').update(code).digest('hex')

export interface PageDeps {
  readonly brands: BrandSource
  readonly pages: SignInPages
  readonly failures: Failures
  readonly log: Logger
  readonly isValidCode: (codeSha256: string) => Promise<boolean>
  /** False if the code is no longer valid. */
  readonly create: (given: {
    readonly codeSha256: string
    readonly person: FirstUser
    readonly language: SignInLanguage
    readonly address: string
  }) => Promise<boolean>
}

interface PageRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly address: string
}

/**
 * Shows the form for the first user (GET) or handles it (POST), without script. Runs only behind the edge, whose
 * forwarded headers it trusts.
 */
export async function answerFirstRun(req: IncomingMessage, res: ServerResponse, deps: PageDeps): Promise<void> {
  let brand: Brand | undefined
  try {
    const { host, address } = readOrigin(req)
    brand = await deps.brands.forHost(host)
    await answer({ req, res, brand, address }, deps)
  } catch (err) {
    deps.log.error({ err, requestId: req.headers['x-request-id'] }, 'could not create the first user')
    if (res.headersSent || brand === undefined) res.destroy()
    else sendError({ req, res, brand }, deps, { kind: 'unexpected', status: 500 })
  }
}

async function answer(request: PageRequest, deps: PageDeps): Promise<void> {
  const { req, res, brand } = request
  // Counted before it is checked, so that concurrent tries can't outrun the limit.
  const reservation = await deps.failures.reserve([], request.address)
  if (reservation.kind === 'locked') {
    res.setHeader('retry-after', String(reservation.retryAfterS))
    return sendError(request, deps, { kind: 'locked', status: 429 })
  }
  const code = new URL(req.url ?? '/', brand.origin).searchParams.get('code') ?? ''
  // The same page as for any unknown address of the authorization server.
  if (!(await deps.isValidCode(sha256Hex(code)))) return sendError(request, deps, { kind: 'expired', status: 404 })
  await reservation.takeBack()
  if (req.method !== 'POST') return sendForm(request, deps, { code, status: 200, typed: {}, problems: {} })
  if (!isSameOrigin(req, brand.origin)) return sendError(request, deps, { kind: 'refused', status: 403 })
  return takeForm(request, deps, code)
}

async function takeForm(request: PageRequest, deps: PageDeps, code: string): Promise<void> {
  const { req, res, brand, address } = request
  const fields = await readFields(req)
  if (fields === undefined) return sendError(request, deps, { kind: 'refused', status: 400 })
  const read = readFirstUser(fields)
  if (read.kind === 'wrong') return sendForm(request, deps, { code, status: 422, ...read })
  const { language } = createPageFrame(req, brand, { path: FIRST_RUN_PATH })
  const isCreated = await deps.create({ codeSha256: sha256Hex(code), person: read.person, language, address })
  if (!isCreated) return sendError(request, deps, { kind: 'expired', status: 404 })
  res.writeHead(303, { location: '/app/', 'cache-control': 'no-store', 'content-length': '0' }).end()
}

function sendForm(
  { req, res, brand }: PageRequest,
  { pages }: PageDeps,
  shown: Pick<FirstRunPage, 'typed' | 'problems'> & { readonly code: string; readonly status: number },
): void {
  const { typed, problems, code, status } = shown
  const about = { path: FIRST_RUN_PATH, query: { code } }
  const frame = createPageFrame(req, brand, about)
  const html = pages.firstRun({ ...frame, action: getPageHref(about, frame.language), typed, problems })
  sendPage(res, { status, frame, html })
}
