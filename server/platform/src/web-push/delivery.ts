import type { KeyObject } from 'node:crypto'
import { request as plainRequest } from 'node:http'
import { type RequestOptions, request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type Clock, MS_PER_SECOND } from '../clock/index.ts'
import { addressRule, checkedLookup, listedRule } from '../network-address/index.ts'
import { fail, ok, type Result } from '../result/index.ts'
import { encryptPush, type PushSubscription } from './encryption.ts'
import { vapidAuthorization } from './vapid.ts'

export interface PushMessage {
  readonly to: PushSubscription
  readonly text: string
  /** Seconds that the push service keeps it for a browser that is away. */
  readonly ttlS: number
  /** A later message of the same topic replaces it: at most 32 letters, digits, `-` and `_` (RFC 8030 §5.4). */
  readonly topic?: string
}

/** Why a message wasn't accepted. Never contains the address, which is a secret of the browser. */
export type PushFailure =
  /** The browser no longer accepts messages: its registration can be deleted. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'later'; readonly reason: string; readonly afterS: number | undefined }
  /** It would be refused again. */
  | { readonly kind: 'never'; readonly reason: string }

/** Sends one message to a push service; ends within ten seconds. */
export type DeliverPush = (message: PushMessage) => Promise<Result<undefined, PushFailure>>

const PUSH_TIMEOUT_MS = 10_000
/** Only the status of the response is used. */
const LONGEST_WAIT_S = 3600

export interface PushDeliverySettings {
  readonly privateKey: KeyObject
  readonly contact: string
  /** Networks with push services other than the public internet; only these may be used without TLS. */
  readonly networks: readonly string[]
  readonly clock: Clock
}

/** Whether a subscription may contain this push service; where its name resolves is checked with each message. */
export function isPushEndpoint(text: string, { networks }: Pick<PushDeliverySettings, 'networks'>): boolean {
  if (text.length > 1024 || !URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && networks.length > 0)
  return isSafe && username === '' && password === '' && hash === ''
}

/**
 * Sends to push services at addresses from browsers, and so from any user. A name is resolved once, all its addresses
 * are checked, and the connection goes to a checked one; redirects aren't followed (security.md §2).
 */
export function pushDelivery(settings: PushDeliverySettings): DeliverPush {
  const rules = { allowed: settings.networks }
  const rule = { 'https:': addressRule(rules), 'http:': listedRule(rules) }
  return async (message) => {
    const { to, text, ttlS, topic } = message
    const headers = {
      authorization: vapidAuthorization({ ...settings, endpoint: to.endpoint, now: settings.clock.now() }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.max(0, Math.round(ttlS))),
      urgency: 'high',
      ...(topic === undefined ? {} : { topic }),
    }
    const url = new URL(to.endpoint)
    const mayReach = url.protocol === 'http:' ? rule['http:'] : rule['https:']
    const answer = await post(url, { headers, body: encryptPush(to, text), mayReach })
    return answer.ok ? verdictOf(answer.value, settings.clock) : fail({ ...answer.failure, afterS: undefined })
  }
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
}

function verdictOf({ status, retryAfter }: Answer, clock: Clock): Result<undefined, PushFailure> {
  if (status >= 200 && status < 300) return ok(undefined)
  if (status === 404 || status === 410) return fail({ kind: 'gone' })
  const reason = `the push service answered ${status}`
  if (status === 429 || status >= 500) {
    return fail({ kind: 'later', reason, afterS: waitS(retryAfter, clock) })
  }
  return fail({ kind: 'never', reason })
}

/** Seconds of a Retry-After header, which may be a date (RFC 9110 §10.2.3). */
function waitS(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - clock.now()) / MS_PER_SECOND
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_S, Math.max(0, Math.ceil(seconds))) : undefined
}

interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly mayReach: (address: string) => boolean
}

type NotReached = { readonly kind: 'later'; readonly reason: string }

function post(url: URL, { headers, body, mayReach }: Post): Promise<Result<Answer, NotReached>> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Numeric addresses bypass the resolver and its check.
  if (isIP(host) !== 0 && !mayReach(host)) return Promise.resolve(fail(notReached('EREFUSED')))
  const signal = AbortSignal.timeout(PUSH_TIMEOUT_MS)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    // Never reuses another message's connection, which was checked differently.
    agent: false,
    lookup: checkedLookup(mayReach),
    signal,
  }
  const { promise, resolve: settle } = Promise.withResolvers<Result<Answer, NotReached>>()
  const request = url.protocol === 'http:' ? plainRequest(url, options) : tlsRequest(url, options)
  request.on('error', (error: NodeJS.ErrnoException) => settle(fail(notReached(error.code))))
  request.on('response', (response) => {
    const retryAfter = response.headers['retry-after']
    settle(ok({ status: response.statusCode ?? 0, retryAfter }))
    // The rest of the response may be endless.
    request.destroy()
  })
  request.end(body)
  return promise
}

/** Refused, closed and filtered look alike to people; the code is for the operator's log. */
const notReached = (code: string | undefined): NotReached => ({
  kind: 'later',
  reason: `could not reach the push service (${code ?? 'unknown reason'})`,
})
