/** What would trigger is shown over the picture at the sensitivity of the slider, before it is saved. */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MotionPreview } from '@sightline/contract/detectors'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFfmpeg } from '../../server/media/src/decoder/index.ts'
import { chromiumPath } from '../browser.ts'
import { makeMotionClip } from '../fixtures/motion-clip.ts'
import { overflow, violations } from '../screens.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

const ffmpeg = findFfmpeg(process.env.PATH ?? '')
const path = join(tmpdir(), `sightline-motion-preview-${process.pid}.h264`)
const clip = { path, framesPerSecond: 10 }

/** Of the product without motion detection by the server, and with it. */
const start = (environment: Readonly<Record<string, string>>) =>
  webAppWithCamera({ clips: { main: clip, sub: clip } }, [{ kind: 'onvif-quirks', quirks: ['no-events'] }], environment)

const squares = (page: Page) => page.locator('svg rect[class*="warning"]')
/** More than a box takes to cross the picture. */
const PICTURES = 12
/** For a decoder that has to see the picture for some seconds first. */
const late = { timeout: 40_000 }

describe.skipIf(chromiumPath === undefined || ffmpeg === undefined)('the preview of motion in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    // Where it was and where it is are 2 % of the picture, of the 4 % for the lowest sensitivity.
    makeMotionClip(path, { still: 1, moving: 10, size: '40x50' })
    own = await start({ SIGHTLINE_MOTION_CAMERAS: '4' })
  })
  afterAll(async () => {
    await own?.[Symbol.asyncDispose]()
    await rm(path, { force: true })
  })

  test('follows the slider before it is saved', { timeout: 120_000 }, async () => {
    await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/detections`)
    const { page } = tab
    const slider = page.getByRole('slider', { name: 'Sensitivity' }).first()
    await slider.fill('100')
    await page.getByRole('button', { name: 'Show what triggers' }).click()
    await page.getByText('Highlighted squares would trigger motion at the sensitivity above').waitFor(late)
    await squares(page)
      .first()
      .waitFor({ ...late, state: 'attached' })
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])

    await slider.fill('0')
    for (let seen = 0; seen < PICTURES; seen++) {
      const reply = await page.waitForResponse((one) => one.url().includes('/preview?sensitivity=0'))
      expect((await reply.json()) as MotionPreview).toMatchObject({ state: 'server', moving: [] })
    }
    await expect.poll(() => squares(page).count()).toBe(0)

    await slider.fill('100')
    await squares(page)
      .first()
      .waitFor({ ...late, state: 'attached' })
    const saved = await own.app.ask<{ sensitivity: number }>(`GET cameras/${own.cameraId}/detectors/video`)
    expect(saved.sensitivity).toBe(50)
    expect(tab.complaints).toEqual([])
  })

  test('says who can change it where the server is not set up to look for motion', { timeout: 90_000 }, async () => {
    await using without = await start({})
    await using tab = await without.app.open(`/cameras/${without.cameraId}/settings/detections`)
    await tab.page.getByRole('button', { name: 'Show what triggers' }).click()
    await tab.page
      .getByText(/^This server isn't set up to detect motion.*The operator of the server can change that\.$/)
      .waitFor(late)
    expect(tab.complaints).toEqual([])
  })
})
