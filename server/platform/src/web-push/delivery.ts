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
  /** A later one of the same topic takes its place: at most 32 letters, digits, `-` and `_` (RFC 8030 §5.4). */
  readonly topic?: string
}

/** Why a message was not taken. Never holds the address, which is a secret of the browser. */
export type PushFailure =
  /** The browser takes no messages any more: its registration can be forgotten. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'later'; readonly reason: string; readonly afterS: number | undefined }
  /** It would be refused again. */
  | { readonly kind: 'never'; readonly reason: string }

/** Hands one message to a push service; ends by itself within ten seconds. */
export type DeliverPush = (message: PushMessage) => Promise<Result<undefined, PushFailure>>

const PUSH_TIMEOUT_MS = 10_000
/** Of the answer nothing but the status is used. */
const LONGEST_WAIT_S = 3600

export interface PushDeliverySettings {
  readonly privateKey: KeyObject
  readonly contact: string
  /** Networks in which push services may be besides the public internet; only there one may be asked without TLS. */
  readonly networks: readonly string[]
  readonly clock: Clock
}

/** Whether a push service may be written in a subscription like this; where it leads is looked at with each message. */
export function isPushEndpoint(text: string, { networks }: Pick<PushDeliverySettings, 'networks'>): boolean {
  if (text.length > 1024 || !URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && networks.length > 0)
  return isSafe && username === '' && password === '' && hash === ''
}

/**
 * Writes to push services at addresses that browsers, and so whoever has an account, name. A name is resolved once, every
 * address it has is checked, and the connection goes to a checked one; redirects are not followed (security.md §2).
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
  // A number is connected to as it is, without the resolver and its check.
  if (isIP(host) !== 0 && !mayReach(host)) return Promise.resolve(fail(notReached('EREFUSED')))
  const signal = AbortSignal.timeout(PUSH_TIMEOUT_MS)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    // None that was opened for another message, whose check was another one.
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
    // Whatever else it says may be without end.
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
