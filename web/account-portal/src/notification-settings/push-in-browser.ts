import type { WebPushSubscription } from '@sightline/contract/push-devices'

/** The product's only service worker. It is below /app/ and also receives messages for pages elsewhere. */
const WORKER = '/app/service-worker.js'
const SCOPE = '/app/'

/** Why this browser can't receive push messages, or that it can. */
export type PushPossibility = 'possible' | 'blocked' | 'embedded' | 'unsupported'

export function pushPossibility(): PushPossibility {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported'
  // Browsers don't ask for permission in another site's frame.
  if (window.self !== window.top) return 'embedded'
  return Notification.permission === 'denied' ? 'blocked' : 'possible'
}

/** The existing subscription of this browser, if it is still valid. */
export async function presentSubscription(): Promise<WebPushSubscription | undefined> {
  if (pushPossibility() !== 'possible' || Notification.permission !== 'granted') return undefined
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  const subscription = await registration?.pushManager.getSubscription()
  return subscription === null || subscription === undefined ? undefined : toGiven(subscription)
}

/**
 * Asks the user, then the browser's push service. Must be called from a click, or browsers don't ask.
 *
 * @returns undefined if the user refuses. @throws if the push service doesn't respond
 */
export async function subscribe(applicationServerKey: string): Promise<WebPushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await activeRegistration()
  const before = await pushManager.getSubscription()
  // A subscription for another key, after a new server setup, can't be changed.
  if (before !== null && !isFor(before, applicationServerKey)) await before.unsubscribe()
  return toGiven(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
}

/** Ends push messages to this browser, even if the server doesn't know yet. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

function isFor({ options }: PushSubscription, applicationServerKey: string): boolean {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const text = btoa(String.fromCharCode(...key))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === applicationServerKey
}

function toGiven(subscription: PushSubscription): WebPushSubscription {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  return { endpoint, keys: { p256dh, auth } }
}

/** `serviceWorker.ready` waits for a worker of this page, which is outside the worker's scope. */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(workerAddress(), { scope: SCOPE })
  const coming = registration.installing ?? registration.waiting
  if (registration.active === null && coming !== null) await activated(coming)
  return registration
}

function activated(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('the service worker could not be installed'))
    }
    worker.addEventListener('statechange', look)
    look()
  })
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): string }
}

/** If the page requires Trusted Types, this address is trusted. */
function workerAddress(): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  return (
    trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER
  )
}
