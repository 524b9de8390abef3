import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type FootageTrack, footage, hum, play } from '../../../../tests/fixtures/footage.ts'
import { opusTrack } from '../codec/index.ts'
import { getPresentationTime } from '../frame/index.ts'
import { browserTracks, fragment, initSegment, mime, readFragment, readInitSegment, type Sample } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'mux-'))
afterAll(() => rm(folder, { recursive: true }))

const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0

function samplesOf(clips: readonly FootageTrack[], seconds: number): readonly Sample[] {
  return [...play(clips, { seconds, wallClock: 0 })].map(({ track, unit }) => {
    const ticks = clips[track]?.frameTicks ?? 0
    const index = Math.round(unit.time / ticks)
    return { track, unit, duration: Math.round((index + 1) * ticks) - unit.time }
  })
}

function fileOf(clips: readonly FootageTrack[], seconds: number): string {
  const tracks = clips.map((clip) => clip.track)
  const chunks = [initSegment(tracks)]
  const samples = samplesOf(clips, seconds)
  for (let second = 0; second < seconds; second++) {
    const inside = samples.filter(({ unit }) => Math.floor(unit.time / 90_000) === second)
    chunks.push(...fragment({ sequence: second + 1, tracks, samples: inside }))
  }
  const path = join(folder, `${clips.map((clip) => clip.track.codec).join('-')}-${Math.random()}.mp4`)
  writeFileSync(path, Buffer.concat(chunks))
  return path
}

interface Probed {
  readonly codec_name: string
  readonly nb_read_frames: string
  readonly duration_ts: number
}

function probe(path: string): readonly Probed[] {
  const options = ['-v', 'error', '-count_frames', '-show_streams', '-of', 'json', path]
  const run = spawnSync('ffprobe', options, { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return JSON.parse(run.stdout).streams
}

const combinations: readonly [string, () => readonly FootageTrack[]][] = [
  ['H.264 main', () => [footage('main.h264')]],
  ['H.264 high', () => [footage('high.h264')]],
  ['H.265', () => [footage('h265.hevc')]],
  ['H.264 with AAC at 16 kHz', () => [footage('main.h264'), footage('tone16.aac')]],
  ['H.264 with AAC at 44.1 kHz', () => [footage('main.h264'), footage('tone44.aac')]],
  ['H.264 with G.711 A-law', () => [footage('main.h264'), hum('pcma')]],
  ['H.264 with G.711 µ-law', () => [footage('main.h264'), hum('pcmu')]],
  ['AAC alone', () => [footage('tone16.aac')]],
]

describe('fragmented MP4', () => {
  test.each(combinations)('%s: the tracks parsed from the initialization segment are those written', (_, clips) => {
    const tracks = clips().map((clip) => clip.track)
    expect(readInitSegment(initSegment(tracks))).toEqual(tracks)
  })

  test('an Opus track keeps its OpusHead', () => {
    const track = opusTrack(2)
    expect(readInitSegment(initSegment([track]))).toEqual([track])
  })

  test.each(combinations)(
    '%s: every access unit is read back byte for byte, with its time and key flag',
    (_, clips) => {
      const chosen = clips()
      const tracks = chosen.map((clip) => clip.track)
      const samples = samplesOf(chosen, 3).filter((sample) => sample.unit.time >= 90_000)
      const bytes = Buffer.concat(fragment({ sequence: 7, tracks, samples, origin: 90_000 }))
      const read = readFragment(bytes, tracks, { origin: 90_000, wallClockAtZero: 1000 })
      const plain = (list: readonly Sample[]) =>
        list
          .toSorted((a, b) => a.track - b.track)
          .map(({ track, unit, duration }) => {
            const payload = unit.units.map((nal) => Buffer.from(nal).toString('base64'))
            return { track, duration, isKey: unit.isKey, wallClock: unit.wallClock, payload }
          })
      expect(plain(read)).toEqual(plain(samples))
      for (const { unit, track } of read) {
        const sent = samples.filter((sample) => sample.track === track).map((sample) => sample.unit.time)
        const nearest = Math.min(...sent.map((time) => Math.abs(time - unit.time)))
        expect(nearest).toBe(0)
      }
    },
  )

  test('reordered pictures are read back with decode and presentation times, and sound stays unchanged', () => {
    const clips = [footage('main.h264'), footage('tone16.aac')]
    const tracks = clips.map((clip) => clip.track)
    const offsets = [7200, 10_800, 0, -1]
    const samples = samplesOf(clips, 1).map((sample, index) => {
      const compositionOffset = sample.track === 0 ? (offsets[index % offsets.length] ?? 0) : 0
      return compositionOffset === 0 ? sample : { ...sample, unit: { ...sample.unit, compositionOffset } }
    })
    const bytes = Buffer.concat(fragment({ sequence: 1, tracks, samples }))
    const times = (list: readonly Sample[], track: number) =>
      list.filter((sample) => sample.track === track).map(({ unit }) => [unit.time, getPresentationTime(unit)])
    const read = readFragment(bytes, tracks, { origin: 0, wallClockAtZero: 0 })
    for (const track of [0, 1]) expect(times(read, track)).toEqual(times(samples, track))
    for (const { unit } of read) expect(unit.wallClock).toBe(Math.round(getPresentationTime(unit) / 90))
  })

  test.skipIf(!hasFfmpeg).each(combinations)('%s: ffmpeg decodes every frame without errors', (_, clips) => {
    const chosen = clips()
    const path = fileOf(chosen, 3)
    const streams = probe(path)
    const counts = streams.map((stream) => Number(stream.nb_read_frames))
    const sent = chosen.map((_, track) => samplesOf(chosen, 3).filter((sample) => sample.track === track).length)
    expect(counts).toEqual(sent)
    const complaint = spawnSync(
      'ffmpeg',
      ['-v', 'warning', '-guess_layout_max', '0', '-xerror', '-i', path, '-f', 'null', '-'],
      {
        encoding: 'utf8',
      },
    )
    expect(complaint.stderr).toBe('')
    expect(complaint.status).toBe(0)
  })

  test.skipIf(!hasFfmpeg)("audio at 44.1 kHz doesn't drift: after 30 s the last frame is at the right time", () => {
    const path = fileOf([footage('main.h264'), footage('tone44.aac')], 30)
    const options = ['-v', 'error', '-select_streams', 'a', '-show_entries', 'packet=pts', '-of', 'csv=p=0', path]
    const times = execFileSync('ffprobe', options, { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => Number.parseInt(line, 10))
    const last = times.length - 1
    expect(Math.abs((times[last] ?? 0) - (last * 1024 * 90_000) / 44_100)).toBeLessThanOrEqual(1)
  })

  test("a media type names the codecs in track order, and G.711 isn't offered to a browser", () => {
    const tracks = [footage('main.h264').track, hum('pcma').track]
    expect(mime(browserTracks(tracks))).toMatch(/^video\/mp4; codecs="avc1\.4d[0-9a-f]{4}"$/)
    expect(mime([footage('main.h264').track, footage('tone16.aac').track])).toMatch(
      /^video\/mp4; codecs="avc1\.\w+,mp4a\.40\.2"$/,
    )
  })

  test('a video track without its parameter sets is refused by name', () => {
    const track = { ...footage('main.h264').track, parameterSets: [] }
    expect(() => initSegment([track])).toThrow('needs an SPS and a PPS')
  })

  test('damaged bytes give an error or samples within bounds, and never a hang or a read outside', () => {
    const tracks = [footage('main.h264').track, footage('tone16.aac').track]
    const clips = [footage('main.h264'), footage('tone16.aac')]
    const good = Buffer.concat(fragment({ sequence: 1, tracks, samples: samplesOf(clips, 1) }))
    const init = initSegment(tracks)
    fc.assert(
      fc.property(fc.nat(1200), fc.nat(255), fc.boolean(), (at, value, inInit) => {
        const bytes = Uint8Array.from(inInit ? init : good)
        bytes[at % bytes.length] = value
        try {
          if (inInit) readInitSegment(bytes)
          else readFragment(bytes, tracks, { origin: 0, wallClockAtZero: 0 })
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect(error).not.toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 3000 },
    )
  })
})
