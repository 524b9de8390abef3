import type { CameraStatus } from '@sightline/contract/cameras'
import { instant } from '@sightline/platform/db'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type PageOptions, type TestBrowser, type TestPage } from '../browser.ts'
import { openProductDatabase } from '../chaos/product-database.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption, chosenValue, listOptions } from '../popups.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { getSwitch, overflow, violations } from '../screens.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'

const PATH = '/statusnotification'
const SAVED = 'Your settings are successfully changed'

describe.skipIf(chromiumPath === undefined)('status notifications', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let receiver: PushReceiver
  let owner: string
  beforeAll(async () => {
    receiver = await startPushReceiver()
    product = await startProduct({ environment: { SIGHTLINE_PUSH_NETWORKS: '127.0.0.0/8' } })
    browser = await openBrowser({ isWhole: true })
    owner = await fetchToken(product.origin, 'owner@demo.example')
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const open = async (email: string, path = PATH, options: PageOptions = {}): Promise<TestPage> => {
    const opened = await browser.newPage(options)
    await openUserPage(opened.page, `${product.origin}${path}`, email)
    await opened.page.getByRole('main').waitFor()
    return opened
  }
  const stored = async () => {
    const path = 'GET users/self/notificationSettings'
    return (await callApi<readonly Record<string, unknown>[]>(product.origin, owner, path)).body[0]
  }
  const off = () =>
    callApi(product.origin, owner, 'PATCH users/self/notificationSettings/cameraDown', {
      enabled: false,
      alertByPush: false,
      alertByEmail: true,
    })
  const addUser = async (email: string, rights: object) => {
    const given = { email, firstName: 'Some', lastName: 'Body', password: 'Tests-only.2026', rights }
    const { status } = await callApi(product.origin, owner, 'POST users', given)
    expect(status).toBe(201)
  }
  const turnOn = async (page: Page) => {
    await getSwitch(page, 'Notify me when a camera goes offline').click()
    await page.getByText(SAVED).first().waitFor()
  }

  /** Motion at a recorded camera, until the browser has the message about it. */
  const motionAlert = async (): Promise<string> => {
    const api = <T>(request: string, body?: unknown) => callApi<T>(product.origin, owner, request, body)
    const setting = { enabled: true, alertByEmail: false, alertByPush: true, allCameras: true, cameraIds: [] }
    expect((await api('PATCH users/self/notificationSettings/motion', setting)).status).toBe(200)
    const recorded = async () =>
      (await api<CameraStatus[]>('GET cameras/all/status')).body.find(({ recordingOnCloud }) => recordingOnCloud)
        ?.cameraId
    await expect.poll(recorded, { timeout: 60_000 }).toBeDefined()
    const cameraId = (await recorded()) ?? 0
    const { accountId } = (await api<{ accountId: number }>('GET users/self')).body
    await using db = openProductDatabase(product.dataFolder)
    const before = receiver.messages.length
    const source = { source_kind: 'camera', source_id: cameraId, source_name: 'Camera', camera_id: cameraId } as const
    await db.plain
      .insertInto('events')
      .values({
        account_id: accountId,
        at: instant(Date.now()),
        type: 'motion',
        once_key: `shown ${Date.now()}`,
        ...source,
      })
      .execute()
    const text = () => receiver.messages.slice(before).find((message) => message.text.includes('pictureToken'))?.text
    await expect.poll(text, { timeout: 30_000 }).toBeDefined()
    return text() ?? ''
  }

  test('§4 notification: detail options appear only when the alert is enabled, and each change saves immediately', async () => {
    await using opened = await open('owner@demo.example')
    const { page } = opened
    const alert = getSwitch(page, 'Notify me when a camera goes offline')
    await alert.waitFor()
    expect(await getSwitch(page, 'Email alerts').count()).toBe(0)
    await turnOn(page)
    const delay = page.getByLabel('Notify me after')
    expect(await listOptions(delay)).toEqual([
      '1 minute',
      '5 minutes',
      '15 minutes',
      '30 minutes',
      '1 hour',
      '2 hours',
      '4 hours',
      '12 hours',
      '1 day',
    ])
    const repeat = page.getByLabel('Notify me again after')
    expect((await listOptions(repeat))[0]).toBe('Never')
    expect([await chosenValue(delay), await chosenValue(repeat)]).toEqual(['60', '0'])
    await chooseOption(delay, '5')
    await getSwitch(page, 'Email alerts').click()
    await page.getByText("Turn on at least one of these, or you won't be notified.").waitFor()
    await expect.poll(stored).toMatchObject({ enabled: true, alertDelay: 5, alertByEmail: false, alertRepeat: 0 })
    await page.reload()
    await expect.poll(() => chosenValue(delay)).toBe('5')
    expect(opened.complaints).toEqual([])
    await off()
  })

  test('alerts about motion have their own pause, quiet hours and cameras, and each change saves immediately', async () => {
    const settings = async () => {
      const { body } = await callApi<readonly { type: string }[]>(
        product.origin,
        owner,
        'GET users/self/notificationSettings',
      )
      return body.find(({ type }) => type === 'motion')
    }
    await using opened = await open('owner@demo.example')
    const { page } = opened
    await getSwitch(page, 'Notify me about motion').click()
    await getSwitch(page, 'Include a picture').waitFor()
    await chooseOption(page.getByLabel('Pause between alerts'), '5')
    await getSwitch(page, 'Quiet hours').click()
    await chooseOption(page.getByLabel('From'), '21:30')
    await chooseOption(page.getByLabel('Cameras', { exact: true }), 'some')
    await page.getByText("Select at least one, or you won't be notified.").waitFor()
    await page.getByRole('checkbox', { name: 'Entrance' }).click()
    await expect.poll(settings).toMatchObject({
      enabled: true,
      cooldown: 5,
      quietHours: { from: '21:30', to: '07:00' },
      allCameras: false,
      cameraIds: [expect.any(Number)],
    })
    expect(await violations(page)).toEqual([])
    expect(opened.complaints).toEqual([])
    const back = { enabled: false, allCameras: true, cameraIds: [], quietHours: null }
    await callApi(product.origin, owner, 'PATCH users/self/notificationSettings/motion', back)
  })

  longTest('a change that the server refuses is undone, and an error says so', async () => {
    await using opened = await open('owner@demo.example')
    const { page } = opened
    const refusal = { status: 500, json: { code: 1, title: 'Internal error' } }
    await page.route('**/notificationSettings/cameraDown', (route) => route.fulfill(refusal))
    const alert = getSwitch(page, 'Notify me when a camera goes offline')
    await alert.click()
    await page.getByText(/encountered an unknown error/).waitFor()
    await expect.poll(() => alert.getAttribute('aria-checked')).toBe('false')
    expect(await stored()).toMatchObject({ enabled: false })
  })

  test('turning on browser notifications sends a test message through the service worker; turning them off removes the device', async () => {
    await using opened = await browser.newPage()
    const { page, context } = opened
    await context.grantPermissions(['notifications'], { origin: product.origin })
    await giveSubscription(page, receiver)
    await openUserPage(page, `${product.origin}${PATH}`, 'owner@demo.example')
    await turnOn(page)
    const before = receiver.messages.length
    await getSwitch(page, 'Browser notifications').click()
    await page.getByText('Test notification sent').waitFor()
    const text = receiver.messages[before]?.text ?? ''
    expect(JSON.parse(text)).toMatchObject({ title: 'Notifications are working', path: '/app/' })
    const scopes = 'navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))'
    expect(await page.evaluate(scopes)).toEqual([`${product.origin}/app/`])
    await deliver(context, page, { origin: product.origin, text, times: 2 })
    expect(await shownBy(page)).toEqual(['Notifications are working'])
    // A picture that can't be had must not keep its message from being shown.
    const withPicture = JSON.stringify({
      ...JSON.parse(text),
      title: 'Motion at Door',
      tag: 'motion-1',
      pictureToken: '1-2-x',
    })
    await deliver(context, page, { origin: product.origin, text: withPicture, times: 1 })
    await expect.poll(() => shownBy(page)).toContain('Motion at Door')

    const shown = await motionAlert()
    await deliver(context, page, { origin: product.origin, text: shown, times: 1 })
    await expect
      .poll(() => page.evaluate(images), { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/^data:image\/jpeg;base64,\/9j/))
    await expect.poll(stored).toMatchObject({ alertByPush: true })
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Turn off in this browser' }).click()
    await page.getByText('Notifications are off in this browser').waitFor()
    await page.getByRole('button', { name: 'Turn on in this browser' }).waitFor()
    expect((await callApi(product.origin, owner, 'GET users/self/pushDevices')).body).toEqual([])
    expect(opened.complaints).toEqual([])
    await off()
  })

  longTest('where the browser blocks notifications the page says what to do, and the switch stays off', async () => {
    await using opened = await open('owner@demo.example')
    const { page } = opened
    await turnOn(page)
    const push = getSwitch(page, 'Browser notifications')
    await push.click()
    await page.getByText(/This browser blocks notifications from this site/).waitFor()
    expect(await push.getAttribute('aria-checked')).toBe('false')
    expect(await stored()).toMatchObject({ alertByPush: false })
    expect(await violations(page)).toEqual([])
    await off()
  })

  longTest(
    'a sub-user without the right to edit cameras has no menu item and is redirected to the details',
    async () => {
      await addUser('viewer.only@demo.example', {})
      await using opened = await open('viewer.only@demo.example')
      const { page } = opened
      await page.waitForURL(`${product.origin}/details`)
      await page.getByText('First name', { exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'Status notifications' }).count()).toBe(0)
      await page.goto(`${product.origin}/settings${PATH}`)
      await page.waitForURL(`${product.origin}/settings/details`)
    },
  )

  longTest('a demo user sees everything but cannot change it', async () => {
    await addUser('looks.only@demo.example', { editCamera: true, demoUser: true })
    await using opened = await open('looks.only@demo.example')
    const { page } = opened
    await page.getByText("You're signed in as a demo user").waitFor()
    expect(await getSwitch(page, 'Notify me when a camera goes offline').isDisabled()).toBe(true)
  })

  test.each(
    inLongRun([
      { width: 360, dark: false },
      { width: 768, dark: true },
      { width: 1280, dark: false },
    ]),
  )('opens from the menu and fits a window of $width pixels, dark $dark', async ({ width, dark }) => {
    await using opened = await open('owner@demo.example', '/details', { width, dark })
    const { page } = opened
    const entry = page.getByRole('link', { name: 'Status notifications' })
    if (!(await entry.first().isVisible())) await page.getByRole('button', { name: /menu/i }).first().click()
    await entry.first().click()
    await turnOn(page)
    await page.getByLabel('Notify me after').waitFor()
    expect(await overflow(page)).toBe(0)
    await off()
  })
})

/** Replaces Chromium's remote push service with one on this machine. */
async function giveSubscription(page: Page, receiver: PushReceiver): Promise<void> {
  await page.addInitScript((given) => {
    let present: object | null = null
    const subscription = {
      ...given,
      options: { applicationServerKey: new ArrayBuffer(0) },
      toJSON: () => given,
      unsubscribe: async () => {
        present = null
        return true
      },
    }
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        present = subscription
        return subscription
      },
      getSubscription: async () => present,
    })
  }, receiver.subscribe())
}

/** Delivers a push message to the service worker, as a push service would. */
async function deliver(
  context: BrowserContext,
  page: Page,
  { origin, text, times }: { origin: string; text: string; times: number },
): Promise<void> {
  const protocol = await context.newCDPSession(page)
  const known = new Promise<string>((resolve) => {
    protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration !== undefined) resolve(registration.registrationId)
    })
  })
  await protocol.send('ServiceWorker.enable')
  const registrationId = await known
  for (let time = 0; time < times; time += 1) {
    await protocol.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: text })
  }
}

const images = `navigator.serviceWorker.getRegistration('/app/')
  .then((registration) => registration.getNotifications())
  .then((all) => all.map(({ image }) => image))`
const titles = `navigator.serviceWorker.getRegistration('/app/')
  .then((registration) => registration.getNotifications())
  .then((all) => all.map(({ title }) => title))`
async function shownBy(page: Page): Promise<unknown> {
  await expect.poll(() => page.evaluate(titles)).not.toEqual([])
  return page.evaluate(titles)
}
