import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { CameraClips } from './settings.ts'

/** The scenes that come with the product. */
export const scenes = ['car-park', 'shop-floor', 'corridor', 'entrance'] as const
export type Scene = (typeof scenes)[number]

const stream = z.object({ framesPerSecond: z.number().positive() })
const meta = z.object({ main: stream, sub: stream, audio: z.unknown().optional() })

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The files of a scene, as a camera's settings want them. Fails when the scene's `meta.json` is missing or says too little. */
export async function sceneClips(scene: Scene): Promise<CameraClips> {
  const folder = fileURLToPath(new URL(`../clips/${scene}/`, import.meta.url))
  const { main, sub, audio } = meta.parse(JSON.parse(await readFile(`${folder}meta.json`, 'utf8')))
  const snapshot = `${folder}snapshot.jpg`
  return {
    main: { path: `${folder}main.h264`, framesPerSecond: main.framesPerSecond },
    sub: { path: `${folder}sub.h264`, framesPerSecond: sub.framesPerSecond },
    ...(audio === undefined ? {} : { audio: `${folder}audio.aac` }),
    ...((await isThere(snapshot)) ? { snapshot } : {}),
  }
}
