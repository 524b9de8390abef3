import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { chromiumPath } from '../browser.ts'
import { liveTiles } from '../screen-picture.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const login = { username: 'viewer', password: 'right one' }
const CAMERAS = 9
const KILLED = 5
/** The counter of the simulator's sub-stream (camera-simulator/src/settings.ts). */
const PICTURES_PER_SECOND = 10

describe.skipIf(chromiumPath === undefined)('nine cameras, of which five fail', () => {
  let app: RunningWebApp
  let simulators: Simulator[]
  let start: (index: number, ports?: { rtspPort: number; onvifPort: number }) => Promise<Simulator>

  beforeAll(async () => {
    const clips = await sceneClips('corridor')
    start = (index, ports = { rtspPort: 0, onvifPort: 0 }) =>
      startCameras({
        cameras: [{ name: `Camera ${index}`, mac: `02:00:00:00:01:0${index}`, ...login, clips, ...ports }],
      })
    simulators = await Promise.all(Array.from({ length: KILLED }, (_, index) => start(index)))
    // With four of its own.
    app = await startWebApp({ cameras: true })
    const zones = await app.ask<{ zoneId: number; name: string }[]>('GET zones')
    const zoneId = zones.find(({ name }) => name === 'Outside')?.zoneId
    const added = await Promise.all(
      simulators.map(({ cameras: [camera] }, index) =>
        app.ask<{ cameraId: number }>('POST cameras', {
          ...{ name: `Camera ${index}`, zoneId, ...login },
          ...{ address: '127.0.0.1', port: camera?.address.onvifPort },
        }),
      ),
    )
    for (const { cameraId } of added) await app.ask(`GET cameras/${cameraId}/additionStatus/poll`)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    for (const simulator of simulators) await simulator.stop()
  })

  test('frozen tiles say so within three seconds, with the age of the picture, and recover alone', async () => {
    await using tab = await app.open('/multiview')
    const { page } = tab
    const live = liveTiles(page, PICTURES_PER_SECOND)
    await expect.poll(live, { timeout: 60_000, interval: 500 }).toBe(CAMERAS)
    // Noted in the page, because asking from outside takes time on a busy machine.
    await page.evaluate(() => {
      const noted = new Map<string, number>()
      Object.assign(window, { noted })
      setInterval(() => {
        for (const tile of document.querySelectorAll<HTMLElement>('[data-tile]')) {
          const state = tile.querySelector<HTMLElement>('[data-state]')?.dataset.state
          const isSaid = state !== 'playing' && /\d+ sec/.test(tile.textContent ?? '')
          const key = tile.dataset.tile ?? ''
          if (isSaid && !noted.has(key)) noted.set(key, Date.now())
        }
      }, 100)
    })
    const ports = simulators.map(({ cameras: [camera] }) => ({
      rtspPort: camera?.address.rtspPort ?? 0,
      onvifPort: camera?.address.onvifPort ?? 0,
    }))
    await Promise.all(simulators.map((simulator) => simulator.stop()))
    const stoppedAt = Date.now()
    const said = () => page.evaluate(() => [...(window as unknown as { noted: Map<string, number> }).noted.values()])
    await expect.poll(async () => (await said()).length, { timeout: 20_000 }).toBe(KILLED)
    for (const at of await said()) expect(at - stoppedAt).toBeLessThanOrEqual(3000)
    await expect.poll(live, { interval: 500 }).toBe(CAMERAS - KILLED)
    for (const [index, own] of ports.entries()) simulators[index] = await start(index, own)
    await expect.poll(live, { timeout: 60_000, interval: 500 }).toBe(CAMERAS)
    await expect.poll(() => page.locator('[data-tile] [data-state=playing]').count()).toBe(CAMERAS)
  }, 180_000)
})
