/** Each right about cameras, alone, changes exactly what it names: on the list, the stage, the settings and the page that adds cameras. */
import { setTimeout as sleep } from 'node:timers/promises'
import { allRights, type Right } from '@sightline/contract/rights'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { soon } from '../screens.ts'
import { addUser, beginSupport, lendToken } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

interface Offered {
  readonly list: readonly string[]
  readonly stage: readonly string[]
  readonly tabs: readonly string[]
  readonly adding: readonly string[]
}

/** What the stage has for everybody who may see the camera live. */
const OF_EVERYONE: ReadonlySet<string> = new Set([
  'All cameras',
  'Full screen',
  'Keyboard shortcuts',
  'Save this picture',
  'Sound on: This camera has no sound.',
  'Technical details',
])
const TILE = /^(?:Car park|Corridor|Entrance|Gate|Shop floor)/

const nothing: Offered = { list: [], stage: [], tabs: [], adding: [] }
const inSettings = (...tabs: readonly string[]): Offered => ({ ...nothing, stage: ['Camera settings'], tabs })
const several = 'Add several cameras'

const offers: readonly (readonly [Right, Offered])[] = [
  // The focus moves with the camera.
  ['ptz', { ...nothing, stage: ['Camera controls', 'Move camera'] }],
  [
    'addPnpCamera',
    {
      ...nothing,
      list: ['Add camera'],
      adding: ['Add body-worn camera', 'Add camera', several, 'Find cameras on your network'],
    },
  ],
  [
    'addCameraManually',
    { list: ['Add camera'], stage: ['Camera settings'], tabs: ['Replace camera'], adding: ['Add camera', several] },
  ],
  ['deleteCamera', { ...nothing, stage: ['Remove camera'] }],
  ['editSchedule', inSettings('Schedule and notifications')],
  ['motionDetection', inSettings('Detections', 'Detection areas')],
  ['audioPIR', inSettings('Detections')],
  ['cameraExposureControl', { ...inSettings('Video'), stage: ['Camera controls', 'Camera settings'] }],
  ['cameraIllumination', { ...inSettings('Video'), stage: ['Camera controls', 'Camera settings'] }],
  ['cameraPrivacyButton', { ...nothing, list: ['Turn on private mode: Gate'], stage: ['Turn on private mode: Gate'] }],
  ['edgeStorageManagement', inSettings('Storage card and sync')],
  ['localExceptions', nothing],
  ['deviceIORead', inSettings('Inputs and outputs')],
  // The outputs alone.
  ['deviceIOWrite', inSettings('Inputs and outputs')],
]

/** Buttons and links of a screen, by their names, in the order of the alphabet. */
const controlsOf = (page: Page): Promise<readonly string[]> =>
  page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('a, button')]
      .map((each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim())
      .filter((name) => name !== '')
      .toSorted(),
  )

/** For a product and a browser that just started. */
const SLOW_MS = 60_000
/** Controls that appear only once the camera answered. */
const LATE_MS = 3000

describe.skipIf(chromiumPath === undefined)('on the screens of cameras', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera({ ptz: true, io: { relays: 1, inputs: 1, pulseSeconds: 0 }, card: {} })
  })
  afterAll(() => own[Symbol.asyncDispose]())

  /** Checks what the user of a page, which shows the list, is offered: it becomes as expected and stays so. */
  async function expectOffers(page: Page, expected: Offered): Promise<void> {
    const go = (path: string) => page.goto(`${own.app.product.origin}/app${path}`)
    const settles = async (expectedControls: readonly string[], read: () => Promise<readonly string[]>) => {
      await expect.poll(read, soon).toEqual(expectedControls)
      await sleep(LATE_MS / 3)
      expect(await read()).toEqual(expectedControls)
    }
    await page.locator(`main a[href="/app/cameras/${own.cameraId}"]`).waitFor({ timeout: SLOW_MS })
    const isOfOther = (name: string) => TILE.test(name) || (name.includes('private mode: ') && !name.endsWith('Gate'))
    await settles(expected.list, async () => (await controlsOf(page)).filter((name) => !isOfOther(name)))

    await go(`/cameras/${own.cameraId}`)
    await page.getByRole('button', { name: 'Save this picture' }).waitFor(soon)
    await sleep(LATE_MS)
    await settles(expected.stage, async () => (await controlsOf(page)).filter((name) => !OF_EVERYONE.has(name)))

    await go(`/cameras/${own.cameraId}/settings`)
    await page.getByRole('link', { name: 'Live video' }).waitFor(soon)
    const tabs = page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link')
    await settles(expected.tabs, () => tabs.allTextContents())

    await go('/cameras/add')
    await page.getByRole('heading', { level: 1, name: 'Add camera' }).waitFor(soon)
    const ofForm = new Set(['All cameras', 'Offices', 'Show password'])
    await settles(expected.adding, async () => (await controlsOf(page)).filter((name) => !ofForm.has(name)))
  }

  test.each(offers)('the right %s alone offers exactly what it names', { timeout: 90_000 }, async (right, expected) => {
    const email = `only-${right.toLowerCase()}@demo.example`
    await addUser(own.app, email, { allCameras: true, rights: { [right]: true } })
    await using tab = await own.app.open('/', email)
    await expectOffers(tab.page, expected)
    expect(tab.complaints).toEqual([])
  })

  /** All controls of the list, the stage and the page that adds cameras. */
  async function everythingOffered(page: Page): Promise<readonly string[]> {
    const names: string[] = []
    for (const path of ['/', `/cameras/${own.cameraId}`, '/cameras/add']) {
      await page.goto(`${own.app.product.origin}/app${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor(soon)
      await sleep(LATE_MS)
      names.push(...(await controlsOf(page)))
    }
    return names
  }
  const onlyOwner = ['Add body-worn camera', 'Camera transfers', 'Move camera', 'Remove camera']
  const ownerAndSupport = ['Add camera', several, 'Arm or disarm', 'Camera controls', 'Turn on private mode: Gate']

  test('the owner is offered everything', { timeout: 60_000 }, async () => {
    await using tab = await own.app.open('/')
    expect(await everythingOffered(tab.page)).toEqual(expect.arrayContaining([...onlyOwner, ...ownerAndSupport]))
    expect(tab.complaints).toEqual([])
  })

  test('a demo user with all rights is offered nothing that changes something', { timeout: 60_000 }, async () => {
    const rights = Object.fromEntries(allRights.map((right) => [right, true]))
    await addUser(own.app, 'all-demo@demo.example', { allCameras: true, rights })
    await using tab = await own.app.open('/', 'all-demo@demo.example')
    const offered = await everythingOffered(tab.page)
    expect(offered).toContain('Camera settings')
    expect(offered.filter((name) => [...onlyOwner, ...ownerAndSupport].includes(name))).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a support session helps, but moves and removes no camera and hands none over', {
    timeout: 60_000,
  }, async () => {
    const token = await beginSupport(own.app, { video: 'shown' })
    await using tab = await own.app.newPage()
    await tab.page.goto(`${own.app.product.origin}/cookies`)
    await lendToken(tab.page, own.app.product.origin, token)
    const offered = await everythingOffered(tab.page)
    expect(offered).toEqual(expect.arrayContaining(ownerAndSupport))
    expect(offered.filter((name) => onlyOwner.includes(name))).toEqual([])
  })
})
