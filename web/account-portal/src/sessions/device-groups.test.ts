import type { Session } from '@sightline/contract/sessions'
import { expect, test } from 'vitest'
import { groupByDevice } from './device-groups.ts'

const session = (sessionId: number, changes: Partial<Session> = {}): Session => ({
  sessionId,
  device: { browser: 'Chrome', system: 'Windows', kind: 'desktop' },
  place: { isLocal: true, country: null, city: null },
  clientId: 'portal',
  clientName: null,
  address: '192.0.2.1',
  begunAt: '2026-11-01T08:00:00.000Z',
  lastSeenAt: `2026-11-0${sessionId}T09:00:00.000Z`,
  current: false,
  ...changes,
})
const ids = (sessions: readonly Session[]) =>
  groupByDevice(sessions).map((group) => group.sessions.map(({ sessionId }) => sessionId))

test('sessions of one browser at one address are one device', () => {
  expect(ids([session(1), session(2), session(3, { address: '192.0.2.9' })])).toEqual([[3], [2, 1]])
})

test('the current device comes first, and the current session first within it', () => {
  const groups = groupByDevice([session(4, { address: '192.0.2.9' }), session(2), session(1, { current: true })])
  expect(groups.map(({ isCurrent }) => isCurrent)).toEqual([true, false])
  expect(groups[0]?.sessions.map(({ sessionId }) => sessionId)).toEqual([1, 2])
})

test('two programs at one address are two devices', () => {
  const program = { browser: null, system: null, kind: null } as const
  const sessions = [
    session(1, { device: program, clientName: 'Alarm desk' }),
    session(2, { device: program, clientName: 'Backup' }),
  ]
  expect(ids(sessions)).toEqual([[2], [1]])
})
