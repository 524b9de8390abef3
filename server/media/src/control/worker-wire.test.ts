import { expect, test } from 'vitest'
import { workerTally } from './worker-figures.ts'
import { readFromWorker, readToWorker, type UnreadMessage } from './worker-wire.ts'

const question = { accountId: 7, start: { sweep: '10.0.0.0/24', connect: true } }
const found = {
  address: '10.0.0.2',
  port: 80,
  https: false,
  protocol: 'onvif',
  foundBy: 'announcement',
  name: 'Gate',
  brand: '',
  model: '',
  ethMacAddress: '02:00:00:00:00:01',
}
const answer = (cameras: readonly unknown[]) => ({
  kind: 'discovery',
  id: 1,
  answer: { kind: 'state', networks: ['10.0.0.0/24'], search: 'running', progress: 40, cameras },
})

test('a search and what it found arrive as they were sent', () => {
  const message = { kind: 'discovery', id: 1, question }
  expect(readToWorker(message)).toEqual(message)
  expect(readFromWorker(answer([found]))).toEqual(answer([found]))
})

test('another machine can’t send what isn’t a device: no host names, no overlong texts, not endlessly many', () => {
  expect(readFromWorker(answer([{ ...found, address: 'internal.example' }]))).toBeUndefined()
  expect(readFromWorker(answer([{ ...found, name: 'x'.repeat(300) }]))).toBeUndefined()
  expect(readFromWorker(answer([{ ...found, port: 0 }]))).toBeUndefined()
  expect(readFromWorker(answer(Array.from({ length: 2000 }, () => found)))).toBeUndefined()
})

test('the question for a recorder’s password arrives too', () => {
  const camera = { accountId: 7, cameraId: 9 }
  const message = { kind: 'keys', id: 1, question: { what: 'devicePassword', camera, sealed: new Uint8Array([1]) } }
  expect(readFromWorker(message)).toEqual(message)
  const reply = { kind: 'keys', id: 1, answer: { what: 'devicePassword', password: 'secret' } }
  expect(readToWorker(reply)).toEqual(reply)
})

test('every message, question and answer has a schema', () => {
  const isComplete: [UnreadMessage] extends [never] ? true : UnreadMessage = true
  expect(isComplete).toBe(true)
})

test('the figures of a worker of another machine arrive as it counted them', () => {
  using tally = workerTally()
  const connections = { total: 1, idle: 1, waiting: 0 }
  const figures = tally.figures({
    cameras: ['recorded', 'offline'],
    refusedCameras: 1,
    freeDiskBytes: 5_000_000,
    database: { work: connections, leases: connections },
  })
  const message = { kind: 'figures', id: 1, figures }
  expect(readFromWorker(message)).toEqual(message)
})
