import { LAST_EVENT_ID } from '@sightline/contract/events'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { cameraQueries } from '../cameras/index.ts'
import { areStatesFollowed } from '../followed-states.ts'
import { followEvents } from './follow-events.ts'
import { serverMessages } from './server-messages.ts'

const leaving = new Set<AbortController>()
afterEach(() => {
  for (const one of leaving) one.abort()
  leaving.clear()
})

const status = (cameraId: number, online: boolean) => ({
  cameraId,
  online,
  mode: 'armed',
  recordingOnCloud: online,
  recordingOnSd: false,
  audioEnabled: false,
  passwordKnown: true,
  passwordStatus: 'known',
  firmwareStatus: 'upToDate',
  connectionType: 'Ethernet',
  lastConnectionResult: 'ok',
  nextAttemptAt: null,
  additionStatus: 'added',
  additionSubStatus: 'none',
  lastSeen: null,
  subStream: null,
  warnings: [],
  dismissedWarnings: [],
})
const changes = (given: object) => ({
  complete: false,
  cameras: [],
  goneCameraIds: [],
  exports: [],
  goneExportIds: [],
  ...given,
})

/** A tab with a server whose streams the test writes. */
function openTab() {
  const encoder = new TextEncoder()
  const opened: {
    readonly after: string | undefined
    readonly signal: AbortSignal
    say(text: string): void
    end(): void
  }[] = []
  const asked: string[] = []
  let isRefused = false
  const client = {
    open: async (
      _route: unknown,
      _input: unknown,
      options: { signal: AbortSignal; headers: Record<string, string> },
    ) => {
      if (isRefused) throw new Error('unreached')
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined
      const body = new ReadableStream<Uint8Array>({
        start(made) {
          controller = made
        },
      })
      options.signal.addEventListener('abort', () => controller?.error(options.signal.reason))
      opened.push({
        after: options.headers[LAST_EVENT_ID],
        signal: options.signal,
        say: (text) => controller?.enqueue(encoder.encode(text)),
        end: () => controller?.close(),
      })
      return body
    },
    call: async (route: { name: string }) => {
      asked.push(route.name)
      return []
    },
  }
  const page = Object.assign(new EventTarget(), { hidden: false })
  const ends = new Set<() => void>()
  const session = {
    onEnd(listener: () => void) {
      ends.add(listener)
      return () => ends.delete(listener)
    },
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const leave = new AbortController()
  leaving.add(leave)
  const following = { client, queries, session } as unknown as Parameters<typeof followEvents>[0]
  followEvents(following, leave.signal, page)
  const statuses = cameraQueries(following.client).statuses
  return {
    opened,
    asked,
    queries,
    statuses,
    intervalMs() {
      const { refetchInterval } = statuses
      return typeof refetchInterval === 'function' ? refetchInterval(undefined as never) : refetchInterval
    },
    online: () =>
      [...(queries.getQueryData(statuses.queryKey)?.values() ?? [])].map(({ cameraId, online }) => [cameraId, online]),
    tell: (given: object) => opened.at(-1)?.say(`event: states\ndata: ${JSON.stringify(changes(given))}\n\n`),
    refuse(value: boolean) {
      isRefused = value
    },
    hide(hidden: boolean) {
      page.hidden = hidden
      page.dispatchEvent(new Event('visibilitychange'))
    },
    signOut() {
      for (const end of ends) end()
    },
  }
}

test('states that the server tells are where screens look for them, and nothing asks for them any more', async () => {
  const tab = openTab()
  const screen = new QueryObserver(tab.queries, tab.statuses)
  const leave = screen.subscribe(() => undefined)
  await vi.waitFor(() => expect(tab.asked).toEqual(['getCameraStatuses']))
  expect(tab.intervalMs()).toBe(15_000)
  tab.tell({ complete: true, cameras: [status(1, true), status(2, true)] })
  await vi.waitFor(() =>
    expect(tab.online()).toEqual([
      [1, true],
      [2, true],
    ]),
  )
  tab.tell({ cameras: [status(2, false)] })
  await vi.waitFor(() =>
    expect(tab.online()).toEqual([
      [1, true],
      [2, false],
    ]),
  )
  tab.tell({ goneCameraIds: [1] })
  await vi.waitFor(() => expect(tab.online()).toEqual([[2, false]]))
  expect(tab.intervalMs()).toBe(false)
  expect(tab.asked).toEqual(['getCameraStatuses'])
  leave()
})

test('a stream that breaks continues where it was, and screens ask until it does', async () => {
  const tab = openTab()
  const leave = new QueryObserver(tab.queries, tab.statuses).subscribe(() => undefined)
  await vi.waitFor(() => expect(tab.opened).toHaveLength(1))
  tab.opened[0]?.say('retry: 3000\nid: 41\n\n')
  tab.tell({ complete: true, cameras: [status(1, true)] })
  await vi.waitFor(() => expect(areStatesFollowed()).toBe(true))
  const before = tab.asked.length
  tab.refuse(true)
  tab.opened[0]?.end()
  await vi.waitFor(() => expect(tab.asked.length).toBeGreaterThan(before))
  expect(areStatesFollowed()).toBe(false)
  tab.refuse(false)
  await vi.waitFor(() => expect(tab.opened).toHaveLength(2), { timeout: 10_000 })
  expect(tab.opened.map(({ after }) => after)).toEqual([undefined, '41'])
  tab.tell({ complete: true, cameras: [status(1, false)] })
  await vi.waitFor(() => expect(tab.online()).toEqual([[1, false]]))
  leave()
})

test('a page that nobody sees has no stream, and one that is seen again continues it', async () => {
  const tab = openTab()
  await vi.waitFor(() => expect(tab.opened).toHaveLength(1))
  tab.opened[0]?.say('id: 7\n\n')
  tab.tell({ complete: true })
  await vi.waitFor(() => expect(areStatesFollowed()).toBe(true))
  tab.hide(true)
  expect([tab.opened[0]?.signal.aborted, areStatesFollowed()]).toEqual([true, false])
  tab.hide(false)
  await vi.waitFor(() => expect(tab.opened.map(({ after }) => after)).toEqual([undefined, '7']))
})

test('a sign-out ends the stream for good', async () => {
  const tab = openTab()
  await vi.waitFor(() => expect(tab.opened).toHaveLength(1))
  tab.signOut()
  expect(tab.opened[0]?.signal.aborted).toBe(true)
  tab.hide(true)
  tab.hide(false)
  await vi.waitFor(() => expect(areStatesFollowed()).toBe(false))
  expect(tab.opened).toHaveLength(1)
})

test('an event of a camera makes its timeline read its footage again', async () => {
  const tab = openTab()
  await vi.waitFor(() => expect(tab.opened).toHaveLength(1))
  const key = ['cameras', 5, 'footageChange']
  tab.queries.setQueryData(key, 1)
  const event = {
    ...{
      eventId: 1,
      type: 'motion',
      objectType: 'motion',
      source: { kind: 'camera', id: 5, name: 'Door' },
      cameraId: 5,
    },
    ...{ timestamp: '2026-11-30T05:00:00.000+00:00', writtenAt: '2026-11-30T05:00:00.000+00:00', duration: 0 },
    ...{ active: true, data: {}, read: false, bookmarked: false, note: '' },
  }
  tab.opened[0]?.say(`id: 8\ndata: ${JSON.stringify(event)}\n\n`)
  await vi.waitFor(() => expect(tab.queries.getQueryState(key)?.isInvalidated).toBe(true))
})

test('messages are read whole, however the network cuts them', async () => {
  const bytes = new TextEncoder().encode('retry: 3000\nid: 1\n\nevent: states\ndata: {"name":"Tür"}\n\ndata: cut off')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const found = []
  for await (const message of serverMessages(body, () => undefined)) found.push(message)
  expect(found).toEqual([
    { id: '1', event: undefined, data: '' },
    { id: '1', event: 'states', data: '{"name":"Tür"}' },
  ])
})
