import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isInitSegment, keepOnly, readSamples, readSetup, readSoundSetup } from './fragments.ts'

// Files from the server: 640 × 360 at 25 pictures per second in track 1, AAC at 16 kHz in track 2.
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)))
const init = () => fixture('picture-and-sound.init.mp4')
const fragment = () => fixture('picture-and-sound.m4s')

const names = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

describe('reading a stream’s setup and samples', () => {
  test('an initialization segment has track, time scale and decoder configuration', () => {
    const setup = readSetup(init())
    expect(setup?.trackId).toBe(1)
    expect(setup?.timeScale).toBe(90_000)
    // avcC: version 1, then profile, compatibility and level of the parameter set.
    expect([...(setup?.description.subarray(0, 4) ?? [])]).toEqual([1, 0x42, 0xc0, 0x1e])
  })
  test('it has track, time scale, channels, rate and decoder configuration of the sound', () => {
    const { description, ...rest } = readSoundSetup(init()) ?? {}
    expect(rest).toEqual({ trackId: 2, timeScale: 90_000, channels: 1, sampleRate: 16_000 })
    // AudioSpecificConfig: AAC-LC is 2, 16 kHz is 8, one channel.
    expect([...(description ?? [])]).toEqual([(2 << 3) | (8 >> 1), ((8 & 1) << 7) | (1 << 3)])
  })
  test('it is distinguished from a fragment', () => {
    expect(isInitSegment(init())).toBe(true)
    expect(isInitSegment(fragment())).toBe(false)
    expect(readSetup(fragment())).toBeUndefined()
  })
  test('pictures have time, duration, kind and bytes', () => {
    const pictures = readSamples(fragment(), 1).map(({ data, ...rest }) => ({ ...rest, data: [...data] }))
    expect(pictures).toEqual([
      { time: 90_000, duration: 3600, isKey: true, data: [0, 0, 0, 4, 0x65, 1, 2, 3] },
      { time: 93_600, duration: 3600, isKey: false, data: [0, 0, 0, 3, 0x41, 9, 8] },
    ])
  })
  test('reordered pictures have their presentation time', () => {
    const word = (value: number) => [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff)
    const box = (type: string, ...content: number[]) => [
      ...word(content.length + 8),
      ...[...type].map((letter) => letter.charCodeAt(0)),
      ...content,
    ]
    const sample = (offset: number) => [...word(3600), ...word(1), ...word(0), ...word(offset)]
    const offsets = [7200, 10_800, -1].flatMap(sample)
    const trun = box('trun', ...word(0x01_00_0f_01), ...word(3), ...word(100), ...offsets)
    const tfdt = box('tfdt', ...word(0), ...word(90_000))
    const traf = box('traf', ...box('tfhd', ...word(0), ...word(1)), ...tfdt, ...trun)
    const bytes = Uint8Array.from([...box('moof', ...traf), ...box('mdat', 1, 2, 3)])
    expect(readSamples(bytes, 1).map(({ time }) => time)).toEqual([97_200, 104_400, 97_199])
  })
  test('truncated bytes give fewer pictures, never an exception', () => {
    const whole = fragment()
    for (let length = 0; length < whole.length; length += 1) {
      expect(readSamples(whole.subarray(0, length), 1).length).toBeLessThanOrEqual(2)
      expect(() => readSetup(init().subarray(0, length))).not.toThrow()
      expect(() => readSoundSetup(init().subarray(0, length))).not.toThrow()
    }
  })
  test('false box sizes give no pictures', () => {
    const lying = fragment()
    new DataView(lying.buffer).setUint32(0, 0x7f_ff_ff_ff)
    expect(readSamples(lying, 1)).toEqual([])
  })
})

describe('removing the sound', () => {
  test('leaves one track in the initialization segment and the same number of bytes', () => {
    const bytes = init()
    keepOnly(bytes, 1)
    expect(bytes.length).toBe(init().length)
    expect(names(init()).match(/trak/g)).toHaveLength(2)
    expect(names(bytes).match(/trak/g)).toHaveLength(1)
    expect(names(bytes).match(/trex/g)).toHaveLength(1)
    expect(readSetup(bytes)).toEqual(readSetup(init()))
    expect(readSoundSetup(bytes)).toBeUndefined()
  })
  test('does not change a fragment’s pictures', () => {
    const bytes = fragment()
    keepOnly(bytes, 1)
    expect(names(bytes).match(/traf/g)).toHaveLength(1)
    expect(readSamples(bytes, 1)).toEqual(readSamples(fragment(), 1))
    expect(readSamples(bytes, 2)).toEqual([])
  })
})
