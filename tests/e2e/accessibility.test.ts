import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeCode, presentStep } from '../authenticator-app.ts'
import { chromiumPath, type TestPage } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { casesToTry, looksToTry } from '../long-run.ts'
import { openScreens } from '../open-screens.ts'
import { type PortalBrowser, type PortalScreen, signedInScreens } from '../portal-screens.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

interface Brand {
  readonly name: string
  /** The machine's own address shows the provider's brand. */
  readonly host: string
  readonly owner: string
  readonly guarded: string
  readonly asksForAgreement: boolean
  readonly width: number
}

const brands: readonly Brand[] = [
  { name: 'Sightline', host: '127.0.0.1', ...shop(), width: 360 },
  { name: 'Harbour Guard', host: 'demo.localhost', ...shop(), width: 1280 },
  { name: 'Beacon Hill', host: 'beacon-hill.localhost', ...hotel(), width: 768 },
]

function shop() {
  return { owner: 'owner@demo.example', guarded: 'petra@demo.example', asksForAgreement: false }
}
function hotel() {
  return { owner: 'hotel@demo.example', guarded: 'piet@demo.example', asksForAgreement: true }
}

let app: RunningWebApp
beforeAll(async () => {
  if (chromiumPath === undefined) return
  app = await startWebApp()
  for (const people of [shop(), hotel()]) await prepare(people)
})
afterAll(() => app?.[Symbol.asyncDispose]())

/** A user invited by the owner, who has not accepted the agreement yet. */
const NEWCOMER = 'nina@demo.example'

type People = Pick<Brand, 'owner' | 'guarded' | 'asksForAgreement'>

/** A user with a second factor, a new user of the brand that asks for the agreement, and an account open to support. */
async function prepare({ owner, guarded, asksForAgreement }: People): Promise<void> {
  const { origin } = app.product
  const ask = async (token: string, request: string, body?: unknown) => {
    const reply = await callApi<{ secret?: string; version?: string }>(origin, token, request, body)
    if (reply.status >= 400) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const token = await fetchToken(origin, owner)
  if (asksForAgreement) {
    const { version } = await ask(token, 'GET users/self/agreement')
    const accepted = { version, isAdult: true, isInUsOrCanada: true, watchesNoChildren: true }
    await ask(token, 'POST users/self/agreement', accepted)
  }
  const named = { firstName: 'Petra', lastName: 'Person', password: DEMO_PASSWORD }
  for (const email of asksForAgreement ? [guarded, NEWCOMER] : [guarded])
    await ask(token, 'POST users', { ...named, email })
  await ask(token, 'PATCH users/self/status', { allowsHelpdeskExpirationDate: '9999-12-31T23:59:59Z' })
  const own = await fetchToken(origin, guarded)
  const { secret = '' } = await ask(own, 'GET users/self/mfa')
  await ask(own, 'PATCH users/self/mfa', { enabled: true, code: computeCode(secret, presentStep()) })
}

async function flagsOf(email: string): Promise<object> {
  const { origin } = app.product
  return (await callApi<object>(origin, await fetchToken(origin, email), 'GET users/self/featureFlags')).body
}

describe.skipIf(chromiumPath === undefined).each(looksToTry(brands))('$name at $width pixels', (brand) => {
  let tab: TestPage
  let visit: PortalBrowser
  const origin = () => `http://${brand.host}:${app.product.port}`
  const eachState = async ({ states }: PortalScreen) => {
    const faults: Record<string, readonly string[]> = {}
    for (const [name, reach] of casesToTry(Object.entries(states))) {
      await reach(visit)
      const found = await faultsInEveryLook(visit.page)
      if (found.length > 0) faults[name] = found
    }
    return faults
  }
  const newVisit = async () => {
    await tab?.[Symbol.asyncDispose]()
    tab = await app.newPage({ width: brand.width })
    visit = { page: tab.page, origin: origin(), guarded: brand.guarded }
  }
  afterAll(() => tab?.[Symbol.asyncDispose]())

  describe('signed in', () => {
    beforeAll(async () => {
      await newVisit()
      const { page } = visit
      // The dealer sets the flag that lets an account manage its subscription.
      const flags = await flagsOf(brand.owner)
      await page.route('**/users/self/featureFlags', (route) =>
        route.fulfill({ json: { ...flags, userSelfServiceManagement: true } }),
      )
      await openUserPage(page, `${origin()}/`, brand.owner)
      await page.getByRole('main').waitFor()
    })

    test.runIf(brand.asksForAgreement)('axe finds nothing in the agreement dialog', async () => {
      await using newcomer = await app.newPage({ width: brand.width })
      const { page } = newcomer
      await openUserPage(page, `${origin()}/`, NEWCOMER)
      const dialog = page.getByRole('dialog', { name: 'Before you continue' })
      await dialog.waitFor()
      expect(await faultsInEveryLook(page)).toEqual([])
      await dialog.getByRole('checkbox').first().waitFor()
      for (const each of await dialog.getByRole('checkbox').all()) await each.check()
      await dialog.getByRole('button', { name: 'Accept' }).click()
      await dialog.waitFor({ state: 'hidden' })
    })

    test.each(signedInScreens)('$name: axe finds nothing', async (screen) => {
      expect(await eachState(screen)).toEqual({})
    })
  })

  describe('not signed in', () => {
    beforeAll(newVisit)

    test.each(openScreens)('$name: axe finds nothing', async (screen) => {
      expect(await eachState(screen)).toEqual({})
    })
  })
})
