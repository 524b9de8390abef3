import { readFrameCounter } from '@sightline/camera-simulator/frame-counter'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openUserPage } from './signed-in.ts'

/** Pictures a second of the simulator's main stream, and where its counter begins (camera-simulator/src/settings.ts). */
export const FRAMES_PER_SECOND = 25
const EPOCH = Date.UTC(2026, 0, 1)
/** The counter that a camera burns in at that moment, milliseconds since 1970. */
export const getCounter = (moment: number) => Math.floor(((moment - EPOCH) * FRAMES_PER_SECOND) / 1000)

/** The page of a camera of the demonstration, as its owner comes to it. */
export async function openCamera(page: Page, origin: string, name = 'Car park'): Promise<void> {
  await openUserPage(page, `${origin}/app/`)
  await page.getByRole('link', { name: new RegExp(name) }).click()
}

/** The burnt-in counter of the picture on the screen, or undefined while none can be read. */
export async function readCounter(page: Page): Promise<number | undefined> {
  const picture = await page.evaluate(() => {
    // The canvas lies above the video and is hidden while that one is used.
    const shown =
      document.querySelector<HTMLCanvasElement>('canvas[data-camera-picture]:not([hidden])') ??
      document.querySelector<HTMLVideoElement>('video[data-camera-picture]')
    if (shown === null) return undefined
    const width = shown instanceof HTMLVideoElement ? shown.videoWidth : shown.width
    const height = shown instanceof HTMLVideoElement ? shown.videoHeight : shown.height
    if (width === 0) return undefined
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context?.drawImage(shown, 0, 0)
    // The strip with the counter is in the first rows; the rest need not travel.
    const rows = Math.ceil(height / 8)
    const rgba = context?.getImageData(0, 0, width, rows).data ?? new Uint8ClampedArray()
    const green: number[] = []
    for (let at = 1; at < rgba.length; at += 4) green.push(rgba[at] ?? 0)
    return { width, height, green }
  })
  if (picture === undefined) return undefined
  const luma = new Uint8Array(picture.width * picture.height)
  luma.set(picture.green)
  return readFrameCounter(luma, picture.width, picture.height)
}

/** Waits for a picture whose counter is accepted. */
export async function nextCounter(page: Page, accept: (counter: number) => boolean): Promise<number> {
  let seen: number | undefined
  await expect
    .poll(
      async () => {
        seen = await readCounter(page)
        return seen !== undefined && accept(seen)
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBe(true)
  return seen ?? 0
}
