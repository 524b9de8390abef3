import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CameraClips, SimulatorInput } from '../settings.ts'

const file = (name: string): string => fileURLToPath(new URL(`../../test-clips/${name}`, import.meta.url))

/** Thirty pictures each, three key pictures: see test-clips/make.sh. */
export const testClips = {
  main: { path: file('main.h264'), framesPerSecond: 25 },
  sub: { path: file('sub.h264'), framesPerSecond: 10 },
  audio: file('audio.aac'),
} as const satisfies CameraClips

export const testCamera = {
  name: 'Loading dock',
  mac: '02:00:00:00:00:01',
  username: 'admin',
  password: 'right horse',
  clips: testClips,
} as const satisfies SimulatorInput['cameras'][number]

/** Why the tests that check pixels can't run here; undefined if they can. */
export const noFfmpeg: string | undefined =
  spawnSync('ffmpeg', ['-version']).status === 0 ? undefined : 'ffmpeg is not on the PATH'
