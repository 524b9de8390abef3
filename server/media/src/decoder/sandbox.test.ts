import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { findFfmpeg } from './index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the decoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''

test.skipIf(ffmpeg === '').each([
  ['that runs on gets less processor time than what records', {}, 5],
  ['of a single picture gets as much, because somebody waits', { timeoutMs: 5000 }, 0],
])('a decoder %s, when it is short', async (_, limits, more) => {
  const child = startDecoder(ffmpeg, ['-f', 'h264', '-i', '-', '-f', 'null', '-'], { processorSeconds: 5, ...limits })
  const ended = untilEnded(child, () => true)
  expect(getPriority(child.pid)).toBe(more === 0 ? getPriority() : more)
  child.kill('SIGKILL')
  await ended
})
