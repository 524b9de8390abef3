// The only service worker, at /app/. It shows push messages and opens their pages. It handles no requests and caches
// nothing, so it never contains video, a token or an old version of an application.
import type { PushPayload } from '@sightline/contract/push-devices'
import { pageToOpen, readPayload } from './messages.ts'

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

/** A message replaces one with the same tag, so a duplicate appears once. */
const show = ({ title, body, tag, path, language }: PushPayload): Promise<void> =>
  worker.registration.showNotification(title, { body, tag, lang: language, data: path })

/** Uses a tab that already shows the page, or opens a new one. */
async function open(page: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = tabs.find(({ url }) => url === page)
  await (shown === undefined ? worker.clients.openWindow(page) : shown.focus())
}
