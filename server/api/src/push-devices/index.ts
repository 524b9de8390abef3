import type { ApiError } from '@sightline/contract/errors'
import {
  deletePushDevice,
  getPushDevices,
  getPushSettings,
  type NewPushDevice,
  type PushPayload,
  putPushDevice,
  testPushDevice,
} from '@sightline/contract/push-devices'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { type DeliverPush, isPointOfP256, type PushSubscription } from '@sightline/platform/web-push'
import { lockUser } from '../users/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import { toPushSubscription } from './push-queue.ts'
import {
  deleteDevice,
  dropExcessDevices,
  findByEndpoint,
  getSubscriptionContext,
  listDevices,
  lockForTest,
  markTested,
  readSubscription,
  saveDevice,
  takeEndpoint,
} from './store.ts'

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The text of the test message, in the reader's language. */
function testPayload(wanted: string): PushPayload {
  const language = languages.has(wanted) ? wanted : 'en'
  return { ...(languages.get(wanted) ?? en), path: '/app/', tag: 'test', language }
}

export { type NewPushPicture, openPictureToken, type ShownPicture } from './picture-token.ts'
export { type PushQueue, pushQueue, pushTasks } from './push-queue.ts'
export { isRegistered } from './store.ts'

/** How browsers are written to. */
export interface PushDeps {
  /** The server's public key, in the browsers' format. */
  readonly applicationServerKey: string
  readonly deliver: DeliverPush
  /** Whether a push service may have such an address. */
  readonly isEndpoint: (address: string) => boolean
}

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
  readonly encryption: EnvelopeEncryption
  readonly push: PushDeps
}

const noSuchDevice: ApiError = { error: 'notFound', detail: 'push device not found' }
/** Also protects others: no one can make us send to an address repeatedly. */
const TEST_EVERY_S = 10
const MS_PER_SECOND = 1000
/** A test that arrives too late is useless. */
const TEST_TTL_S = 60

/** The caller's browsers that receive push messages. */
export const pushDevices = (deps: Deps) => {
  const { db, ids, now, encryption, push } = deps
  return [
    serve(getPushDevices, async (caller) => ok(await db.inTenant(caller, (tx) => listDevices(tx, caller)))),

    serve(getPushSettings, async () => ok({ applicationServerKey: push.applicationServerKey })),

    serveChange(putPushDevice, async (change, { body, header }) => {
      const { caller } = change
      const fault = subscriptionFault(body, push)
      if (fault !== undefined) return fail(fault)
      const { endpoint } = body.subscription
      return change.tx(caller, async (tx) => {
        await lockUser(tx, caller)
        const before = await findByEndpoint(tx, caller, { endpoint, encryption })
        const missing = before === undefined ? notThere(header('if-match')) : undefined
        if (missing !== undefined) return fail(missing)
        change.ifMatch(before)
        await takeEndpoint(tx, caller, endpoint)
        const pushDeviceId = before?.pushDeviceId ?? (await ids.next())
        const at = now()
        const createdAt = before === undefined ? at : Date.parse(before.createdAt)
        const { accountId, userId } = caller
        const device = { accountId, userId, pushDeviceId, given: body, createdAt, seenAt: at }
        const after = await saveDevice(tx, encryption, device)
        await dropExcessDevices(tx, caller)
        const target = { kind: 'pushDevice', id: pushDeviceId }
        const entry = { action: 'putPushDevice', target, after: { platform: body.platform } }
        await change.audit(entry)
        return ok(after)
      })
    }),

    serveChange(deletePushDevice, async (change, { params: { pushDeviceId } }) => {
      const { caller } = change
      return change.tx(caller, async (tx) => {
        if (!(await deleteDevice(tx, caller, pushDeviceId))) return fail(noSuchDevice)
        const entry = { action: 'deletePushDevice', target: { kind: 'pushDevice', id: pushDeviceId } }
        await change.audit(entry)
        return ok(undefined)
      })
    }),

    serveChange(testPushDevice, async (change, { params: { pushDeviceId } }) => {
      const { caller } = change
      const found = await beginTest(deps, change, pushDeviceId)
      if (!found.ok) return found
      const text = JSON.stringify(testPayload(caller.language))
      const sent = await push.deliver({ to: found.value, text, ttlS: TEST_TTL_S, topic: 'test' })
      if (sent.ok) return ok(undefined)
      if (sent.failure.kind === 'gone') {
        await change.tx(caller, async (tx) => ok(await deleteDevice(tx, caller, pushDeviceId)))
        return fail(noSuchDevice)
      }
      // Rejected, filtered and closed connections get the same response.
      return fail({ error: 'connect', detail: "the browser's push service rejected the notification" })
    }),
  ]
}

const notThere = (ifMatch: string | undefined): ApiError | undefined =>
  ifMatch === undefined
    ? undefined
    : { error: 'preconditionFailed', detail: 'this browser is not registered for push notifications' }

function subscriptionFault({ subscription }: NewPushDevice, push: PushDeps): ApiError | undefined {
  const { p256dh, auth } = toPushSubscription(subscription)
  if (!push.isEndpoint(subscription.endpoint)) return invalid('endpoint', 'must be the https URL of a push service')
  if (!isPointOfP256(p256dh)) return invalid('keys.p256dh', 'must be an uncompressed P-256 point')
  return auth.length === 16 ? undefined : invalid('keys.auth', 'expected 16 bytes')
}

const invalid = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: message,
  fields: [{ field: `subscription.${field}`, message }],
})

/** Whether another test is allowed. If so, it counts from now on. */
function beginTest(
  { now, encryption }: Deps,
  change: Pick<Change<MemberCaller>, 'caller' | 'tx'>,
  pushDeviceId: number,
): Promise<Result<PushSubscription, ApiError>> {
  const { caller } = change
  return change.tx(caller, async (tx) => {
    const device = await lockForTest(tx, caller, pushDeviceId)
    if (device === undefined) return fail(noSuchDevice)
    const at = now()
    const waitMs = device.testedAt === null ? 0 : device.testedAt + TEST_EVERY_S * MS_PER_SECOND - at
    if (waitMs > 0) {
      const detail = `a test notification can be sent every ${TEST_EVERY_S} seconds; try again shortly`
      return fail({ error: 'tooManyRequests', detail, retryAfter: Math.ceil(waitMs / MS_PER_SECOND) })
    }
    await markTested(tx, caller, pushDeviceId, at)
    const place = getSubscriptionContext(caller.accountId, pushDeviceId)
    return ok(toPushSubscription(readSubscription(encryption.open(place, device.sealed))))
  })
}
