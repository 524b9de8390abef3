import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { type FootageTrack, footage, hum, playTracks } from '../../../../tests/fixtures/footage.ts'
import { planClip } from '../clips/index.ts'
import { findFfmpeg, readEncodingAbilities, startPictureEncoder } from '../decoder/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { DerivedClip } from './derived-clip.ts'

afterAll(removeTemporaryFolders)

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the encoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const { pictures } = await readEncodingAbilities(ffmpeg === '' ? undefined : ffmpeg)

/** The camera's microphone is switched on after 40 seconds. */
test.skipIf(!pictures).each<readonly [string, () => FootageTrack, number]>([
  ['G.711', () => hum('pcma'), 2000],
  ['AAC', () => footage('tone16.aac'), 0],
])(
  'pictures don’t wait for %s sound that begins later',
  async (_, sound, from) => {
    const set = await stage({ segmentMs: 10_000 })
    set.show(...playTracks([footage('main.h264')], { seconds: 40, wallClock: TEN_THIRTY }))
    set.lose('silent')
    set.show(...playTracks([footage('main.h264'), sound()], { seconds: 10, wallClock: TEN_THIRTY + 40_000 }))
    await set.stop()
    const of = { store: set.store, stream: CAMERA, from: TEN_THIRTY + from, till: TEN_THIRTY + 49_000 }
    const plan = (await planClip({ ...of, sound: 'kept', keepsAllSound: true })) ?? expect.fail('no footage')
    const late = plan.pieces.findIndex(({ tracks }) => tracks.some((placed) => placed?.isSound === true))
    const silentBytes = plan.pieces.slice(0, late).reduce((sum, { bytes }) => sum + bytes, plan.head.length)
    const begun = Promise.withResolvers<void>()
    const clip = new DerivedClip(plan, of, {
      text: { overlay: undefined, watermark: 'Copy' },
      async start(options) {
        const encoder = await startPictureEncoder({ ...options, ffmpeg })
        const input = new PassThrough()
        void (async () => {
          let given = 0
          for await (const chunk of input) {
            given += chunk.length
            // Sound is held back until the first pictures have come out.
            if (given > silentBytes) await begun.promise
            if (!encoder.input.write(chunk)) await new Promise((resolve) => encoder.input.once('drain', resolve))
          }
          encoder.input.end()
        })().catch(() => undefined)
        return { ...encoder, input, [Symbol.dispose]: () => encoder[Symbol.dispose]() }
      },
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of clip.chunks()) {
      if (chunks.push(Uint8Array.from(chunk)) > 1) begun.resolve()
    }
    const path = join(of.store, '..', 'late.mp4')
    await writeFile(path, Buffer.concat(chunks))
    const out = ['-map', '0:a', '-af', 'aresample=8000:async=1:first_pts=0', '-ac', '1', '-f', 's16le', 'pipe:1']
    const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...out], { maxBuffer: 1e9 })
    let first = 0
    while (first < raw.length / 2 && Math.abs(raw.readInt16LE(first * 2)) < 500) first++
    expect(Math.abs(first / 8000 - (40 - from / 1000))).toBeLessThan(0.2)
  },
  120_000,
)
