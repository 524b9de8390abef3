import { readFrameCounter } from '@sightline/camera-simulator/frame-counter'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openUserPage } from './signed-in.ts'

/** Frame rate of the simulator's main stream, and the start of its counter (camera-simulator/src/settings.ts). */
export const FRAMES_PER_SECOND = 25
const EPOCH = Date.UTC(2026, 0, 1)
/** The counter that a camera burns in at a time, milliseconds since 1970. */
export const getCounter = (moment: number) => Math.floor(((moment - EPOCH) * FRAMES_PER_SECOND) / 1000)

/** Opens a demo camera's page as the owner. */
export async function openCamera(page: Page, origin: string, name = 'Car park'): Promise<void> {
  await openUserPage(page, `${origin}/app/`)
  await page.getByRole('link', { name: new RegExp(name) }).click()
}

/** The burned-in counter of the current picture; undefined while none is readable. */
export async function readCounter(page: Page): Promise<number | undefined> {
  // The canvas is above the video and hidden while the video is used.
  const [canvas] = await readCounters(page, 'canvas[data-camera-picture]:not([hidden])')
  if (canvas !== undefined) return canvas
  const [video] = await readCounters(page, 'video[data-camera-picture]')
  return video
}

/** The burned-in counters of several pictures at one moment; undefined for those that aren't readable. */
export async function readCounters(page: Page, selector: string): Promise<(number | undefined)[]> {
  const pictures = await page.evaluate((wanted) => {
    const read = (shown: HTMLCanvasElement | HTMLVideoElement) => {
      const width = shown instanceof HTMLVideoElement ? shown.videoWidth : shown.width
      const height = shown instanceof HTMLVideoElement ? shown.videoHeight : shown.height
      if (width === 0) return undefined
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = height
      const context = canvas.getContext('2d', { willReadFrequently: true })
      context?.drawImage(shown, 0, 0)
      // The strip with the counter is in the first rows; only those are transferred.
      const rows = Math.ceil(height / 8)
      const rgba = context?.getImageData(0, 0, width, rows).data ?? new Uint8ClampedArray()
      // As text, because a list of a quarter of a million numbers takes a tenth of a second to transfer.
      let green = ''
      for (let at = 1; at < rgba.length; at += 4) green += String.fromCharCode(rgba[at] ?? 0)
      return { width, height, green: btoa(green) }
    }
    return [...document.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>(wanted)].map(read)
  }, selector)
  return pictures.map((picture) => {
    if (picture === undefined) return undefined
    const luma = new Uint8Array(picture.width * picture.height)
    luma.set(Buffer.from(picture.green, 'base64'))
    return readFrameCounter(luma, picture.width, picture.height)
  })
}

/** A picture that is older is not of now. The clocks of simulated cameras may be seconds off after the machine stood still. */
export const PRESENT_MS = 15_000

/**
 * Returns a count of the page's live tiles: those that show the present and have another picture than when they were counted before.
 * `framesPerSecond` is that of the stream that they show.
 */
export function liveTiles(page: Page, framesPerSecond: number): () => Promise<number> {
  let before: readonly (number | undefined)[] = []
  return async () => {
    const seen = await readCounters(page, 'canvas[data-camera-picture]:not([hidden])')
    const isLive = (counter: number | undefined, index: number) =>
      counter !== undefined &&
      counter !== before[index] &&
      Date.now() - EPOCH - (counter / framesPerSecond) * 1000 < PRESENT_MS
    const count = before.length === seen.length ? seen.filter(isLive).length : 0
    before = seen
    return count
  }
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
