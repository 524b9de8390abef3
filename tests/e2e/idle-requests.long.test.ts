import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { openUserPage } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const SETTLE_MS = 15_000
const IDLE_MS = 60_000

/** What the server tells, so that nothing has to ask for it. */
const told = /\/(supportSessions|all\/status|exports|devices|shares|jobs|checkUp|firmware)(\/status)?(\?|$)/

/** Calls of a page, without their version and with numbers left out. */
function listCalls(page: Page): () => readonly string[] {
  let calls: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path.startsWith('/rest/')) calls.push(path.replace(/^\/rest\/v[0-9.]+/, '').replace(/\d{3,}/g, '…'))
  })
  return () => {
    const found = calls
    calls = []
    return found
  }
}

describe.skipIf(chromiumPath === undefined)('a page that is left alone', () => {
  let app: RunningWebApp
  let cameraId: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
    cameraId = camera?.cameraId ?? 0
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test.concurrent.each([
    ['the list of cameras', () => '/app/'],
    ['a camera', () => `/app/cameras/${cameraId}`],
    ['the firmware of a camera', () => `/app/cameras/${cameraId}/settings/firmware`],
    ['the check-up of a camera', () => `/app/cameras/${cameraId}/settings/check-up`],
    ['the recorders', () => '/app/recorders'],
    ['the downloads', () => '/downloads/'],
    ['My Account', () => '/details'],
    ['support access in My Account', () => '/support'],
  ])('asks for nothing that the server tells: %s', async (_, path) => {
    await using tab = await app.newPage()
    await openUserPage(tab.page, `${app.product.origin}${path()}`)
    await tab.page.getByRole('main').waitFor()
    const calls = listCalls(tab.page)
    await sleep(SETTLE_MS)
    calls()
    await sleep(IDLE_MS)
    const idle = calls()
    console.info(
      `${path()}: ${idle.length} calls in a minute: ${[...new Set(idle)].map((one) => `${idle.filter((other) => other === one).length} ${one}`).join(', ')}`,
    )
    expect(idle.filter((call) => told.test(call))).toEqual([])
  })
})
