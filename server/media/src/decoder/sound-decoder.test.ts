import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { findFfmpeg, startSoundDecoder } from './index.ts'

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the decoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const withDecoder = test.skipIf(ffmpeg === '')

const SECONDS = 3

interface Coded {
  readonly config: Uint8Array
  readonly frames: readonly Uint8Array[]
}

/** A tone, coded as a camera does. */
function coded(args: readonly string[]): Buffer {
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=16000:duration=${SECONDS}`]
  const { stdout, stderr, status } = spawnSync(ffmpeg, ['-loglevel', 'error', ...tone, '-ac', '1', ...args, 'pipe:1'])
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`)
  return stdout
}

/** Frames without their ADTS headers (ISO 14496-3 §1.A.2), and the AudioSpecificConfig that the headers stand for. */
function aac(): Coded {
  const bytes = coded(['-c:a', 'aac', '-f', 'adts'])
  const frames: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1f_ff
    frames.push(bytes.subarray(at + 7, at + length))
    at += length
  }
  // AAC LC, 16 kHz, one channel.
  return { config: Uint8Array.of(0x14, 0x08), frames }
}

/** Packets without their Ogg pages (RFC 3533). */
function opus(): Coded {
  const bytes = coded(['-c:a', 'libopus', '-f', 'ogg'])
  const packets: Uint8Array[] = []
  let packet: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const lacing = bytes.subarray(at + 27, at + 27 + bytes.readUInt8(at + 26))
    at += 27 + lacing.length
    for (const size of lacing) {
      packet.push(bytes.subarray(at, at + size))
      at += size
      if (size === 255) continue
      packets.push(Buffer.concat(packet))
      packet = []
    }
  }
  const [config = new Uint8Array(), , ...frames] = packets
  return { config, frames }
}

const trackOf = (codec: 'aac' | 'opus', config: Uint8Array): Extract<TrackConfig, { kind: 'audio' }> => ({
  kind: 'audio',
  codec,
  codecString: codec,
  sampleRate: 16_000,
  channels: 1,
  config,
})

withDecoder.each([
  ['aac', aac],
  ['opus', opus],
] as const)('%s becomes sound of 8 kHz at the time at which it came', async (codec, encode) => {
  const { config, frames } = encode()
  const heard: { at: number; samples: number }[] = []
  const decoder = startSoundDecoder({
    ffmpeg,
    track: trackOf(codec, config),
    onSound: (at, samples) => heard.push({ at, samples: samples.length }),
  })
  if (decoder === undefined) throw new Error('there is no decoder')
  const stepMs = (SECONDS * 1000) / frames.length
  for (const [index, frame] of frames.entries()) {
    const unit: AccessUnit = { kind: 'audio', time: 0, wallClock: index * stepMs, isKey: true, units: [frame] }
    decoder.push(unit)
    await sleep(1)
  }
  await expect.poll(() => heard.reduce((sum, { samples }) => sum + samples, 0)).toBeGreaterThan(SECONDS * 8000 * 0.9)
  expect(heard.every(({ at }, index) => at >= (heard[index - 1]?.at ?? 0))).toBe(true)
  expect(heard.at(-1)?.at).toBeLessThanOrEqual(SECONDS * 1000)
  decoder[Symbol.dispose]()
  expect(await decoder.ended).toBe('')
})

test('sound that no container of ours carries has no decoder', () => {
  const track = trackOf('aac', Uint8Array.of(0xf8, 0, 0))
  expect(startSoundDecoder({ ffmpeg: '/bin/false', track, onSound: () => undefined })).toBeUndefined()
})
