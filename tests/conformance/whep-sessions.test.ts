/** WebRTC sessions as Chromium and GStreamer see them: codecs, sound, lost packets, and viewers that vanish. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { footage, hum } from '../fixtures/footage.ts'
import { playWhep, readReceived } from '../whep-page.ts'
import {
  openRelay,
  openWhepStage,
  ownAddress,
  type Relay,
  type WhepStage,
  type WhepStageOptions,
} from './whep-stage.ts'

const SECOND = 1000
const run = promisify(execFile)

let browser: TestBrowser
beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await openBrowser()
})
afterAll(() => browser?.[Symbol.asyncDispose]())

async function arranged(options: WhepStageOptions): Promise<WhepStage> {
  const stage = await openWhepStage(options)
  onTestFinished(() => stage[Symbol.asyncDispose]())
  return stage
}

async function relayed(stage: WhepStage): Promise<Relay> {
  const relay = await openRelay(stage.udpPort)
  onTestFinished(() => relay[Symbol.asyncDispose]())
  return relay
}

/** Opens the stream in a page; through the relay, if there is one. */
const play = (page: Page, { url, udpPort }: WhepStage, relay?: Relay) =>
  playWhep(page, url, relay && [udpPort, relay.port])

async function openPage({ origin }: WhepStage): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page[Symbol.asyncDispose]())
  await page.page.goto(origin)
  return page.page
}

const pictures = async (page: Page) => (await readReceived(page)).pictures

describe.skipIf(chromiumPath === undefined)('Chromium', () => {
  test('plays H.264 of the High profile with G.711 sound', async () => {
    const stage = await arranged({ tracks: [footage('high.h264'), hum('pcma')] })
    const page = await openPage(stage)
    const { text } = await play(page, stage)
    expect(text).toContain('PCMA/8000')
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(50)
    expect((await readReceived(page)).soundPackets).toBeGreaterThan(20)
  })

  test('gets no sound without the right, and hears why', async () => {
    const stage = await arranged({ tracks: [footage('main.h264'), hum('pcmu')], rights: ['LiveCamera'] })
    const page = await openPage(stage)
    expect((await play(page, stage)).text).toContain('i=No sound: the right to hear the camera is missing.')
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(50)
    expect((await readReceived(page)).soundPackets).toBe(0)
  })

  test('plays pictures without AAC, and hears why', async () => {
    const stage = await arranged({ tracks: [footage('main.h264'), footage('tone16.aac')] })
    const page = await openPage(stage)
    expect((await play(page, stage)).text).toContain('i=No sound: AAC can’t be sent over WebRTC')
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(50)
  })

  test('is told that it can’t play H.265, or pictures in another order', async () => {
    const h265 = await arranged({ tracks: [footage('h265.hevc')] })
    expect(await play(await openPage(h265), h265)).toEqual({
      status: 422,
      text: expect.stringContaining('the offer doesn’t take it'),
    })
    const reordered = await arranged({
      tracks: [footage('main.h264')],
      change: (unit) => ({ ...unit, compositionOffset: 3600 }),
    })
    await expect.poll(async () => (await play(await openPage(reordered), reordered)).text).toContain('B-frames')
    expect([...h265.open, ...reordered.open]).toEqual([])
  })

  test('gets lost packets again, and doesn’t freeze', async ({ annotate }) => {
    const stage = await arranged({ tracks: [footage('main.h264'), hum('pcma')] })
    const relay = await relayed(stage)
    const page = await openPage(stage)
    let [sent, dropped] = [0, 0]
    relay.lose = (datagram) => {
      const isMedia = (datagram[0] ?? 0) >= 128
      if (!isMedia || ++sent % 12 !== 0) return false
      dropped++
      return true
    }
    expect((await play(page, stage, relay)).status).toBe(201)
    await expect.poll(() => pictures(page), { timeout: 20 * SECOND }).toBeGreaterThan(150)
    const { askedAgain, freezes, lost, ...rest } = await readReceived(page)
    await annotate(JSON.stringify({ sent, dropped, askedAgain, freezes, lost, ...rest }))
    expect(dropped).toBeGreaterThan(10)
    expect(askedAgain).toBeGreaterThan(0)
    expect({ lost, freezes }).toEqual({ lost: 0, freezes: 0 })
  })

  test('gets a picture again after everything was lost for a while', async ({ annotate }) => {
    const stage = await arranged({ tracks: [footage('main.h264')] })
    const relay = await relayed(stage)
    const page = await openPage(stage)
    await play(page, stage, relay)
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(50)
    relay.isCut = true
    await new Promise((resolve) => setTimeout(resolve, 3 * SECOND))
    relay.isCut = false
    const before = await pictures(page)
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(before + 50)
    await annotate(JSON.stringify(await readReceived(page)))
    expect(stage.ends).toEqual([])
  })

  test('is let go within some seconds when it vanishes', async ({ annotate }) => {
    const stage = await arranged({ tracks: [footage('main.h264')] })
    const relay = await relayed(stage)
    const page = await openPage(stage)
    await play(page, stage, relay)
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(20)
    const at = Date.now()
    relay.isCut = true
    await expect.poll(() => stage.ends, { timeout: 15 * SECOND }).toEqual(['the viewer doesn’t answer'])
    await annotate(`after ${Date.now() - at} ms`)
    expect(stage.open).toEqual([])
  })

  test('that leaves the page is let go at once', async () => {
    const stage = await arranged({ tracks: [footage('main.h264')] })
    const page = await openPage(stage)
    await play(page, stage)
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(20)
    await page.evaluate(() => window.whep.peer.close())
    await expect.poll(() => stage.ends, { timeout: 2 * SECOND }).toEqual(['the viewer has left'])
  })

  test('that never connects is let go, and its stream counts no longer', async () => {
    const stage = await arranged({ tracks: [footage('main.h264')] })
    const relay = await relayed(stage)
    relay.isCut = true
    expect((await play(await openPage(stage), stage, relay)).status).toBe(201)
    expect(stage.open).toHaveLength(1)
    await expect.poll(() => stage.ends, { timeout: 20 * SECOND }).toEqual(['the viewer didn’t connect'])
    expect(stage.open).toEqual([])
  })

  test('sees the end when the camera goes away', async () => {
    const stage = await arranged({ tracks: [footage('main.h264')] })
    const page = await openPage(stage)
    await play(page, stage)
    await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(20)
    stage.stopCamera()
    await expect.poll(() => stage.ends, { timeout: 2 * SECOND }).toEqual(['the camera is away'])
    const state = () => page.evaluate(() => window.whep.peer.getReceivers()[0]?.transport?.state)
    await expect.poll(state, { timeout: 5 * SECOND }).toBe('closed')
  })
})

const python = '/usr/bin/python3'
const script = new URL('whep-player.py', import.meta.url).pathname
const hasGst = (() => {
  try {
    execFileSync(python, [script], { stdio: 'ignore' })
    return ownAddress !== undefined
  } catch {
    return false
  }
})()

test.skipIf(!hasGst)('GStreamer plays it for longer than a silent viewer may stay', async () => {
  const stage = await arranged({ tracks: [footage('main.h264'), hum('pcma')], address: ownAddress ?? '' })
  const { stdout } = await run(python, [script, stage.url, '300'], { timeout: 40 * SECOND })
  expect(stdout.trim()).toBe('played 300')
  await expect.poll(() => stage.open, { timeout: 12 * SECOND }).toEqual([])
})
