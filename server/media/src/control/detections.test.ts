import type { VideoDetection } from '@sightline/contract/detectors'
import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import { EventTriggers } from '../recording/index.ts'
import { DetectionLog } from './detection-log.ts'
import { type DetectionRecord, Detections } from './detections.ts'

const camera = { accountId: 1, cameraId: 2 }

const video: VideoDetection = { enabled: true, sensitivity: 50, areas: [] }
const settings = { video, audio: { enabled: false, sensitivity: 50 }, pir: { enabled: false, inputs: [] } }
const door: VideoDetection['areas'] = [
  {
    areaId: 1,
    kind: 'intrusion',
    points: [
      [0, 0],
      [1, 0],
      [1, 1],
    ],
    enabled: true,
  },
]

function detections(serverDetects = true) {
  const noted: (readonly [string, number, string])[] = []
  const triggers = new EventTriggers()
  const note = ({ change, at, detectedBy }: DetectionRecord) => noted.push([change, at, detectedBy])
  return { noted, triggers, found: new Detections({ camera, triggers, settings, serverDetects, note }) }
}

test('motion is one event, recorded from before it until after it', () => {
  const { noted, triggers, found } = detections()
  found.begin('motion', 100_000, 'server')
  found.begin('motion', 101_000, 'server')
  expect(triggers.isWanted(500_000)).toBe(true)
  found.end('motion', 110_000, 'server')
  found.end('motion', 111_000, 'server')
  expect(noted).toEqual([
    ['begins', 100_000, 'server'],
    ['ends', 110_000, 'server'],
  ])
  expect([94_000, 96_000, 119_000, 121_000].map((time) => triggers.isWanted(time))).toEqual([false, true, true, false])
})

test('once a camera reports motion itself, the server stops looking for it', () => {
  const { noted, found } = detections()
  found.begin('motion', 1000, 'server')
  expect(found.server.isOn).toBe(true)
  found.begin('motion', 2000, 'camera')
  expect(found.server.isOn).toBe(false)
  found.end('motion', 3000, 'server')
  found.end('motion', 4000, 'camera')
  expect(noted).toEqual([
    ['begins', 1000, 'server'],
    ['ends', 2000, 'server'],
    ['begins', 2000, 'camera'],
    ['ends', 4000, 'camera'],
  ])
})

test('motion that is turned off ends, and is ignored from then on, from the camera too', () => {
  const { noted, found } = detections()
  found.begin('motion', 1000, 'server')
  found.plan({ ...settings, video: { ...video, enabled: false } }, 2000)
  expect(found.server.off.aborted).toBe(true)
  found.begin('motion', 3000, 'server')
  found.begin('motion', 3000, 'camera')
  found.plan(settings, 4000)
  found.begin('motion', 5000, 'camera')
  expect(noted).toEqual([
    ['begins', 1000, 'server'],
    ['ends', 2000, 'server'],
    ['begins', 5000, 'camera'],
  ])
})

test('where the user has drawn areas, the server looks for motion instead of the camera, which doesn’t know them', () => {
  const { noted, found } = detections()
  found.begin('motion', 1000, 'camera')
  found.plan({ ...settings, video: { ...video, areas: door } }, 2000)
  expect(found.server.isOn).toBe(true)
  found.begin('motion', 3000, 'camera')
  found.begin('motion', 3500, 'server')
  expect(found.serverMotion).toBe('intrusion')
  found.begin('intrusion', 4000, 'server')
  expect(found.motion).toEqual({ by: 'server', isActive: true })
  found.plan({ ...settings, video: { ...video, areas: door.map((area) => ({ ...area, enabled: false })) } }, 5000)
  expect(found.server.isOn).toBe(false)
  expect(noted).toEqual([
    ['begins', 1000, 'camera'],
    ['ends', 2000, 'camera'],
    ['begins', 4000, 'server'],
    ['ends', 5000, 'server'],
  ])
})

test('a server that can’t look for motion leaves it to the camera, whatever the areas', () => {
  const { noted, found } = detections(false)
  found.plan({ ...settings, video: { ...video, areas: door } }, 0)
  expect(found.server.isOn).toBe(false)
  found.begin('motion', 1000, 'camera')
  expect(noted).toEqual([['begins', 1000, 'camera']])
})

test('sounds are off at first; one that is going on ends when they are turned off, from the camera too', () => {
  const { noted, found } = detections()
  const withSound = { ...settings, audio: { enabled: true, sensitivity: 50 } }
  expect(found.sound.isOn).toBe(false)
  found.begin('audio', 1000, 'server')
  found.begin('audio', 1000, 'camera')
  found.plan(withSound, 2000)
  found.begin('audio', 3000, 'camera')
  found.plan(settings, 4000)
  expect(noted).toEqual([
    ['begins', 3000, 'camera'],
    ['ends', 4000, 'camera'],
  ])
})

const record = (at: number, change: 'begins' | 'ends' = 'begins') =>
  ({ ...camera, type: 'motion', at, change, detectedBy: 'server' }) as const

test('events wait for a database that is away, and keep their order', async () => {
  const written: number[] = []
  let isAway = true
  const log = new DetectionLog({
    write: async (records) => {
      if (isAway) throw new Error('no database')
      for (const one of records) if (one.change !== 'lost') written.push(one.at)
    },
    log: silentLogger,
  })
  log.note(record(1))
  log.note(record(2, 'ends'))
  isAway = false
  log.note(record(3))
  await log[Symbol.asyncDispose]()
  expect(written).toEqual([1, 2, 3])
})

test('a camera that reports without end gets 360 events per hour', async () => {
  const written: unknown[] = []
  const write = async (records: readonly unknown[]) => void written.push(...records)
  const log = new DetectionLog({ write, log: silentLogger })
  for (let at = 0; at < 1000; at++) log.note(record(at * 1000))
  await log[Symbol.asyncDispose]()
  expect(written).toHaveLength(360)
})

test('a tripwire is watched by the server also where the camera reports motion, which then still counts', () => {
  const { noted, found } = detections()
  found.begin('motion', 1000, 'camera')
  found.begin('tripwire', 1500, 'server')
  expect(found.server.isOn).toBe(false)
  const line: VideoDetection['areas'] = [
    {
      areaId: 1,
      kind: 'tripwire',
      points: [
        [0, 0.5],
        [1, 0.5],
      ],
      enabled: true,
    },
  ]
  found.plan({ ...settings, video: { ...video, areas: line } }, 2000)
  expect(found.server.isOn).toBe(true)
  expect(found.motion).toEqual({ by: 'camera', isActive: true })
  found.begin('tripwire', 3000, 'server')
  found.plan(settings, 4000)
  expect(found.server.isOn).toBe(false)
  expect(noted).toEqual([
    ['begins', 1000, 'camera'],
    ['begins', 3000, 'server'],
    ['ends', 4000, 'server'],
  ])
})

test('motion in areas is an intrusion; areas that are only excluded leave it motion', () => {
  const { noted, found } = detections()
  const types: string[] = []
  const excluded: VideoDetection['areas'] = door.map((area) => ({ ...area, kind: 'exclusion' }))
  for (const areas of [[], excluded, door, [...excluded, { ...door[0], areaId: 2 } as (typeof door)[number]]]) {
    found.plan({ ...settings, video: { ...video, areas } }, 0)
    types.push(found.serverMotion)
  }
  expect(types).toEqual(['motion', 'motion', 'intrusion', 'intrusion'])
  found.begin('intrusion', 1000, 'server')
  found.plan({ ...settings, video: { ...video, enabled: false, areas: door } }, 2000)
  expect(noted).toEqual([
    ['begins', 1000, 'server'],
    ['ends', 2000, 'server'],
  ])
})

test('what a camera reports of its own areas and lines counts while motion is looked for, and PIR only once it is on', () => {
  const { noted, found } = detections()
  found.begin('pir', 1000, 'camera')
  found.plan({ ...settings, pir: { enabled: true, inputs: [] } }, 2000)
  found.begin('pir', 3000, 'camera')
  found.begin('intrusion', 4000, 'camera')
  found.begin('tripwire', 5000, 'camera')
  found.plan({ ...settings, video: { ...video, enabled: false } }, 6000)
  found.begin('intrusion', 7000, 'camera')
  expect(noted).toEqual([
    ['begins', 3000, 'camera'],
    ['begins', 4000, 'camera'],
    ['begins', 5000, 'camera'],
    ['ends', 6000, 'camera'],
    ['ends', 6000, 'camera'],
    ['ends', 6000, 'camera'],
  ])
})
