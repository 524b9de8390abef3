import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

const base64url = (bytes: number) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]+={0,2}$/), z.maxLength(Math.ceil(bytes / 3) * 4))

/** The browser's subscription: `PushSubscription.toJSON()` (Push API). */
export const pushSubscription = z.object({
  endpoint: z.string().check(z.maxLength(1024)),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})
export type WebPushSubscription = z.infer<typeof pushSubscription>

const described = {
  /** The protocol: web push (RFC 8030). */
  platform: z.enum(['web']),
  /** The client's own version. */
  appVersion: z.optional(z.string().check(z.maxLength(64))),
  /** BCP 47. */
  locale: z.optional(z.string().check(z.maxLength(35))),
}

const device = { pushDeviceId: id, ...described, createdAt: dateTime, seenAt: dateTime }

/** Without its subscription, which would allow sending messages to the browser. */
export const pushDevice = z.object(device)
export type PushDevice = z.infer<typeof pushDevice>

export const newPushDevice = z.object({ ...described, subscription: pushSubscription })
export type NewPushDevice = z.infer<typeof newPushDevice>

/** The response for the browser itself, which knows its subscription. */
export const registeredPushDevice = z.object({ ...device, subscription: pushSubscription })
export type RegisteredPushDevice = z.infer<typeof registeredPushDevice>

/** The content of a push message, which the service worker shows. */
export interface PushPayload {
  readonly title: string
  readonly body: string
  /** The page that a click opens, on the worker's own origin. */
  readonly path: string
  /** A message replaces one with the same tag. */
  readonly tag: string
  /** BCP 47. */
  readonly language: string
  /** For `getPushPicture`: shows what happened. */
  readonly pictureToken?: string | undefined
}

/** Per user. One more replaces the least recently seen one. */
export const MAX_PUSH_DEVICES = 10

/** Push messages are for camera alerts, so they need the same right (docs/decisions/0016). */
const personal = { access: 'tenant', right: 'editCamera', support: 'no', apiKey: 'no' } as const
const deviceParams = z.object({ pushDeviceId: idText })
const ofDevice = { 'params.pushDeviceId': 'pushDevice' } as const

export const getPushDevices = route({
  ...personal,
  name: 'getPushDevices',
  summary: 'List the browsers that receive push notifications for the caller',
  method: 'GET',
  path: 'users/self/pushDevices',
  visitor: 'no',
  reply: z.array(pushDevice),
  list: { key: 'pushDeviceId', sort: ['pushDeviceId', 'createdAt', 'seenAt'], defaultLimit: 'all' },
  errors: [],
})

export const putPushDevice = route({
  ...personal,
  name: 'putPushDevice',
  summary: 'Register the calling browser for push notifications, or renew its registration; identified by its endpoint',
  method: 'PUT',
  path: 'users/self/pushDevices',
  body: newPushDevice,
  reply: registeredPushDevice,
  errors: ['validation'],
})

export const deletePushDevice = route({
  ...personal,
  name: 'deletePushDevice',
  summary: 'Stop push notifications to a browser',
  method: 'DELETE',
  path: 'users/self/pushDevices/{pushDeviceId}',
  access: 'object',
  ids: ofDevice,
  params: deviceParams,
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})

export const testPushDevice = route({
  ...personal,
  name: 'testPushDevice',
  summary: 'Send a test notification to a browser; at most once every ten seconds',
  method: 'POST',
  path: 'users/self/pushDevices/{pushDeviceId}/test',
  access: 'object',
  ids: ofDevice,
  params: deviceParams,
  waitsForOthers: true,
  notReplayed: 'repeating the call sends another notification',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'tooManyRequests', 'connect'],
})

export const getPushSettings = route({
  name: 'getPushSettings',
  summary: 'Get the server’s public key, which browsers need to subscribe (RFC 8292)',
  method: 'GET',
  path: 'users/self/supportedSettings/push',
  access: 'tenant',
  right: 'editCamera',
  support: 'yes',
  /** An uncompressed point of P-256, base64url. */
  reply: z.object({ applicationServerKey: z.string() }),
  errors: [],
})
