import { describe, expect, test } from 'vitest'
import type { Decoder } from '../decoder/index.ts'
import { createHub } from '../hub/index.ts'
import { takeSnapshot } from './snapshot.ts'

/**
 * A decoder like the system's, which is an external program: its pictures show which of the two functions created them.
 */
const decoder: Decoder = {
  toJpeg: async () => Uint8Array.of(1),
  toBlurredJpeg: async () => Uint8Array.of(2),
}

const NOW = 1_000_000

function hubWithPicture() {
  const hub = createHub()
  const video = { kind: 'video', codec: 'h264', codecString: 'avc1.42c01e', width: 640, height: 360 } as const
  hub.publish({ kind: 'tracks', tracks: [{ ...video, parameterSets: [Uint8Array.of(0x67), Uint8Array.of(0x68)] }] })
  const unit = { kind: 'video', time: 0, wallClock: NOW - 1000, isKey: true, units: [Uint8Array.of(0x65)] } as const
  hub.publish({ kind: 'unit', unit, track: 0 })
  return hub
}

describe('a snapshot', () => {
  test('is blurred on request, whether or not a clear one was just taken, and the reverse', async () => {
    const hub = hubWithPicture()
    const take = async (format: 'jpeg' | 'blurredJpeg') => takeSnapshot(hub, { format, now: NOW, decoder })
    for (const [format, made] of [
      ['jpeg', 1],
      ['blurredJpeg', 2],
      ['jpeg', 1],
      ['blurredJpeg', 2],
    ] as const) {
      expect(await take(format)).toEqual({
        kind: 'picture',
        contentType: 'image/jpeg',
        bytes: Uint8Array.of(made),
        takenAt: NOW - 1000,
      })
    }
  })

  test('is never blurred without a decoder', async () => {
    expect(await takeSnapshot(hubWithPicture(), { format: 'blurredJpeg', now: NOW, decoder: undefined })).toEqual({
      kind: 'noDecoder',
    })
  })

  test("isn't sent clear if blurring fails", async () => {
    const failing = { ...decoder, toBlurredJpeg: () => Promise.reject(new Error('ffmpeg ended with 1')) }
    expect(await takeSnapshot(hubWithPicture(), { format: 'blurredJpeg', now: NOW, decoder: failing })).toEqual({
      kind: 'timedOut',
    })
  })

  test("isn't made from a picture that is half a minute old", async () => {
    expect(await takeSnapshot(hubWithPicture(), { format: 'jpeg', now: NOW + 30_000, decoder })).toEqual({
      kind: 'cameraOffline',
    })
  })
})
