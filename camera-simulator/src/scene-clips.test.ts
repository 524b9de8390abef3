import { expect, test } from 'vitest'
import { loadAudioClip, SAMPLES_PER_FRAME } from './clip/audio-clip.ts'
import { loadVideoClip } from './clip/video-clip.ts'
import { sceneClips, scenes } from './scene-clips.ts'

test.each(scenes)('%s: both streams contain the strip and are exactly as long as the sound', async (scene) => {
  const files = await sceneClips(scene)
  const main = await loadVideoClip(files.main.path, files.main.framesPerSecond)
  const sub = await loadVideoClip(files.sub.path, files.sub.framesPerSecond)
  expect(main).toMatchObject({ width: 1920, height: 1080, framesPerSecond: 25 })
  expect(main.stripSize).toBeDefined()
  expect(sub).toMatchObject({ width: 640, height: 360, framesPerSecond: 10 })
  expect(sub.stripSize).toBeDefined()
  const seconds = main.pictures.length / 25
  expect(sub.pictures.length / 10).toBe(seconds)
  if (files.audio === undefined) return
  const audio = await loadAudioClip(files.audio)
  expect(Math.abs((audio.frames.length * SAMPLES_PER_FRAME) / audio.sampleRate - seconds)).toBeLessThan(0.2)
})
