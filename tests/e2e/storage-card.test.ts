/** A camera's card: shown, formatted, and what it recorded while the network was down fills the gap, in the browser. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { SyncJob } from '@sightline/contract/cloud-sync'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SegmentReader } from '../../server/media/src/recording/index.ts'
import { chromiumPath } from '../browser.ts'
import { decodeSegment } from '../chaos/footage-on-disk.ts'
import { readCounter } from '../screen-picture.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

const MAC = '02:00:00:00:00:51'
const CUT_MS = 30_000
/** The simulator's pictures are counted from here. */
const EPOCH = Date.UTC(2026, 0, 1)
/** The camera's clock is wrong by so much. */
const AHEAD_MS = 90_000

/** The kinds of tracks of each segment that came from a card, and what a strict decoder says about it. */
async function cardSegments(dataFolder: string) {
  const store = join(dataFolder, 'footage')
  const found: { readonly kinds: readonly string[]; readonly complaints: string }[] = []
  for (const name of await readdir(store, { recursive: true })) {
    if (!name.endsWith('.seg')) continue
    await using reader = await SegmentReader.openWithoutKey(join(store, name))
    if (reader.head.header.origin !== 'card') continue
    const { complaints } = await decodeSegment(join(store, name))
    found.push({ kinds: reader.head.tracks.map(({ kind }) => kind), complaints })
  }
  return found
}

describe.skipIf(chromiumPath === undefined)('the card of a camera in Chromium', () => {
  let app: RunningWebApp
  let simulator: SimulatorProcess
  let cameraId = 0
  let framesPerSecond = 0

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    framesPerSecond = clips.main.framesPerSecond
    const who = { username: 'viewer', password: 'right one' }
    simulator = await launchSimulator({
      cameras: [{ name: 'Yard', mac: MAC, ...who, clips, card: { formatMs: 2500 } }],
    })
    await simulator.fault(MAC, { kind: 'clock-jump', byMs: AHEAD_MS })
    app = await startWebApp()
    const zones = await app.ask<{ zoneId: number }[]>('GET zones')
    const place = { zoneId: zones[0]?.zoneId, address: '127.0.0.1', port: simulator.cameras[0]?.onvifPort, ...who }
    cameraId = (await app.ask<Camera>('POST cameras', { name: 'Yard', ...place })).cameraId
    await until(async () => (await status()).recordingOnCloud, 60_000)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await simulator.stop()
  })

  const status = () => app.ask<CameraStatus>(`GET cameras/${cameraId}/status`)
  const until = async (holds: () => Promise<boolean>, withinMs: number) => {
    for (const end = Date.now() + withinMs; Date.now() < end && !(await holds()); ) await sleep(500)
    expect(await holds()).toBe(true)
  }
  const timeline = (from: number, till: number) => {
    const query = `from=${new Date(from).toISOString()}&till=${new Date(till).toISOString()}`
    return app.ask<RecordingTimeline>(`GET cameras/${cameraId}/recordingTimeline?${query}`)
  }

  test('what the camera recorded on its card while its network was cut fills the gap, with its provenance', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/storage`)
    const { page } = tab
    await page.getByRole('switch', { name: 'Fill gaps from the card' }).click()
    await page.getByText('Gaps are filled from the card', { exact: true }).waitFor()
    // Sound is fetched too, from when the microphone is on.
    await app.ask(`PATCH cameras/${cameraId}/settings/audio`, { microphone: true })
    await sleep(3000)

    const cutAt = Date.now()
    await simulator.fault(MAC, { kind: 'refuse' })
    await sleep(CUT_MS)
    await simulator.heal(MAC)
    await simulator.fault(MAC, { kind: 'clock-jump', byMs: AHEAD_MS })
    await until(async () => (await status()).recordingOnCloud, 30_000)
    const backAt = Date.now()
    await until(async () => (await timeline(cutAt - 1000, backAt)).gaps.length > 0, 15_000)
    const jobs = () => app.ask<SyncJob[]>(`GET cameras/${cameraId}/cloudSync/jobs`)
    await until(async () => (await jobs())[0]?.status === 'Ended', 120_000)

    const [job] = await jobs()
    expect(job?.duration).toBeGreaterThan(CUT_MS / 1000 - 5)
    // Footage begins with a keyframe, so up to a group of pictures stays missing.
    expect(job?.syncedDuration).toBeGreaterThan((job?.duration ?? 0) - 5)
    await until(async () => (await timeline(cutAt, backAt)).segments.some(({ origin }) => origin === 'card'), 10_000)
    const { segments } = await timeline(cutAt - 5000, backAt + 5000)
    const times = segments.map(({ start, end, origin }) => [Date.parse(start), Date.parse(end), origin] as const)
    for (const [index, [start]] of times.entries())
      expect(start).toBeGreaterThanOrEqual(times[index - 1]?.[1] ?? Number.NEGATIVE_INFINITY)
    const cards = times.filter(([, , origin]) => origin === 'card')
    expect(cards).toHaveLength(1)
    expect(await cardSegments(app.product.dataFolder)).toEqual([{ kinds: ['video', 'audio'], complaints: '' }])

    await page.reload()
    await page.getByText(/seconds filled/).waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(await status()).toMatchObject({ recordingOnSd: true })
    expect(tab.complaints).toEqual([])

    // A picture of the middle of the gap is the camera's of that moment, although its clock is wrong.
    const [start = 0, end = 0] = cards[0] ?? []
    const middle = Math.round((start + end) / 2)
    await using player = await app.open(`/cameras/${cameraId}?t=${new Date(middle).toISOString()}`)
    await player.page.locator('[data-card]').first().waitFor({ state: 'attached' })
    const counter = async () => (await readCounter(player.page)) ?? 0
    await expect.poll(counter, { timeout: 20_000 }).toBeGreaterThan(0)
    const shown = EPOCH + ((await counter()) * 1000) / framesPerSecond
    expect(Math.abs(shown - middle)).toBeLessThan(20_000)
  }, 300_000)

  test('the card is shown, and formatting it says what is lost', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/storage`)
    const { page } = tab
    await page.getByText('58.6 GiB').first().waitFor()
    await page.getByRole('button', { name: 'Format card' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/All footage on the card will be permanently deleted/).waitFor()
    await dialog.getByRole('button', { name: 'Format card' }).click()
    await page.getByText('Formatting', { exact: true }).waitFor()
    await page.getByText('Formatted', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('the tab is for those with its right alone', async () => {
    await addUser(app, 'card@demo.example', {
      allCameras: true,
      rights: { edgeStorageManagement: true },
    })
    await using tab = await app.open(`/cameras/${cameraId}/settings`, 'card@demo.example')
    await tab.page.getByRole('switch', { name: 'Fill gaps from the card' }).waitFor()
    expect(
      await tab.page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link').allInnerTexts(),
    ).toEqual(['Storage card and sync'])
  })
})
