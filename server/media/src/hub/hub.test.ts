import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccessUnit, releaseUnit, type TrackConfig, UnitMemory } from '../frame/index.ts'
import { createHub, type Hub, type HubMessage, type HubReader, MemoryBudget } from './index.ts'

const tracks: readonly TrackConfig[] = [
  { kind: 'video', codec: 'h264', codecString: 'avc1.42c01e', width: 640, height: 360, parameterSets: [] },
]

const picture = (time: number, isKey: boolean, bytes = 100): AccessUnit => ({
  kind: 'video',
  time,
  wallClock: 1_000_000 + time / 90,
  isKey,
  units: [new Uint8Array(bytes)],
})

const publish = (hub: Hub, ...units: AccessUnit[]): void => {
  for (const unit of units) hub.publish({ kind: 'unit', unit, track: 0 })
}

const drain = (reader: HubReader): HubMessage[] => {
  const messages: HubMessage[] = []
  for (let message = reader.take(); message !== undefined; message = reader.take()) messages.push(message)
  return messages
}

/** 'T' tracks, 'E' ended, 'S3' three skipped, or the time of the unit. */
const shape = (messages: readonly HubMessage[]): (string | number)[] =>
  messages.map((message) => {
    if (message.kind === 'unit') return message.unit.time
    if (message.kind === 'skipped') return `S${message.units}`
    return message.kind === 'tracks' ? 'T' : 'E'
  })

const roomy = { maxQueuedBytes: 1_000_000 } as const

describe('a new reader', () => {
  test('gets the current group of pictures immediately', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true), picture(1, false), picture(2, true), picture(3, false))
    const reader = hub.join({ ...roomy, start: 'running-gop' })
    publish(hub, picture(4, false))
    expect(shape(drain(reader))).toEqual(['T', 2, 3, 4])
  })

  test('that starts at the next key picture gets nothing before it', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true))
    const reader = hub.join({ ...roomy, start: 'next-key' })
    publish(hub, picture(1, false), picture(2, true), picture(3, false))
    expect(shape(drain(reader))).toEqual(['T', 2, 3])
  })

  test('that starts now gets the next unit', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true))
    const reader = hub.join({ ...roomy, start: 'now' })
    publish(hub, picture(1, false))
    expect(shape(drain(reader))).toEqual(['T', 1])
  })

  test('whose limit is smaller than the current group waits for the next key picture', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true, 600), picture(1, false, 600))
    const reader = hub.join({ maxQueuedBytes: 1000, start: 'running-gop' })
    publish(hub, picture(2, false), picture(3, true))
    expect(shape(drain(reader))).toEqual(['T', 3])
  })

  test('is notified when the source is lost, and continues when it returns', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true))
    hub.publish({ kind: 'ended', cause: 'closed' })
    const reader = hub.join({ ...roomy, start: 'running-gop' })
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true))
    expect(shape(drain(reader))).toEqual(['E', 'T', 0])
  })

  test('gets sound only from the first picture on', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const reader = hub.join({ ...roomy, start: 'next-key' })
    hub.publish({ kind: 'unit', track: 1, unit: { ...picture(1, true), kind: 'audio' } })
    publish(hub, picture(2, true))
    expect(shape(drain(reader))).toEqual(['T', 2])
  })
})

describe('a late reader', () => {
  test('skips to the next key picture and is notified how many units it missed, while the others get all', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const late = hub.join({ maxQueuedBytes: 250, start: 'next-key' })
    const prompt = hub.join({ ...roomy, start: 'next-key' })
    publish(hub, picture(0, true), picture(1, false), picture(2, false), picture(3, false), picture(4, true))
    expect(shape(drain(late))).toEqual(['T', 'S4', 4])
    expect(shape(drain(prompt))).toEqual(['T', 0, 1, 2, 3, 4])
  })

  test('still learns that the run ended and what the tracks are', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const late = hub.join({ maxQueuedBytes: 250, start: 'next-key' })
    publish(hub, picture(0, true), picture(1, false))
    hub.publish({ kind: 'ended', cause: 'closed' })
    hub.publish({ kind: 'tracks', tracks })
    publish(hub, picture(0, true), picture(1, true))
    expect(shape(drain(late))).toEqual(['E', 'T', 'S2', 0, 1])
  })

  test('gets a key picture larger than its limit if nothing else is waiting', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const reader = hub.join({ maxQueuedBytes: 250, start: 'next-key' })
    publish(hub, picture(0, true, 5000))
    expect(shape(drain(reader))).toEqual(['T', 0])
  })
})

test('next() waits for a message, and returns undefined once the reader has left', async () => {
  const hub = createHub()
  const reader = hub.join({ ...roomy, start: 'now' })
  const first = reader.next()
  hub.publish({ kind: 'tracks', tracks })
  expect(await first).toEqual({ kind: 'tracks', tracks })
  const second = reader.next()
  expect(hub.readers).toBe(1)
  reader.leave()
  expect(await second).toBeUndefined()
  expect(await reader.next()).toBeUndefined()
  expect(hub.readers).toBe(0)
})

test('a reader that finishes gets what is queued, and nothing that is published afterwards', async () => {
  const hub = createHub()
  const reader = hub.join({ ...roomy, start: 'now' })
  hub.publish({ kind: 'tracks', tracks })
  publish(hub, picture(0, true), picture(1, false))
  reader.finish()
  publish(hub, picture(2, false), picture(3, true))
  expect(hub.readers).toBe(0)
  expect(shape(drain(reader))).toEqual(['T', 0, 1])
  expect(await reader.next()).toBeUndefined()
})

test('the latest key picture is kept with its tracks', () => {
  const hub = createHub()
  expect(hub.latestKeyPicture()).toBeUndefined()
  hub.publish({ kind: 'tracks', tracks })
  publish(hub, picture(0, true), picture(1, false), picture(2, true), picture(3, false))
  hub.publish({ kind: 'ended', cause: 'closed' })
  expect(hub.latestKeyPicture()).toMatchObject({ tracks, unit: { time: 2 } })
})

type Step =
  | { readonly kind: 'unit'; readonly isKey: boolean; readonly bytes: number }
  | { readonly kind: 'tracks' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'read'; readonly count: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('unit' as const), isKey: fc.boolean(), bytes: fc.integer({ min: 1, max: 400 }) }),
  fc.constantFrom<Step>({ kind: 'tracks' }, { kind: 'ended' }),
  fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 6 }) }),
)

/**
 * Publishes and reads in the given steps, ends the run, and returns everything that was read. Units have the times 0,
 * 1, 2, …
 */
function play(steps: readonly Step[]): HubMessage[] {
  const hub = createHub()
  hub.publish({ kind: 'tracks', tracks })
  const reader = hub.join({ maxQueuedBytes: 1000, start: 'now' })
  let time = 0
  const read: HubMessage[] = []
  for (const one of steps) {
    if (one.kind === 'unit') publish(hub, picture(time++, one.isKey, one.bytes))
    else if (one.kind === 'tracks') hub.publish({ kind: 'tracks', tracks })
    else if (one.kind === 'ended') hub.publish({ kind: 'ended', cause: 'test' })
    else if (one.kind === 'read')
      for (let i = 0; i < one.count; i++) read.push(...[reader.take()].filter((message) => message !== undefined))
  }
  hub.publish({ kind: 'ended', cause: 'test' })
  return [...read, ...drain(reader)]
}

test('every unit is delivered or counted as skipped, in order, and a skip ends at a key picture', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const read = play(steps)
      const units = read.filter((message) => message.kind === 'unit')
      const skips = read.filter((message) => message.kind === 'skipped')
      const published = steps.filter((one) => one.kind === 'unit').length
      expect(units.length + skips.reduce((sum, skip) => sum + skip.units, 0)).toBe(published)
      expect(units.map(({ unit }) => unit.time)).toEqual(units.map(({ unit }) => unit.time).toSorted((a, b) => a - b))
      for (const [index, message] of read.entries()) {
        const after = read[index + 1]
        if (message.kind === 'skipped' && after?.kind === 'unit') expect(after.unit.isKey).toBe(true)
      }
    }),
    { numRuns: 500, seed: 1 },
  )
})

describe('when the memory that hubs share is used up', () => {
  /** Two cameras with a viewer that joined first, a viewer that joined later, and a recorder each; none of them reads. */
  const busy = (limit: number) => {
    const memory = new MemoryBudget(limit)
    const [one, other] = [createHub(memory), createHub(memory)]
    for (const hub of [one, other]) hub.publish({ kind: 'tracks', tracks })
    const older = one.join({ ...roomy, start: 'next-key' })
    const recorder = one.join({ ...roomy, start: 'next-key', rank: 'recorder' })
    const newer = other.join({ ...roomy, start: 'next-key' })
    const otherRecorder = other.join({ ...roomy, start: 'next-key', rank: 'recorder' })
    return { memory, one, other, older, newer, recorder, otherRecorder }
  }

  test('the viewer who joined first skips pictures before anybody else', () => {
    const { one, other, older, newer, recorder } = busy(1600)
    // 100 bytes wait three times: for both readers, and in the running group of pictures.
    publish(one, picture(0, true), picture(1, false))
    publish(other, picture(0, true), picture(1, false), picture(2, false), picture(3, false))
    expect(shape(drain(older))).toEqual(['T'])
    expect(shape(drain(newer))).toEqual(['T', 0, 1, 2, 3])
    expect(shape(drain(recorder))).toEqual(['T', 0, 1])
    publish(one, picture(2, true))
    expect(shape(drain(older))).toEqual(['S2', 2])
  })

  test('groups of pictures go next, and then the longest queue of a recorder, which is notified', () => {
    const { memory, one, other, recorder, otherRecorder } = busy(800)
    publish(one, picture(0, true), picture(1, false))
    publish(other, picture(0, true), ...Array.from({ length: 6 }, (_, index) => picture(index + 1, false)))
    expect(memory.heldBytes).toBeLessThanOrEqual(800)
    expect(shape(drain(one.join({ ...roomy, start: 'running-gop' })))).toEqual(['T'])
    expect(shape(drain(recorder))).toEqual(['T', 0, 1])
    publish(other, picture(7, true))
    expect(shape(drain(otherRecorder))).toEqual(['T', 'S7', 7])
  })

  test('what readers take, leave or outlive is counted off', () => {
    const { memory, one, other, older, newer, recorder, otherRecorder } = busy(1e6)
    for (const hub of [one, other]) publish(hub, picture(0, true), picture(1, false))
    expect(memory.heldBytes).toBe(1200)
    drain(older)
    for (const reader of [newer, recorder, otherRecorder]) reader.leave()
    one[Symbol.dispose]()
    other[Symbol.dispose]()
    expect(memory.heldBytes).toBe(0)
  })
})

describe('memory that is written to again', () => {
  /** Publishes pictures that each lie in memory of their own; returns the times of those whose memory was given back. */
  function given(hub: Hub) {
    const back: number[] = []
    const show = (time: number, isKey: boolean): void => {
      const memory = new UnitMemory(new Uint8Array(), () => back.push(time))
      // As the one who writes to it does, until the next picture.
      memory.hold()
      publish(hub, { ...picture(time, isKey), memory: [memory] })
      memory.release()
    }
    return { back, show }
  }

  test('is given back with the group of pictures, but for the newest key picture', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const { back, show } = given(hub)
    for (const [time, isKey] of [
      [0, true],
      [1, false],
      [2, true],
    ] as const)
      show(time, isKey)
    expect(back).toEqual([1, 0])
    hub.publish({ kind: 'ended', cause: 'silent' })
    expect(back).toEqual([1, 0])
    expect(hub.latestKeyPicture()?.unit.time).toBe(2)
  })

  test('is kept for a key picture that was asked for', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const { back, show } = given(hub)
    show(0, true)
    hub.latestKeyPicture()
    show(1, true)
    show(2, true)
    expect(back).toEqual([1])
  })

  test('is kept for a reader that joins, also when the group is let go meanwhile', () => {
    const hub = createHub(new MemoryBudget(350))
    hub.publish({ kind: 'tracks', tracks })
    const { back, show } = given(hub)
    for (const time of [0, 1, 2]) show(time, time === 0)
    const reader = hub.join({ maxQueuedBytes: 1000, start: 'running-gop', rank: 'recorder' })
    expect(shape(drain(reader))).toEqual(['T', 0, 1, 2])
    expect(back).toEqual([])
  })

  test('is given back when the recorder has it no more', () => {
    const hub = createHub()
    hub.publish({ kind: 'tracks', tracks })
    const { back, show } = given(hub)
    const recorder = hub.join({ ...roomy, start: 'next-key', rank: 'recorder' })
    for (const time of [0, 1, 2, 3]) show(time, time % 2 === 0)
    expect(back).toEqual([])
    for (const message of drain(recorder)) if (message.kind === 'unit') releaseUnit(message.unit)
    expect(back).toEqual([0, 1])
  })
})

test('recorders that finish get what comes before the next key picture, and viewers continue', async () => {
  const hub = createHub()
  hub.publish({ kind: 'tracks', tracks })
  const recorder = hub.join({ ...roomy, start: 'next-key', rank: 'recorder' })
  const viewer = hub.join({ ...roomy, start: 'next-key' })
  publish(hub, picture(0, true), picture(1, false))
  let isOver = false
  const finished = hub.finishRecorders().then(() => (isOver = true))
  publish(hub, picture(2, false))
  await Promise.resolve()
  expect(isOver).toBe(false)
  publish(hub, picture(3, true), picture(4, false))
  await finished
  expect(shape(drain(recorder))).toEqual(['T', 0, 1, 2])
  expect(shape(drain(viewer))).toEqual(['T', 0, 1, 2, 3, 4])
})
