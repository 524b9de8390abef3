import type { Page } from 'playwright-core'
import { fillDateTime } from './dates.ts'
import { editDetails } from './details-screen.ts'
import { chooseOption } from './popups.ts'

/** A browser that opens the portal under one brand. */
export interface PortalBrowser {
  readonly page: Page
  readonly origin: string
  /** A user with a second factor. */
  readonly guarded: string
}

type Reach = (visit: PortalBrowser) => Promise<unknown>

/** A page and its states; each is reached from the previous one. */
export interface PortalScreen {
  readonly name: string
  readonly states: Readonly<Record<string, Reach>>
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const main = (page: Page) => page.getByRole('main')
/** Waits until nothing is loading. */
const whole = (page: Page) =>
  main(page).getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' })
const pressEscape = (page: Page) => page.keyboard.press('Escape')

/** Turns a switch that saves immediately. It shows the new state shortly after the click; `setChecked` does not wait for that. */
async function turn(page: Page, name: string, isOn: boolean): Promise<void> {
  const one = page.getByRole('switch', { name, exact: true })
  if ((await one.getAttribute('aria-checked')) !== String(isOn)) await one.click()
  await page.getByRole('switch', { name, exact: true, checked: isOn }).waitFor()
}

/** A screen of the settings area: at rest; with a popup; with the message of a change that failed; and when nothing can be loaded. */
interface SettingsScreen {
  readonly path: string
  readonly title: string
  /** The screen's own popups, in addition to the frame's. */
  readonly popups?: Readonly<Record<string, (page: Page) => Promise<unknown>>>
  /** Shows the error for an invalid value. */
  readonly fault?: (page: Page) => Promise<unknown>
}

const settings: readonly SettingsScreen[] = [
  {
    path: '/details',
    title: 'Details',
    popups: {
      'a list to choose from': async (page) => {
        await editDetails(page)
        await page.getByRole('combobox', { name: 'Country' }).click()
        await page.getByRole('option').first().waitFor()
      },
      'the question about unsaved changes': async (page) => {
        await pressEscape(page)
        await page.getByLabel('First name').fill('Typed')
        // Sooner than a person could leave, the question isn't ready.
        await page.waitForTimeout(300)
        await page.getByRole('contentinfo').getByRole('link', { name: 'Cookies' }).click()
        await button(page, 'Keep editing').waitFor()
      },
    },
    async fault(page) {
      await editDetails(page)
      await page.getByLabel('First name').fill('')
      await page.getByLabel('First name').blur()
      await page.getByText('First name is required').waitFor()
      await button(page, 'Cancel').click()
      await button(page, 'Change email address').click()
      await page.getByLabel('New email address').fill('nobody')
      await page.getByLabel('New email address').blur()
      await page.getByText('Please enter a valid email address').waitFor()
      await button(page, 'Cancel').click()
      await button(page, 'Change password').click()
      await page.getByLabel('New password', { exact: true }).fill('short')
      await page.getByLabel('Confirm new password').fill('other')
      await page.getByLabel('Confirm new password').blur()
      await page.getByText('Password does not match').waitFor()
    },
  },
  {
    path: '/support',
    title: 'Support',
    popups: {
      'the question before revoking': async (page) => {
        await button(page, 'Revoke access').first().click()
        await page.getByRole('dialog').waitFor()
      },
    },
    async fault(page) {
      await chooseOption(page.getByLabel('Allow support access'), 'Until a date and time')
      await fillDateTime(page.getByRole('group', { name: 'Until' }), '2020-01-01T10:00')
      await page.locator(':focus').blur()
      await page.getByText('Choose a time in the future').waitFor()
    },
  },
  {
    path: '/subscriptions',
    title: 'Subscriptions',
    popups: {
      'the menu of the subscription': async (page) => {
        await button(page, 'Change subscription').click()
        await page.getByRole('menuitem').first().waitFor()
      },
      'the question before ending it': async (page) => {
        await page.getByRole('menuitem', { name: 'Turn off renewal' }).click()
        await page.getByRole('dialog').waitFor()
      },
      'the chooser': async (page) => {
        await pressEscape(page)
        await button(page, 'Change subscription').click()
        await page.getByRole('menuitem', { name: 'Choose a subscription' }).click()
        await page.getByLabel('Video quality').waitFor()
      },
    },
  },
  {
    path: '/statusnotification',
    title: 'Status notifications',
    popups: {
      'what is asked once it is on': async (page) => {
        await turn(page, 'Notify me when a camera goes offline', true)
        await turn(page, 'Email alerts', false)
        await page.getByText("Turn on at least one of these, or you won't be notified.").waitFor()
      },
    },
  },
  {
    path: '/tfa',
    title: 'Two-factor',
    popups: {
      'the recovery codes, and that it is on': async (page) => {
        await page.route('**/users/self/mfa', (route) =>
          route.fulfill({ json: { ...state, recoveryCodes: state.recoveryCodes } }),
        )
        await main(page).getByLabel('Authentication code', { exact: true }).fill('123456')
        await button(page, 'Enable').click()
        await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor()
        await page.unroute('**/users/self/mfa')
      },
    },
    async fault(page) {
      await main(page).getByLabel('Authentication code', { exact: true }).fill('12345')
      await main(page).getByLabel('Authentication code', { exact: true }).blur()
      await page.getByText('6 characters are required').waitFor()
    },
  },
  {
    path: '/sessions',
    title: 'Sign-ins',
    popups: {
      'the question before everybody is signed out': async (page) => {
        await button(page, 'Sign out everywhere').click()
        await page.getByText('Your password will stop working.').waitFor()
      },
    },
  },
  {
    path: '/personaldata',
    title: 'Personal data',
    popups: {
      'the question before a download': async (page) => {
        await button(page, 'Download').click()
        await page.getByRole('dialog', { name: 'Download my data' }).waitFor()
      },
      'the question before the account goes': async (page) => {
        await pressEscape(page)
        await button(page, 'Delete account').click()
        await page.getByText(/other users?$/).waitFor()
      },
    },
  },
]

/** A second factor that was just enabled. */
const state = {
  enabled: true,
  qrCode: null,
  secret: null,
  recoveryCodesLeft: 10,
  recoveryCodes: Array.from({ length: 10 }, (_, at) => `k7m3q-9xw2${at}`),
}

export const unknownError = { status: 500, json: { code: 1, title: 'Internal error', requestId: 'b2d1c8a4f0' } }

/** The server refuses all changes; tries one that every screen offers. */
async function changeInVain(page: Page): Promise<void> {
  const refuse = (route: Parameters<Parameters<Page['route']>[1]>[0]) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(unknownError)
  await page.route('**/rest/**', refuse)
  await button(page, 'Language').click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByText(/encountered an unknown error/).waitFor()
  await page.unroute('**/rest/**', refuse)
}

/** The calls about the signed-in user that come before any screen. */
const basis = /\/users\/self(\/rights|\/featureFlags)?$/

/** Loading a screen's content fails. */
async function loadInVain(page: Page): Promise<void> {
  await page.route('**/rest/**', (route) =>
    basis.test(route.request().url()) ? route.fallback() : route.fulfill(unknownError),
  )
  await page.goto(page.url())
  await button(page, 'Try again').first().waitFor()
  await page.unroute('**/rest/**')
}

const settingsScreen = ({ path, title, popups = {}, fault }: SettingsScreen): PortalScreen => {
  const open: Reach = async ({ page, origin }) => {
    await page.goto(`${origin}${path}`)
    await heading(page, title)
    await whole(page)
  }
  return {
    name: path,
    states: {
      'at rest': open,
      ...Object.fromEntries(
        Object.entries(popups).map(([name, reach]) => [name, ({ page }: PortalBrowser) => reach(page)]),
      ),
      async 'with a message and what was typed wrong'(visit) {
        await open(visit)
        await fault?.(visit.page)
        await changeInVain(visit.page)
      },
      'that could not be loaded': ({ page }) => loadInVain(page),
    },
  }
}

/** Popups of every screen, and the message after a successful change. */
const frame: PortalScreen = {
  name: 'header',
  states: {
    async 'with the languages open'({ page, origin }) {
      await page.goto(`${origin}/details`)
      await heading(page, 'Details')
      await whole(page)
      await button(page, 'Language').click()
      await page.getByRole('menuitemradio', { name: 'English' }).waitFor()
    },
    async 'with the applications open'({ page }) {
      await pressEscape(page)
      await button(page, 'Applications').click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
    async 'with the account menu open'({ page }) {
      await pressEscape(page)
      await page.getByRole('button', { name: 'Account menu' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    },
    async 'with the menu of the screens open'({ page }) {
      await pressEscape(page)
      const opener = button(page, 'Open menu')
      if (await opener.isVisible()) await opener.click()
      await page.getByRole('link', { name: 'Two-factor' }).filter({ visible: true }).waitFor()
    },
    async 'with the message of a change that was made'({ page }) {
      await pressEscape(page)
      await editDetails(page)
      await page.getByLabel('Company').fill(`Company ${Date.now()}`)
      await button(page, 'Save changes').click()
      await page.getByText('Your details are successfully changed').waitFor()
    },
  },
}

/** The frame before the user is known, and if loading the user fails. */
const unknown: PortalScreen = {
  name: 'the frame alone',
  states: {
    async 'while the account is loading'({ page, origin }) {
      await page.route('**/users/self/rights', () => undefined)
      await page.goto(`${origin}/tfa`)
      await main(page).getByRole('status').waitFor()
      await page.unroute('**/users/self/rights')
    },
    async 'where that could not be loaded'({ page, origin }) {
      await page.route('**/users/self/rights', (route) => route.fulfill(unknownError))
      await page.goto(`${origin}/tfa`)
      await heading(page, "Couldn't load this page")
      await page.unroute('**/users/self/rights')
    },
  },
}

/** A screen whose code failed to load. */
const unreached: PortalScreen = {
  name: 'a screen without its code',
  states: {
    async 'that could not be loaded'({ page, origin }) {
      await page.route('**/assets/*Screen-*.js', (route) => route.abort())
      await page.goto(`${origin}/support`)
      await button(page, 'Try again').waitFor()
      await page.unroute('**/assets/*Screen-*.js')
    },
  },
}

/** Pages embedded in another application have no frame. */
const embedded: PortalScreen = {
  name: '/settings/details',
  states: {
    async 'at rest'({ page, origin }) {
      await page.goto(`${origin}/settings/details`)
      await heading(page, 'Details')
      await whole(page)
    },
  },
}

/** The screens of a signed-in user. */
export const signedInScreens: readonly PortalScreen[] = [
  frame,
  ...settings.map(settingsScreen),
  unknown,
  unreached,
  embedded,
]
