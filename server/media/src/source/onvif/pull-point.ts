import { setTimeout as sleep } from 'node:timers/promises'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { type MotionNotice, motionNotices, type PortNotice, portNotices, pullShape } from './notification.ts'
import type { OnvifClient, OnvifFault, OnvifResult, OnvifService } from './onvif-client.ts'
import { EVENTS, onReachedHost } from './onvif-services.ts'
import { referenceHeaders } from './reference-parameters.ts'
import { anything, element, neededText, text } from './shapes.ts'

export interface PullPointOptions {
  readonly client: OnvifClient
  /** A client that isn't ended by the signal, for the last call. */
  readonly lastClient: () => OnvifClient
  readonly service: OnvifService
  /** The subscription stands, and the camera answered its first request for messages. */
  readonly onFollowing: () => void
  readonly onNotices: (notices: readonly MotionNotice[]) => void
  readonly onPort: (notice: PortNotice) => void
  /** After each reply, before the next request: what else is to be asked of the camera. */
  readonly onReply: () => Promise<void>
  readonly signal: AbortSignal
  readonly timing?: Partial<PullTiming>
}

export interface PullTiming {
  /** How long the camera may wait for something to report. */
  readonly pullSeconds: number
  /** Without a reply for this much longer, the subscription is lost: 68 s after the last reply. */
  readonly graceMs: number
  readonly terminationSeconds: number
  readonly shortestRenewalMs: number
  /** Between two requests, for cameras that answer at once. */
  readonly pauseMs: number
}

const USUAL: PullTiming = {
  pullSeconds: 60,
  graceMs: 8000,
  terminationSeconds: 600,
  shortestRenewalMs: 60_000,
  pauseMs: 500,
}
/** For cameras that refuse to wait longer. */
const SHORT_PULL_SECONDS = 5
const RENEW_AT = 0.8
const MIN_PULL_MS = 1000
/** Clocks of cameras tell whole seconds. */
const SAME_TERMINATION_MS = 30_000
const TYPES = `${EVENTS}/EventPortType`
const PULL_POINT = `${EVENTS}/PullPointSubscription`
const MANAGER = 'http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager'
const NOTIFICATION = 'http://docs.oasis-open.org/wsn/b-2'

const times = { CurrentTime: text, TerminationTime: text }
const createdShape = z.object({ ...times, SubscriptionReference: element(z.object({ Address: neededText })) })
const timesShape = z.object(times)
const noShape = anything

interface Subscription {
  readonly service: OnvifService
  /** What the camera wants back with each call. */
  readonly header: string
  /** How long it lasts from now on, in milliseconds; undefined if the camera doesn't say. */
  readonly lastsMs: number | undefined
  /** The camera's own time, in milliseconds since 1970. */
  readonly currentTime: number | undefined
}

/**
 * Follows a camera's events by one subscription (ONVIF Core §9: PullPoint) until it is lost or the signal aborts; result: why.
 * Calls follow each other, because many cameras serve one at a time.
 */
export async function followPullPoint(options: PullPointOptions): Promise<OnvifFault> {
  const timing = { ...USUAL, ...options.timing }
  const created = await subscribe(options, timing)
  if (!created.ok) return created.failure
  try {
    return await pull(options, created.value, timing)
  } finally {
    if (options.signal.aborted) await unsubscribe(options, created.value)
  }
}

async function subscribe(
  { client, service, signal }: PullPointOptions,
  { terminationSeconds }: PullTiming,
): Promise<OnvifResult<Subscription>> {
  const operation = 'CreatePullPointSubscription'
  const created = await client.call({
    service,
    namespace: EVENTS,
    operation,
    action: `${TYPES}/${operation}Request`,
    content: `<o:InitialTerminationTime>PT${terminationSeconds}S</o:InitialTerminationTime>`,
    shape: createdShape,
    signal,
  })
  if (!created.ok) return created
  const { value, text: reply } = created.value
  const named = value.SubscriptionReference.Address
  const address = onReachedHost(client.address, named, service.named)
  if (address === undefined) return fail(fault('badReply', 'expected an http URL of the subscription'))
  // A camera that named the event service at another port than its device service names the subscription there too.
  const own = { ...address, port: service.address.port === client.address.port ? address.port : service.address.port }
  const isSameHost = new URL(named).hostname === client.address.host
  const subscription = { service: { address: isSameHost ? address : own, named }, header: referenceHeaders(reply) }
  return ok({ ...subscription, ...lifetime(value) })
}

function lifetime({ CurrentTime, TerminationTime }: z.infer<typeof timesShape>) {
  const [from, till] = [Date.parse(CurrentTime ?? ''), Date.parse(TerminationTime ?? '')]
  const lastsMs = till - from
  return {
    lastsMs: lastsMs > 0 && lastsMs < Number.MAX_SAFE_INTEGER ? lastsMs : undefined,
    currentTime: from >= 0 ? from : undefined,
  }
}

async function pull(options: PullPointOptions, subscription: Subscription, timing: PullTiming): Promise<OnvifFault> {
  const { client, signal, onFollowing } = options
  const renewals = new Renewals(client, subscription, timing)
  await renewals.correct(signal)
  await synchronize(client, subscription, signal)
  let { pullSeconds } = timing
  let isFollowing = false
  while (!signal.aborted) {
    const began = performance.now()
    const untilRenewal = Math.floor(renewals.dueInMs(began) / 1000)
    const seconds = Math.max(1, Math.min(pullSeconds, untilRenewal))
    const pulled = await client.call({
      ...pullCall(subscription, seconds),
      timeoutMs: seconds * 1000 + timing.graceMs,
      signal,
    })
    if (!pulled.ok) {
      const isTooLong = !isFollowing && pulled.failure.isRefusal === true && pullSeconds > SHORT_PULL_SECONDS
      if (!isTooLong) return pulled.failure
      pullSeconds = SHORT_PULL_SECONDS
      continue
    }
    if (!isFollowing) onFollowing()
    isFollowing = true
    report(pulled.value.value, options)
    await options.onReply()
    if (renewals.dueInMs(performance.now()) < MIN_PULL_MS) await renewals.renew(signal)
    const pause = timing.pauseMs - (performance.now() - began)
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
  return fault('closed', 'events are no longer wanted')
}

function report(pulled: z.infer<typeof pullShape>, { onNotices, onPort }: PullPointOptions): void {
  const notices = motionNotices(pulled)
  if (notices.length > 0) onNotices(notices)
  for (const notice of portNotices(pulled)) onPort(notice)
}

const pullCall = ({ service, header }: Subscription, seconds: number) => ({
  service,
  header,
  namespace: EVENTS,
  operation: 'PullMessages',
  action: `${PULL_POINT}/PullMessagesRequest`,
  content: `<o:Timeout>PT${seconds}S</o:Timeout><o:MessageLimit>100</o:MessageLimit>`,
  shape: pullShape,
})

/** Makes the camera report its current state. Not all support it. */
async function synchronize(client: OnvifClient, { service, header }: Subscription, signal: AbortSignal): Promise<void> {
  const operation = 'SetSynchronizationPoint'
  const action = `${PULL_POINT}/${operation}Request`
  await client.call({ service, header, namespace: EVENTS, operation, action, shape: noShape, signal })
}

/** Only at the end: with some cameras this ends the subscriptions of everybody. */
async function unsubscribe({ lastClient }: PullPointOptions, { service, header }: Subscription): Promise<void> {
  const call = { namespace: NOTIFICATION, operation: 'Unsubscribe', action: `${MANAGER}/UnsubscribeRequest` }
  await lastClient().call({ ...call, service, header, shape: noShape })
}

/**
 * Renews a subscription at 80 % of its life. A camera that grants something else than was asked for is asked by a time instead of
 * a duration, and the other way round; one that refuses may renew at each request for messages, so that alone is no loss.
 */
class Renewals {
  readonly #client: OnvifClient
  readonly #subscription: Subscription
  readonly #timing: PullTiming
  #isAbsolute = false
  #lastsMs: number | undefined
  #renewedAt = performance.now()

  constructor(client: OnvifClient, subscription: Subscription, timing: PullTiming) {
    this.#client = client
    this.#subscription = subscription
    this.#timing = timing
    this.#lastsMs = subscription.lastsMs
  }

  get #wantedMs(): number {
    return this.#timing.terminationSeconds * 1000
  }

  dueInMs(monotonic: number): number {
    const lasts = Math.min(this.#lastsMs ?? this.#wantedMs, this.#wantedMs)
    return this.#renewedAt + Math.max(this.#timing.shortestRenewalMs, lasts * RENEW_AT) - monotonic
  }

  /** Right after the start, if the camera understood the duration in another way. */
  async correct(signal: AbortSignal): Promise<void> {
    const granted = this.#lastsMs
    if (granted === undefined || Math.abs(granted - this.#wantedMs) <= SAME_TERMINATION_MS) return
    this.#isAbsolute = true
    await this.renew(signal)
  }

  async renew(signal: AbortSignal): Promise<void> {
    const { service, header } = this.#subscription
    const content = `<o:TerminationTime>${this.#termination()}</o:TerminationTime>`
    const call = { namespace: NOTIFICATION, operation: 'Renew', action: `${MANAGER}/RenewRequest`, content }
    const renewed = await this.#client.call({ ...call, service, header, shape: timesShape, signal })
    this.#renewedAt = performance.now()
    if (!renewed.ok) this.#isAbsolute = !this.#isAbsolute
    else this.#lastsMs = lifetime(renewed.value.value).lastsMs ?? this.#lastsMs
  }

  #termination(): string {
    if (!this.#isAbsolute) return `PT${this.#timing.terminationSeconds}S`
    const cameraNow = Date.now() + this.#client.clockAheadMs
    return new Date(cameraNow + this.#wantedMs).toISOString().replace(/\.\d+Z$/, 'Z')
  }
}
