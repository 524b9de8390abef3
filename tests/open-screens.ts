import { button, heading, type PortalScreen, unknownError } from './portal-screens.ts'
import { fillSignIn } from './signed-in.ts'

/** A page that needs no sign-in, found by its title. */
const openPage = (path: string, title: string, more: PortalScreen['states'] = {}): PortalScreen => ({
  name: path,
  states: {
    async 'at rest'({ page, origin }) {
      await page.goto(`${origin}${path}`)
      await heading(page, title)
    },
    ...more,
  },
})

const cookies = openPage('/cookies', 'Cookies', {
  async 'with the languages open'({ page }) {
    await page.getByRole('region', { name: 'Cookies' }).waitFor()
    await button(page, 'Language').click()
    await page.getByRole('menuitemradio', { name: 'English' }).waitFor()
  },
})

const terms = openPage('/terms', 'General terms', {
  async 'that could not be loaded'({ page }) {
    await page.route('**/legal-texts/**', (route) => route.fulfill(unknownError))
    await page.reload()
    await button(page, 'Try again').waitFor()
    await page.unroute('**/legal-texts/**')
  },
})

const firstLogout: PortalScreen = {
  name: '/firstlogout',
  states: {
    async 'at rest'({ page, origin }) {
      await page.route('**/auth/session', (route) => route.fulfill({ json: { otherApp: 'dealer.v1' } }))
      await page.goto(`${origin}/firstlogout`)
      await heading(page, "You're signed in to the Dealer Dashboard")
      await page.unroute('**/auth/session')
    },
    async 'that could not be loaded'({ page, origin }) {
      await page.route('**/auth/session', (route) => route.fulfill(unknownError))
      await page.goto(`${origin}/firstlogout`)
      await button(page, 'Try again').waitFor()
      await page.unroute('**/auth/session')
    },
  },
}

const signIn: PortalScreen = {
  name: 'sign-in',
  states: {
    async 'at rest'({ page, origin }) {
      await page.goto(`${origin}/`)
      await page.getByLabel('Email address', { exact: true }).waitFor()
    },
    async 'after a wrong password'({ page }) {
      await fillSignIn(page, 'nobody@demo.example', 'wrong')
      await page.getByRole('alert').waitFor()
    },
  },
}

const secondStep: PortalScreen = {
  name: 'the second step of signing in',
  states: {
    async 'at rest'({ page, guarded }) {
      await fillSignIn(page, guarded)
      await page.getByLabel('Authentication code', { exact: true }).waitFor()
    },
    async 'after a wrong code'({ page }) {
      await page.getByLabel('Authentication code', { exact: true }).fill('000000')
      await button(page, 'Sign in').click()
      await page.getByRole('alert').waitFor()
    },
    async 'with a recovery code'({ page }) {
      await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
      await page.getByLabel('Recovery code').waitFor()
    },
  },
}

const forgotten: PortalScreen = {
  name: 'the forgotten password',
  states: {
    async 'at rest'({ page, origin }) {
      await page.goto(`${origin}/sign-in/forgot`)
      await button(page, 'Send link').waitFor()
    },
    async 'after a wrong address'({ page }) {
      await page.getByLabel('Email address').fill('nobody')
      await button(page, 'Send link').click()
      await page.getByText('Please enter a valid email address').waitFor()
    },
    async 'after a right one'({ page }) {
      await page.getByLabel('Email address').fill('somebody-with-quite-a-long-name@video.example')
      await button(page, 'Send link').click()
      await heading(page, 'Check your email')
    },
    async 'with a link that is too old'({ page, origin }) {
      await page.goto(`${origin}/sign-in/password/${'A'.repeat(43)}`)
      await heading(page, "That didn't work")
    },
  },
}

/** Pages that need no sign-in, and the sign-in pages. */
export const openScreens: readonly PortalScreen[] = [
  cookies,
  terms,
  openPage('/subscriptionagreement', 'Services subscription agreement'),
  openPage('/aditerms', 'Third-party terms and privacy'),
  openPage('/logout', 'You are now logged out'),
  firstLogout,
  signIn,
  secondStep,
  forgotten,
]
