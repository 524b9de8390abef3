import type { DiscoveryAnswer, DiscoveryQuestion, DiscoveryState } from '@sightline/contract/media-plane'
import { expect, test } from 'vitest'
import { JoinedDiscoveries, joinDiscoveries } from './joined-discovery.ts'

const camera = (address: string, ethMacAddress = '') => ({
  address,
  port: 80,
  https: false,
  protocol: 'onvif' as const,
  foundBy: 'announcement' as const,
  name: '',
  brand: '',
  model: '',
  ethMacAddress,
})
const state = (given: Partial<DiscoveryState>): DiscoveryState => ({
  kind: 'state',
  networks: [],
  search: 'done',
  progress: 100,
  cameras: [],
  ...given,
})

test('a camera has the machines that found it; none if all did', () => {
  const everywhere = camera('10.0.0.2', '02:00:00:00:00:02')
  const joined = joinDiscoveries([
    { machine: 'front', answer: state({ networks: ['10.0.0.0/24'], cameras: [everywhere, camera('10.0.0.3')] }) },
    { machine: 'north', answer: state({ networks: ['10.0.0.0/24', '10.1.0.0/24'], cameras: [everywhere] }) },
  ])
  expect(joined).toEqual({
    kind: 'state',
    networks: ['10.0.0.0/24', '10.1.0.0/24'],
    search: 'done',
    progress: 100,
    cameras: [
      { ...everywhere, machines: [] },
      { ...camera('10.0.0.3'), machines: ['front'] },
    ],
  })
})

test('the same address in networks of two sites is two cameras if their MAC addresses differ', () => {
  const [one, two] = [camera('10.0.0.2', '02:00:00:00:00:02'), camera('10.0.0.2', '02:00:00:00:00:03')]
  const joined = joinDiscoveries([
    { machine: 'north', answer: state({ cameras: [one] }) },
    { machine: 'south', answer: state({ cameras: [two] }) },
  ])
  expect(joined.kind === 'state' && joined.cameras).toEqual([
    { ...one, machines: ['north'] },
    { ...two, machines: ['south'] },
  ])
})

test('a search runs until all machines are done, as far as the slowest; a machine without one doesn’t count', () => {
  const answers = (search: DiscoveryState['search']) => [
    { machine: 'front', answer: state({ search, progress: 40 }) },
    { machine: 'north', answer: state({ progress: 100 }) },
    { machine: 'south', answer: state({ search: 'none', progress: 0 }) },
  ]
  expect(joinDiscoveries(answers('running'))).toMatchObject({ search: 'running', progress: 40 })
  expect(joinDiscoveries(answers('done'))).toMatchObject({ search: 'done' })
})

test('a machine that may not search the network, or doesn’t answer, doesn’t keep the others from it', () => {
  const none = (kind: 'notAllowed' | 'timedOut' | 'tooLarge') => ({ machine: kind, answer: { kind } })
  expect(joinDiscoveries([none('notAllowed'), { machine: 'north', answer: state({}) }])).toMatchObject({
    kind: 'state',
  })
  expect(joinDiscoveries([none('timedOut'), none('notAllowed')])).toEqual({ kind: 'notAllowed' })
  expect(joinDiscoveries([none('notAllowed'), none('tooLarge')])).toEqual({ kind: 'tooLarge' })
  expect(joinDiscoveries([])).toEqual({ kind: 'timedOut' })
})

test('a machine that still searches goes on while the others begin, and if all do the search is refused', async () => {
  const questions: DiscoveryQuestion[] = []
  const worker = (disk: string, answer: (question: DiscoveryQuestion) => DiscoveryAnswer) => ({
    disk,
    discovery: async (question: DiscoveryQuestion) => {
      questions.push(question)
      return answer(question)
    },
  })
  const busy = ({ start }: DiscoveryQuestion): DiscoveryAnswer =>
    start === undefined ? state({ search: 'running', progress: 90 }) : { kind: 'busy' }
  const idle = () => state({ search: 'running', progress: 0 })
  const start = { accountId: 7, start: { sweep: null, connect: false } }
  const discoveries = new JoinedDiscoveries()
  expect(await discoveries.ask([worker('disk', busy), worker('north', idle)], start)).toMatchObject({
    kind: 'state',
    search: 'running',
  })
  expect(questions.filter((question) => question.start !== undefined)).toHaveLength(2)
  expect(await discoveries.ask([worker('disk', busy), worker('north', busy)], start)).toEqual({ kind: 'busy' })
})

test('what a machine found before is not listed once the others have searched a network that it may not', async () => {
  const discoveries = new JoinedDiscoveries()
  const old = camera('10.0.0.2')
  const fresh = camera('10.1.0.2')
  const front = {
    disk: 'disk',
    discovery: async ({ start }: DiscoveryQuestion): Promise<DiscoveryAnswer> =>
      start?.sweep === '10.1.0.0/24' ? { kind: 'notAllowed' } : state({ networks: ['10.0.0.0/24'], cameras: [old] }),
  }
  const north = { disk: 'north', discovery: async () => state({ networks: ['10.1.0.0/24'], cameras: [fresh] }) }
  const ask = (start?: DiscoveryQuestion['start']) =>
    discoveries.ask([front, north], { accountId: 7, ...(start === undefined ? {} : { start }) })
  await ask({ sweep: null, connect: false })
  expect(await ask()).toMatchObject({ cameras: [old, fresh] })
  await ask({ sweep: '10.1.0.0/24', connect: false })
  expect(await ask()).toMatchObject({
    networks: ['10.0.0.0/24', '10.1.0.0/24'],
    search: 'done',
    cameras: [{ ...fresh, machines: ['north'] }],
  })
})
