import { constants, getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { findFfmpeg } from './index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the decoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''

test.skipIf(ffmpeg === '')('a decoder gets less processor time than what records, when it is short', async () => {
  const child = startDecoder(ffmpeg, ['-f', 'h264', '-i', '-', '-f', 'null', '-'], { processorSeconds: 5 })
  const ended = untilEnded(child, () => true)
  expect(getPriority(child.pid)).toBe(constants.priority.PRIORITY_LOW)
  child.kill('SIGKILL')
  await ended
})
