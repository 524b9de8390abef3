import { LAST_EVENT_ID } from '@sightline/contract/events'
import { areStatesFollowed } from '@sightline/shell'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { cameraQueries } from '../cameras/index.ts'
import { followEvents } from './follow-events.ts'

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
  shares: [],
  goneShareIds: [],
  devices: [],
  goneDeviceIds: [],
  jobs: [],
  goneJobIds: [],
  supportSessions: [],
  goneTokenIds: [],
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

const job = (jobId: number, given: object) => ({
  ...{ jobId, type: 'checkUp', state: 'running', progress: 0, phase: null },
  ...{ createdAt: '2026-11-30T05:00:00.000+00:00', endedAt: null },
  ...given,
})

test('recorders, jobs and support sessions that the server tells are where screens look for them', async () => {
  const tab = openTab()
  await vi.waitFor(() => expect(tab.opened).toHaveLength(1))
  const recorder = {
    ...{ deviceId: 4, name: 'Recorder', zoneId: 1, accountId: 2, ethMacAddress: '', deviceTypeId: 2, brand: null },
    ...{ model: null, firmware: null, additionStatus: 'added', additionSubStatus: 'none', channels: [], jobs: [] },
    createdAt: '2026-11-30T05:00:00.000+00:00',
  }
  const connection = {
    deviceId: 4,
    firmwareStatus: 'upToDate',
    storage: null,
    lastConnectionResult: 'ok',
    lastSeen: null,
  }
  const device = (online: boolean) => ({
    ...recorder,
    status: online ? 'online' : 'offline',
    connection: { ...connection, online },
  })
  tab.queries.setQueryData(['devices', 4, 'status'], { ...connection, online: true })
  tab.queries.setQueryData(['cameras', 9, 'jobs'], [job(7, {})])
  tab.queries.setQueryData(['cameras', 9, 'checkUp'], {})
  tab.tell({ complete: true, devices: [device(true)] })
  await vi.waitFor(() =>
    expect(tab.queries.getQueryData(['devices'])).toMatchObject([{ deviceId: 4, status: 'online' }]),
  )
  const visit = {
    ...{ tokenId: 91, userId: 2, staffId: 3, staffName: 'Dora', organisation: 'Shop', video: 'hidden', readOnly: true },
    ...{ since: '2026-11-30T05:00:00.000+00:00', until: '2026-11-30T06:00:00.000+00:00', address: null },
  }
  tab.tell({
    devices: [device(false)],
    jobs: [job(8, { cameraId: 9, state: 'queued' }), job(7, { cameraId: 9, state: 'done', progress: 100 })],
    supportSessions: [visit],
  })
  await vi.waitFor(() =>
    expect(tab.queries.getQueryData(['cameras', 9, 'jobs'])).toMatchObject([
      { jobId: 8, state: 'queued' },
      { jobId: 7, state: 'done' },
    ]),
  )
  expect(tab.queries.getQueryState(['cameras', 9, 'checkUp'])?.isInvalidated).toBe(true)
  expect(tab.queries.getQueryData(['devices', 4, 'status'])).toMatchObject({ online: false })
  expect(tab.queries.getQueryData(['accounts/self/supportSessions'])).toMatchObject([{ tokenId: 91 }])
  tab.tell({ goneDeviceIds: [4], goneTokenIds: [91] })
  await vi.waitFor(() => expect(tab.queries.getQueryData(['devices'])).toEqual([]))
  expect(tab.queries.getQueryData(['accounts/self/supportSessions'])).toEqual([])
})
