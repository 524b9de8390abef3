// The only service worker, at /app/. It shows push messages and opens their pages. It handles no requests of pages and caches
// nothing, so it never keeps video, a token or an old version of an application.
import type { PushPayload } from '@sightline/contract/push-devices'
import { loadPicture, pageToOpen, readPayload } from './messages.ts'

interface Work extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface PushEvent extends Work {
  readonly data: { text(): string } | null
}

interface NotificationClick extends Work {
  readonly notification: Notification
}

interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
}

/** The parts of a worker's global scope that are used: the types of pages and workers can't be combined. */
interface Worker {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(of: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: Work) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationClick) => void): void
}

const worker = globalThis as unknown as Worker

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('push', (event) => event.waitUntil(show(readPayload(event.data?.text()))))

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(pageToOpen(event.notification.data, worker.location.origin)))
})

/** Browsers end a worker that shows nothing for long. */
const PICTURE_WAIT_MS = 12_000

/** Not in the types of TypeScript, because not all browsers show pictures. */
const showsPictures = (): boolean => 'image' in Notification.prototype

/** A message replaces one with the same tag, so a duplicate appears once. */
async function show(message: PushPayload): Promise<void> {
  const { title, body, tag, path, language } = message
  const image = showsPictures() ? await loadPicture(message, { ask: fetch, waitMs: PICTURE_WAIT_MS }) : undefined
  const options = { body, tag, lang: language, data: path, ...(image === undefined ? {} : { image }) }
  await worker.registration.showNotification(title, options)
}

/** Uses a tab that already shows the page, or opens a new one. */
async function open(page: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = tabs.find(({ url }) => url === page)
  await (shown === undefined ? worker.clients.openWindow(page) : shown.focus())
}
