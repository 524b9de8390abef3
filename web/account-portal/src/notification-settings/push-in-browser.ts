import type { WebPushSubscription } from '@sightline/contract/push-devices'

/** The product's one service worker. It stands below /app/ and takes messages also for who subscribes elsewhere. */
const WORKER = '/app/service-worker.js'
const SCOPE = '/app/'

/** Why this browser takes no messages, or that it may. */
export type PushPossibility = 'possible' | 'blocked' | 'embedded' | 'unsupported'

export function pushPossibility(): PushPossibility {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported'
  // Inside another site's page browsers do not even ask.
  if (window.self !== window.top) return 'embedded'
  return Notification.permission === 'denied' ? 'blocked' : 'possible'
}

/** What this browser gave out before, where it may still be written to. */
export async function presentSubscription(): Promise<WebPushSubscription | undefined> {
  if (pushPossibility() !== 'possible' || Notification.permission !== 'granted') return undefined
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  const subscription = await registration?.pushManager.getSubscription()
  return subscription === null || subscription === undefined ? undefined : toGiven(subscription)
}

/**
 * Asks the person, then the browser's push service. Called from a press of a button, or browsers do not ask.
 * @returns undefined where the person does not want it. @throws where the push service does not answer
 */
export async function subscribe(applicationServerKey: string): Promise<WebPushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await activeRegistration()
  const before = await pushManager.getSubscription()
  // One for another key, of a server that was set up anew, cannot be changed.
  if (before !== null && !isFor(before, applicationServerKey)) await before.unsubscribe()
  return toGiven(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
}

/** This browser is written to no more, whatever servers still think. */
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

/** `serviceWorker.ready` waits for a worker of this page, and this page is outside of the worker's scope. */
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

/** Where script may only come from addresses that were vouched for, this one is. */
function workerAddress(): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  return (
    trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER
  )
}
