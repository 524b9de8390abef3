import type { ApiKey } from '@sightline/contract/api-keys'
import type { BrandHost } from '@sightline/contract/brand-hosts'
import type { Insights } from '@sightline/contract/insights'
import type { Account } from '@sightline/contract/reseller-accounts'
import type { Reseller } from '@sightline/contract/resellers'
import type { AccountSubscription, SubscriptionPackage } from '@sightline/contract/subscriptions'
import type { BrandTheme } from '@sightline/contract/theme'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption, menuEntries } from '../popups.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fetchToken, openUserPage, staffClient } from '../signed-in.ts'

const DISTRIBUTOR = 'distributor@demo.example'
const DEALER = 'dealer@demo.example'

describe.skipIf(chromiumPath === undefined)('screens of the Dealer Dashboard', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let token: string
  let shop: Account
  let other: Reseller

  const ask = async <T>(request: string, body?: object): Promise<T> => {
    const answer = await callApi<T>(product.origin, token, request, body)
    if (answer.status >= 400) throw new Error(`${request}: ${JSON.stringify(answer)}`)
    return answer.body
  }

  beforeAll(async () => {
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
    token = await fetchToken(product.origin, DISTRIBUTOR, undefined, staffClient)
    const resellers = await ask<Reseller[]>('GET distributors/self/resellers')
    for (const { resellerId } of resellers) {
      const accounts = await ask<Account[]>(`GET resellers/${resellerId}/accounts`)
      const found = accounts.find(({ name }) => name === 'Corner Shop')
      if (found !== undefined) shop = found
    }
    const another = resellers.find(({ resellerId }) => resellerId !== shop.resellerId)
    if (another === undefined) throw new Error('the demonstration has one reseller only')
    other = another
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const open = async (path: string, email = DISTRIBUTOR) => {
    const tab = await browser.newPage()
    await openUserPage(tab.page, `${product.origin}/dealer/resellers/${shop.resellerId}/${path}`, email)
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    return tab
  }
  const card = (page: Page, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

  test('the audit log of a reseller says actions in words, with details, and keeps its filters in the address', async () => {
    await using tab = await open('audit-log', DEALER)
    const { page } = tab
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: /\d/ })
    await rows.first().waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    const actions = page.getByRole('dialog', { name: 'Actions' })
    await actions.getByRole('checkbox', { name: 'Signed in' }).check()
    await page.keyboard.press('Escape')
    await expect.poll(() => rows.filter({ hasNotText: 'Signed in' }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('actions')).toBe('login')
    await page.reload()
    const line = rows.filter({ hasText: 'Daan Dealer' }).first()
    await line.getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Signed in' })
    await dialog.getByText('Daan Dealer').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a missing account, staff member, reseller or distributor is “not found”, with a way back to its list', async () => {
    await using tab = await open('accounts', 'admin@demo.example')
    const { page } = tab
    const reseller = `resellers/${shop.resellerId}`
    const missing: readonly (readonly [path: string, what: string, list: string])[] = [
      [`${reseller}/accounts/987654`, 'Account', 'All accounts'],
      [`${reseller}/accounts/none`, 'Account', 'All accounts'],
      [`${reseller}/staff/987654`, 'Staff member', 'All staff'],
      ['resellers/987654/accounts', 'Reseller', 'All distributors'],
      ['distributors/987654/resellers', 'Distributor', 'All distributors'],
    ]
    for (const [path, what, list] of missing) {
      await page.goto(`${product.origin}/dealer/${path}`)
      await page.getByRole('heading', { level: 1, name: `${what} not found, or you don't have access to` }).waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      await page.getByRole('link', { name: list }).click()
      await page.getByRole('heading', { level: 1, name: list.replace('All ', ''), exact: false }).waitFor()
    }
  })

  test('reseller staff change their brand and first see a preview and the contrast', async () => {
    await using tab = await open('brand', DEALER)
    const { page } = tab
    const look = card(page, 'Logo and colors')
    await look.getByLabel('Primary color', { exact: true }).fill('#ffee00')
    // Yellow on white is too pale for text.
    await look
      .getByRole('row', { name: /^Links/ })
      .getByText('shown as')
      .waitFor()
    const preview = look.getByRole('img', { name: 'Preview in light mode' })
    expect(await preview.evaluate((one) => getComputedStyle(one).getPropertyValue('--tone-primary'))).toBe('#ffee00')
    await look.getByLabel('Company name').fill('Corner Vision')
    await look.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Brand saved. Customers see it within seconds.').waitFor()
    const theme = await ask<BrandTheme>(`GET resellers/${shop.resellerId}/theme`)
    expect(theme).toMatchObject({ companyName: 'Corner Vision', colors: { primary: '#ffee00' } })
    await page.getByText('Ask your distributor to add or remove one.').waitFor()
    expect(await page.getByRole('button', { name: 'Add domain' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('a distributor adds a domain, and removes it after reading what stops working', async () => {
    await using tab = await open('brand')
    const { page } = tab
    await page.getByRole('button', { name: 'Add domain' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add domain' })
    const field = dialog.getByLabel('Domain')
    await field.fill('not a domain')
    await field.blur()
    await dialog.getByText('Enter a domain name, such as video.example.com').waitFor()
    await field.fill('https://Cams.Corner.example/app')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('cams.corner.example was added').waitFor()
    const hosts = async () => (await ask<BrandHost[]>(`GET resellers/${shop.resellerId}/hosts`)).map(({ host }) => host)
    expect(await hosts()).toContain('cams.corner.example')
    await page.getByRole('button', { name: 'Remove cams.corner.example' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove cams.corner.example?' })
    await asked.getByText(/Passkeys created at this domain stop working/).waitFor()
    await asked.getByRole('button', { name: 'Remove domain' }).click()
    await page.getByText('cams.corner.example was removed').waitFor()
    expect(await hosts()).not.toContain('cams.corner.example')
    expect(tab.complaints).toEqual([])
  })

  longTest(
    'a logo file is converted to a picture that the server accepts, and a domain in use is refused',
    async () => {
      await using tab = await open('brand')
      const { page } = tab
      const look = card(page, 'Logo and colors')
      const picture = await page.evaluate(() => {
        const canvas = document.createElement('canvas')
        canvas.width = 1600
        canvas.height = 400
        const context = canvas.getContext('2d')
        context?.fillRect(0, 0, 800, 400)
        return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
      })
      const file = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(picture, 'base64') }
      await look.getByLabel('Logo', { exact: true }).setInputFiles(file)
      await look.getByLabel('Logo for dark mode', { exact: true }).setInputFiles({ ...file, mimeType: 'text/plain' })
      await look.getByText('Choose a PNG or JPEG file').waitFor()
      await look.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Brand saved. Customers see it within seconds.').waitFor()
      const theme = await ask<BrandTheme>(`GET resellers/${shop.resellerId}/theme`)
      expect(theme).toMatchObject({ logoWidth: 128, logoHeight: 32 })
      expect(theme.logo).toMatch(/^data:image\/png;base64,/)
      await callApi(product.origin, token, `POST resellers/${other.resellerId}/hosts`, { host: 'taken.corner.example' })
      await page.getByRole('button', { name: 'Add domain' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add domain' })
      await dialog.getByLabel('Domain').fill('taken.corner.example')
      await dialog.getByRole('button', { name: 'Add domain' }).click()
      await dialog.getByText(/This domain is already in use/).waitFor()
    },
  )

  longTest('a brand’s links and options are saved, and an invalid address is refused', async () => {
    await using tab = await open('brand')
    const { page } = tab
    const links = card(page, 'Links')
    await links.getByLabel('Terms').fill('javascript:alert(1)')
    await links.getByLabel('Terms').blur()
    await links.getByText('Enter an address that starts with https:// or with /').waitFor()
    await links.getByLabel('Terms').fill('https://corner.example/terms')
    await links.getByLabel('Cookie policy').fill('')
    await links.getByLabel('App for Android').fill('https://corner.example/app.apk')
    await links.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Links saved').waitFor()
    await page.getByRole('switch', { name: 'Show the Dealer Dashboard' }).click()
    const theme = () => ask<BrandTheme>(`GET resellers/${shop.resellerId}/theme`)
    await expect.poll(async () => (await theme()).links.showdealerdashboard).toBe(true)
    expect((await theme()).links).toMatchObject({
      terms: 'https://corner.example/terms',
      androidApp: 'https://corner.example/app.apk',
    })
    expect((await theme()).links).not.toHaveProperty('cookies')
  })

  test('a distributor adds a package and retires it after reading what that means', async () => {
    await using tab = await open('packages')
    const { page } = tab
    await page.getByRole('button', { name: 'Add package' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add package' })
    await dialog.getByLabel('Name', { exact: true }).fill('HD 30')
    await dialog.getByLabel('Package number').fill('4711')
    await dialog.getByLabel('Days of recording').fill('30')
    await dialog.getByRole('button', { name: 'Add package' }).click()
    await page.getByText('Package HD 30 saved').waitFor()
    const found = async () =>
      (await ask<SubscriptionPackage[]>(`GET resellers/${shop.resellerId}/subscriptionPackages`)).find(
        ({ subscriptionPackageId }) => subscriptionPackageId === 4711,
      )
    expect(await found()).toMatchObject({ name: 'HD 30', retention: 720, maxAmountOfCameras: 10, available: true })
    await page.getByRole('button', { name: 'Actions for HD 30' }).click()
    await page.getByRole('menuitem', { name: 'Retire' }).click()
    const asked = page.getByRole('dialog', { name: 'Retire HD 30?' })
    await asked.getByText(/Accounts that have it keep it/).waitFor()
    await asked.getByRole('button', { name: 'Retire package' }).click()
    await page.getByText('HD 30 was retired').waitFor()
    expect(await found()).toMatchObject({ available: false, valid: false, retention: 720 })
    expect(tab.complaints).toEqual([])
  })

  test('insights show the API’s figures in tables and charts', async () => {
    await using tab = await open('insights', DEALER)
    const { page } = tab
    const { accounts, cameras } = await ask<Insights>(`GET resellers/${shop.resellerId}/insights?period=year`)
    const rows = async (title: string) => {
      const texts = await page.getByRole('table', { name: title }).getByRole('row').allTextContents()
      return texts.slice(1)
    }
    await page.locator('canvas').nth(2).waitFor()
    expect(await rows('Accounts by status')).toEqual([
      `Active${accounts.active}`,
      `Inactive${accounts.inactive}`,
      `Suspended${accounts.suspended}`,
    ])
    expect(await rows('Cameras by connection')).toEqual([`Online${cameras.online}`, `Offline${cameras.offline}`])
    expect((await rows('New and lost accounts')).at(-1)).toBe(`365 days${accounts.new}${accounts.lost}`)
    expect(tab.complaints).toEqual([])
  })

  longTest('a dealer creates a report for last month and downloads it', async () => {
    await using tab = await open('reports', DEALER)
    const { page } = tab
    await page.getByText('No reports yet').waitFor()
    await page.getByRole('button', { name: 'New report' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New report' })
    await chooseOption(dialog.getByLabel('Format'), 'csv')
    await dialog.getByRole('button', { name: 'Create report' }).click()
    await page.getByText('Report created').waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download CSV/ }).click()
    expect((await file).suggestedFilename()).toMatch(/^billing-.*\.csv$/)
    expect(tab.complaints).toEqual([])
  })

  test('a dealer creates an API key and sees its secret once; a distributor can only delete it', async () => {
    await using tab = await open('api-keys', DEALER)
    const { page } = tab
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name', { exact: true }).fill('billing1')
    await chooseOption(dialog.getByLabel('Permissions'), 'provisioning')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Secret for billing1' }).waitFor()
    await page.getByRole('button', { name: "I've saved it" }).click()
    const [key] = await ask<ApiKey[]>(`GET resellers/${shop.resellerId}/apiKeys`)
    expect(key).toMatchObject({ name: 'billing1', provisioning: true, actsAs: { name: 'Daan Dealer' } })
    expect(tab.complaints).toEqual([])
    await using above = await open('api-keys')
    await above.page.getByRole('button', { name: 'Actions for billing1' }).click()
    expect(await menuEntries(above.page)).toEqual(['Delete'])
    expect(await above.page.getByRole('button', { name: 'Create API key' }).count()).toBe(0)
  })

  test('a distributor moves an account to another reseller, with its Zoho ID', async () => {
    const target = await ask<Reseller>('POST distributors/self/resellers', { name: 'Moving Target' })
    const current = await ask<AccountSubscription>(
      `GET resellers/${shop.resellerId}/accounts/${shop.accountId}/subscriptions/current`,
    )
    // The target reseller needs the account's current and next packages.
    const needed = [current.subscriptionPackageId, current.nextSubscriptionPackageId]
    const packages = await ask<SubscriptionPackage[]>(`GET resellers/${shop.resellerId}/subscriptionPackages`)
    for (const { subscriptionId, subscriptionPackageId, ...body } of packages) {
      if (!needed.includes(subscriptionId)) continue
      await ask(`PUT resellers/${target.resellerId}/subscriptionPackages/${subscriptionPackageId}`, body)
    }
    await using tab = await open(`accounts/${shop.accountId}`)
    const { page } = tab
    await page.getByLabel('Zoho ID').fill('ZO-42')
    await card(page, 'Zoho').getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Zoho ID saved').waitFor()
    await page.getByRole('button', { name: 'Move account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move Corner Shop' })
    await dialog.getByText(/Staff of the current reseller lose access/).waitFor()
    await dialog.getByLabel('New reseller').click()
    await page.getByRole('option', { name: target.name }).click()
    await dialog.getByRole('button', { name: 'Move account' }).click()
    await page.getByText(`Corner Shop moved to ${target.name}`).waitFor()
    await page.waitForURL(`**/dealer/resellers/${target.resellerId}/accounts/${shop.accountId}`)
    const moved = await ask<Account>(`GET resellers/${target.resellerId}/accounts/${shop.accountId}`)
    expect(moved).toMatchObject({ name: 'Corner Shop', zohoId: 'ZO-42' })
    await ask(`PUT resellers/${target.resellerId}/accounts/${shop.accountId}/reseller`, { resellerId: shop.resellerId })
    expect(tab.complaints).toEqual([])
  })

  longTest('a reseller without accounts can be deleted; one with accounts says why not', async () => {
    const { resellerId, distributorId } = await ask<Reseller>('POST distributors/self/resellers', {
      name: 'Short Lived',
    })
    await using tab = await open('settings')
    const { page } = tab
    await page.getByText(/Move or delete them first/).waitFor()
    await page.goto(`${product.origin}/dealer/resellers/${resellerId}/settings`)
    await page.getByRole('button', { name: 'Delete reseller' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete reseller Short Lived?' })
    await asked.getByText(/You can't undo this/).waitFor()
    await asked.getByRole('button', { name: 'Delete reseller' }).click()
    await page.getByText('Reseller Short Lived was deleted').waitFor()
    await page.waitForURL(`**/dealer/distributors/${distributorId}/resellers`)
    expect((await callApi(product.origin, token, `GET resellers/${resellerId}`)).status).toBe(404)
  })

  longTest('support cannot open any of these screens, not even by URL', async () => {
    await using tab = await open('accounts', 'support@demo.example')
    for (const path of ['insights', 'brand']) {
      await tab.page.goto(`${product.origin}/dealer/resellers/${shop.resellerId}/${path}`)
      await tab.page.getByText("You don't have access to this page").waitFor()
    }
    await tab.page.goto(`${product.origin}/dealer/resellers/${shop.resellerId}/packages`)
    await tab.page.getByRole('table', { name: 'Packages' }).waitFor()
    expect(await tab.page.getByRole('button', { name: 'Add package' }).count()).toBe(0)
    await tab.page.goto(`${product.origin}/dealer/resellers/${shop.resellerId}/accounts/${shop.accountId}`)
    await tab.page.getByRole('heading', { level: 1, name: 'Corner Shop' }).waitFor()
    for (const name of ['Move account', 'Delete account']) {
      expect(await tab.page.getByRole('button', { name }).count()).toBe(0)
    }
  })

  test.each(inLongRun([{ width: 360 }, { width: 768 }, { width: 1440 }]))(
    'at $width px no screen overflows and axe finds nothing, in every color scheme and direction',
    async ({ width }) => {
      await using tab = await browser.newPage({ width })
      const { page } = tab
      await openUserPage(page, `${product.origin}/dealer/`, DISTRIBUTOR)
      for (const path of [
        'insights',
        'reports',
        'api-keys',
        'packages',
        'brand',
        'settings',
        `accounts/${shop.accountId}`,
      ]) {
        await page.goto(`${product.origin}/dealer/resellers/${shop.resellerId}/${path}`)
        await page.getByRole('heading', { level: 2 }).or(page.getByRole('table')).first().waitFor()
        await page.waitForLoadState('networkidle')
        expect({ path, wider: await overflow(page) }).toEqual({ path, wider: 0 })
        expect({ path, faults: await faultsInEveryLook(page) }).toEqual({ path, faults: [] })
      }
      expect(tab.complaints).toEqual([])
    },
  )
})
