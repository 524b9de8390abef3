import { truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { createHub, MemoryBudget } from '../hub/index.ts'
import { EventGate } from './event-gate.ts'
import { EventTriggers } from './event-triggers.ts'
import type { RecorderMessage } from './record-options.ts'
import { CAMERA, filesBelow, MemoryRunLog, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { recoverStream } from './recovery.ts'
import { scanSegment } from './segment-scan.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

/** 25 pictures per second, a key picture every two seconds, and sound. */
const [tracks, units] = playTracks([footage('main.h264'), footage('tone16.aac')], {
  seconds: 120,
  wallClock: TEN_THIRTY,
})
const all = [...units]
const second = (time: number): number => (time - TEN_THIRTY) / 1000
const at = (seconds: number): number => TEN_THIRTY + seconds * 1000

/** A camera whose gate is read at once; times in seconds since it is connected. */
function camera(options: { readonly memory?: MemoryBudget; readonly isOnEvents?: () => boolean } = {}) {
  const { memory = new MemoryBudget(Number.POSITIVE_INFINITY), isOnEvents = () => true } = options
  const hub = createHub(memory)
  const triggers = new EventTriggers()
  const missing: (readonly [number, string])[] = []
  const standby: boolean[] = []
  const gate = new EventGate({
    reader: hub.join({ start: 'next-key', maxQueuedBytes: 1e9, rank: 'recorder' }),
    memory,
    triggers,
    isOnEvents,
    notRecorded: (from, why) => missing.push([second(from), why]),
    standby: (isStandby) => standby.push(isStandby),
  })
  const passed: RecorderMessage[] = []
  const read = () => {
    for (let message = gate.take(); message !== undefined; message = gate.take()) passed.push(message)
  }
  hub.publish({ kind: 'tracks', tracks })
  return {
    hub,
    gate,
    triggers,
    missing,
    standby,
    read,
    send(from: number, till: number) {
      for (const { track, unit } of all) {
        if (unit.wallClock < at(from) || unit.wallClock >= at(till)) continue
        hub.publish({ kind: 'unit', track, unit })
        read()
      }
    },
    /** What passed, as `[kind, from, till, cause of the end]`; `till` is the last picture. */
    get runs() {
      const runs: [string, number, number, string][] = []
      let kind = ''
      let isOpen = false
      for (const message of passed) {
        if (message.kind === 'purpose') kind = message.of
        const last = runs.at(-1)
        if (message.kind === 'ended') {
          isOpen = false
          if (last !== undefined) last[3] = message.cause
        }
        if (message.kind !== 'unit' || message.unit.kind !== 'video') continue
        const time = second(message.unit.wallClock)
        if (!isOpen || last === undefined) runs.push([kind, time, time, ''])
        else last[2] = time
        isOpen = true
      }
      return runs
    },
  }
}

test('nothing passes without an event, and the catalogue knows why', () => {
  const { send, runs, missing, standby } = camera()
  send(0, 30)
  expect(runs).toEqual([])
  expect(missing).toEqual([[0, 'noEvent']])
  expect(standby).toEqual([true])
})

test('a clip begins with a key picture five seconds or more before its event and ends after the post-roll', () => {
  const door = camera()
  door.send(0, 20.5)
  door.triggers.begin('motion', { at: at(20.5) })
  door.read()
  expect(door.runs).toEqual([['event', 14, expect.closeTo(20.48, 2), '']])
  door.send(20.5, 22)
  door.triggers.end('motion', at(22))
  door.send(22, 60)
  // The next key picture after 32 s is the first that is not wanted.
  expect(door.runs).toEqual([['event', 14, expect.closeTo(33.96, 2), 'noEvent']])
  expect(door.standby).toEqual([true, false, true])
})

test('a longer pre-roll is kept from the moment it is chosen, and a shorter one lets go of the rest', () => {
  const door = camera()
  door.triggers.plan(20_000)
  door.send(0, 40.5)
  door.triggers.begin('first', { at: at(40.5), endsAt: at(40.5) })
  door.read()
  expect(door.runs).toEqual([['event', 20, expect.closeTo(40.48, 2), '']])
  door.send(40.5, 90)
  door.triggers.plan(5000)
  door.send(90, 94)
  door.triggers.plan(20_000)
  door.send(94, 95)
  door.triggers.begin('second', { at: at(95), endsAt: at(95) })
  door.read()
  // What was let go of is not there any more: five seconds and two groups of pictures before 92 s.
  expect(door.runs.at(-1)?.[1]).toBeGreaterThanOrEqual(82)
})

test('events that overlap extend the clip', () => {
  const door = camera()
  door.send(0, 20)
  door.triggers.begin('motion', { at: at(20) })
  door.send(20, 25)
  door.triggers.begin('tripwire', { at: at(24), endsAt: at(40) })
  door.triggers.end('motion', at(25))
  door.send(25, 70)
  expect(door.runs).toEqual([['event', 14, expect.closeTo(51.96, 2), 'noEvent']])
})

test('the clip of an event soon after another one continues where that ended, without a hole', () => {
  const door = camera()
  door.send(0, 20)
  door.triggers.begin('first', { at: at(20), endsAt: at(20) })
  door.send(20, 35)
  door.triggers.begin('second', { at: at(35), endsAt: at(35) })
  door.send(35, 60)
  expect(door.runs).toEqual([
    ['event', 14, expect.closeTo(31.96, 2), 'noEvent'],
    ['event', 32, expect.closeTo(45.96, 2), 'noEvent'],
  ])
})

test('an event that is noticed two groups of pictures late still gets its whole pre-roll', () => {
  const door = camera()
  door.send(0, 44)
  door.triggers.begin('late', { at: at(40) })
  door.send(44, 46)
  expect(door.runs[0]?.[1]).toBe(34)
})

test('an event of long ago opens nothing', () => {
  const door = camera()
  door.send(0, 60)
  door.triggers.begin('old', { at: at(20), endsAt: at(22) })
  door.send(60, 70)
  expect(door.runs).toEqual([])
})

test('what came before the camera was lost is recorded if the event is noticed afterwards', () => {
  const door = camera()
  door.send(0, 20)
  door.hub.publish({ kind: 'ended', cause: 'silent' })
  door.read()
  door.triggers.begin('tampered', { at: at(19) })
  door.read()
  expect(door.runs).toEqual([['event', 14, expect.closeTo(19.96, 2), 'silent']])
  expect(door.missing.map(([, why]) => why)).toEqual(['noEvent', 'cameraOffline'])
})

test('after the camera was away the catalogue learns again that nothing happens', () => {
  const door = camera()
  door.send(0, 20)
  door.hub.publish({ kind: 'ended', cause: 'silent' })
  door.hub.publish({ kind: 'tracks', tracks })
  door.send(40, 50)
  expect(door.missing).toEqual([
    [0, 'noEvent'],
    [expect.closeTo(19.96, 2), 'cameraOffline'],
    [40, 'noEvent'],
  ])
})

test('between continuous recording and recording on events no picture is lost, and each run has its kind', () => {
  let isOnEvents = false
  const door = camera({ isOnEvents: () => isOnEvents })
  door.send(0, 11)
  door.triggers.begin('motion', { at: at(10) })
  isOnEvents = true
  door.send(11, 21)
  isOnEvents = false
  door.send(21, 30)
  expect(door.runs).toEqual([
    ['continuous', 0, expect.closeTo(11.96, 2), 'noEvent'],
    ['event', 12, expect.closeTo(21.96, 2), 'noEvent'],
    ['continuous', 22, expect.closeTo(29.96, 2), ''],
  ])
})

test('a recorder that ends while nothing happens leaves its reason', () => {
  const door = camera()
  door.send(0, 20)
  door.gate.ended(at(20), 'mode')
  expect(door.missing.at(-1)).toEqual([20, 'mode'])
})

test('the pre-roll counts in the memory budget, is bounded, and gives way before a recorder does', () => {
  const memory = new MemoryBudget(Number.POSITIVE_INFINITY)
  const short = camera({ memory })
  short.send(0, 16)
  const held = memory.heldBytes
  short.send(16, 100)
  expect(memory.heldBytes).toBeLessThan(held * 1.5)
  const tight = new MemoryBudget(held)
  const door = camera({ memory: tight })
  const other = createHub(tight)
  other.publish({ kind: 'tracks', tracks })
  const recorder = other.join({ start: 'next-key', maxQueuedBytes: 1e9, rank: 'recorder' })
  door.send(0, 12)
  for (const { track, unit } of all) if (unit.wallClock < at(10)) other.publish({ kind: 'unit', track, unit })
  let waiting = 0
  for (let message = recorder.take(); message !== undefined; message = recorder.take())
    if (message.kind === 'unit' && message.unit.kind === 'video') waiting++
  expect(waiting).toBe(250)
  door.triggers.begin('motion', { at: at(12) })
  door.send(12, 20)
  expect(door.runs[0]?.[1]).toBeGreaterThanOrEqual(12)
})

test('a clip is recorded as a run of events; one that a crash cuts off is recovered as one', async () => {
  const triggers = new EventTriggers()
  triggers.begin('motion', { at: at(20), endsAt: at(20) })
  const recorded = await stage({ triggers })
  recorded.show(
    tracks,
    all.filter(({ unit }) => unit.wallClock < at(40)),
  )
  await recorded.stop()
  expect(recorded.runs.ended).toEqual([[at(14), at(32), 'noEvent']])
  expect(recorded.runs.calls.every(({ slice }) => slice.kind === 'event')).toBe(true)
  expect(recorded.runs.missing).toEqual([
    [at(0), 'noEvent'],
    [expect.any(Number), 'stopped'],
  ])
  const [path = ''] = await filesBelow(recorded.store)
  const { parts } = await scanSegment(path)
  await truncate(path, parts.at(-1)?.offset)
  await writeFile(join(dirname(path), 'manifest.jsonl'), '')
  const runs = new MemoryRunLog()
  await using group = new SyncGroup()
  await recoverStream({ store: recorded.store, stream: CAMERA, fence: 2, group, runs, cutOff: 'restart' })
  const kept = parts.slice(0, -1).reduce((sum, { duration }) => sum + duration / 90, 0)
  expect(runs.replaced).toMatchObject([{ kind: 'event', start: at(14), end: at(14) + kept, why: 'restart' }])
})
