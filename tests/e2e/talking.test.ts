import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { soon } from '../screens.ts'
import { openUserPage } from '../signed-in.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

const TONE_HZ = 700
const WAV_RATE = 48_000

/** Two seconds with bursts of a tone, because browsers take a steady tone for noise (RIFF, 16-bit PCM). */
function toneFile(): Buffer {
  const samples = WAV_RATE * 2
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write('RIFF')
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at)
  wav.writeUInt32LE(WAV_RATE, 24)
  wav.writeUInt32LE(WAV_RATE * 2, 28)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let at = 0; at < samples; at++) {
    const isOn = Math.floor((at / WAV_RATE) * 4) % 2 === 0
    wav.writeInt16LE(isOn ? Math.round(16_000 * Math.sin((2 * Math.PI * TONE_HZ * at) / WAV_RATE)) : 0, 44 + at * 2)
  }
  return wav
}

/** ITU-T G.711, table 2. */
function sampleOf(code: number): number {
  const bits = ~code & 0x7f
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << (bits >> 4)) - 0x84
  return (code & 0x80) === 0 ? -magnitude : magnitude
}

/** How often the loud parts of a sound rise through zero each second: the middle one of them, because bursts begin within some. */
function hertzOf(sound: Uint8Array): number {
  const found: number[] = []
  for (let at = 0; at + 400 <= sound.length; at += 400) {
    const values = [...sound.subarray(at, at + 400)].map(sampleOf)
    if (values.filter((value) => Math.abs(value) > 1000).length < 200) continue
    const rises = values.filter((value, index) => index > 0 && value >= 0 && (values[index - 1] ?? 0) < 0).length
    found.push((rises * 8000) / values.length)
  }
  return found.sort((x, y) => x - y)[Math.floor(found.length / 2)] ?? 0
}

describe.skipIf(chromiumPath === undefined)('talking through a camera in the browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-talk-'))
  let app: RunningWebApp
  let browser: TestBrowser
  let cameraId: number

  beforeAll(async () => {
    const microphone = join(folder, 'tone.wav')
    writeFileSync(microphone, toneFile())
    app = await startWebApp({ cameras: true })
    browser = await openBrowser({ microphone })
    const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
    cameraId = camera?.cameraId ?? 0
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const talkButton = (page: Page) => page.getByRole('button', { name: /^(Talk|Stop talking)$/ })
  const stateOf = (page: Page) => talkButton(page).getAttribute('data-talk')

  async function open({ mayUseMicrophone = true, email = 'owner@demo.example' } = {}) {
    const tab = await browser.newPage()
    const { page, context } = tab
    if (mayUseMicrophone) await context.grantPermissions(['microphone'], { origin: app.product.origin })
    const sent: Buffer[] = []
    await page.routeWebSocket(/\/stream\/talk\/open/, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((message) => {
        if (typeof message !== 'string') sent.push(message)
        server.send(message)
      })
    })
    await openUserPage(page, `${app.product.origin}/app/cameras/${cameraId}`, email)
    return { tab, page, sent }
  }

  test('a tap starts, the tone of the microphone is sent, and a tap ends; those who watch see that someone talks', async () => {
    const { tab, page, sent } = await open()
    await using _ = tab
    await using watcher = await app.open(`/cameras/${cameraId}`)
    const told = watcher.page.getByText('Talk in progress')
    await watcher.page.locator('[data-state=playing]').waitFor(soon)
    expect(await told.count()).toBe(0)
    await talkButton(page).click(soon)
    await expect.poll(() => stateOf(page), soon).toBe('talking')
    await told.waitFor(soon)
    await page.getByText('You’re talking through Car park').waitFor({ ...soon, state: 'attached' })
    await expect.poll(() => Buffer.concat(sent).length, { timeout: 15_000 }).toBeGreaterThan(8000 * 3)
    await page.getByTitle('Time left').waitFor()
    expect(await page.getByTitle('Time left').textContent()).toMatch(/^4:5\d$/)
    await talkButton(page).click()
    await expect.poll(() => stateOf(page), soon).toBe('off')
    await expect.poll(() => told.count(), soon).toBe(0)
    expect(Math.abs(hertzOf(Buffer.concat(sent)) - TONE_HZ)).toBeLessThan(25)
    const log = await app.ask<{ action: string; cameraId?: number }[]>('GET auditLogs?actions=sendCameraAudio')
    expect(log).toMatchObject([{ action: 'sendCameraAudio', cameraId }])
    expect(tab.complaints).toEqual([])
  })

  test('who holds the button talks until they let go, and the key T starts and ends too', async () => {
    const { tab, page } = await open()
    await using _ = tab
    await talkButton(page).hover(soon)
    await page.mouse.down()
    await expect.poll(() => stateOf(page), soon).toBe('talking')
    await page.waitForTimeout(500)
    await page.mouse.up()
    await expect.poll(() => stateOf(page), soon).toBe('off')
    await page.locator('h1').click()
    await page.keyboard.press('t')
    await expect.poll(() => stateOf(page), soon).toBe('talking')
    await page.keyboard.press('t')
    await expect.poll(() => stateOf(page), soon).toBe('off')
    await talkButton(page).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => stateOf(page), soon).toBe('talking')
    await page.keyboard.press('Enter')
    await expect.poll(() => stateOf(page), soon).toBe('off')
  })

  test('a second person is told that someone else talks', async () => {
    const [first, second] = [await open(), await open()]
    await using _ = first.tab
    await using __ = second.tab
    await talkButton(first.page).click(soon)
    await expect.poll(() => stateOf(first.page), soon).toBe('talking')
    await talkButton(second.page).click(soon)
    await second.page.getByText(/^Someone else is talking through this camera/).waitFor(soon)
    expect(await stateOf(second.page)).toBe('ended')
  })

  test('without permission for the microphone nothing is opened, and the user learns how to allow it', async () => {
    const { tab, page, sent } = await open({ mayUseMicrophone: false })
    await using _ = tab
    await talkButton(page).click(soon)
    await page.getByText(/^This page may not use your microphone/).waitFor(soon)
    expect(sent).toEqual([])
  })

  test('a user who loses the right to talk while talking is told so, and whom to ask', async () => {
    const email = 'speaker@demo.example'
    const { userId } = (await addUser(app, email, {
      allCameras: true,
      rights: { LiveCamera: true, microphone: true },
    })) as { userId: number }
    const { tab, page } = await open({ email })
    await using _ = tab
    await talkButton(page).click(soon)
    await expect.poll(() => stateOf(page), soon).toBe('talking')
    await app.ask(`PATCH users/${userId}/rights`, { microphone: false })
    await page.getByText(/^You don’t have permission to talk through this camera/).waitFor(soon)
    expect(await page.getByText(/^The camera closed its loudspeaker/).count()).toBe(0)
  })

  test('users without the right to talk have no button', async () => {
    await addUser(app, 'listener@demo.example', { allCameras: true, rights: { playback: true } })
    const { tab, page } = await open({ email: 'listener@demo.example' })
    await using _ = tab
    await page.locator('[data-state=playing]').waitFor(soon)
    expect(await talkButton(page).count()).toBe(0)
  })
})
