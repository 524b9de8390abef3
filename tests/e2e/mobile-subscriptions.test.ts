import type { MobileSubscription } from '@sightline/contract/mobile-subscriptions'
import type { Account } from '@sightline/contract/reseller-accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { menuEntries, pressOption } from '../popups.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, openUserPage, staffClient } from '../signed-in.ts'

const DEALER = 'dealer@demo.example'
const DISTRIBUTOR = 'distributor@demo.example'

describe.skipIf(chromiumPath === undefined)('mobile subscriptions of an account in the Dealer Dashboard', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let token: string
  let path: string

  const ask = async <T>(request: string, body?: object): Promise<T> => {
    const answer = await callApi<T>(product.origin, token, request, body)
    if (answer.status >= 400) throw new Error(`${request}: ${JSON.stringify(answer)}`)
    return answer.body
  }

  beforeAll(async () => {
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
    token = await fetchToken(product.origin, DISTRIBUTOR, undefined, staffClient)
    const [account] = await ask<Account[]>('GET resellers/255/accounts')
    path = `resellers/255/accounts/${account?.accountId}`
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const open = async (email = DEALER) => {
    const tab = await browser.newPage()
    await openUserPage(tab.page, `${product.origin}/dealer/${path}`, email)
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    return tab
  }
  const list = () => ask<MobileSubscription[]>(`GET ${path}/mobileSubscriptions`)

  test('a dealer adds a SIM card: typing errors and cards in use are named at the field', async () => {
    await using tab = await open()
    const { page } = tab
    await page.getByText('No mobile subscriptions').waitFor()
    await page.getByRole('button', { name: 'Add mobile subscription' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add mobile subscription' })
    const iccid = dialog.getByLabel('ICCID')
    await iccid.fill('8944 5013 1018 0001 322')
    await iccid.blur()
    await dialog.getByText('This ICCID has a typing error. Compare it with the SIM card.').waitFor()
    await iccid.fill('8944 5013 1018 0001 321')
    await dialog.getByLabel('SKU').fill('DATA-1GB')
    await dialog.getByRole('button', { name: 'Add mobile subscription' }).click()
    await page.getByText('Mobile subscription added').waitFor()
    expect(await list()).toMatchObject([{ iccid: '8944501310180001321', sku: 'DATA-1GB', status: 'active' }])
    await page.getByRole('button', { name: 'Add mobile subscription' }).click()
    await iccid.fill('8944501310180001321')
    await dialog.getByLabel('SKU').fill('DATA-1GB')
    await dialog.getByRole('button', { name: 'Add mobile subscription' }).click()
    // Operation 45, code 6.
    await dialog.getByText('This ICCID is already in use.').waitFor()
    expect(tab.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
  })

  test('its plan is changed, it is suspended, ended and removed, and each loss is named first', async () => {
    await using tab = await open()
    const { page } = tab
    const menu = async (entry: string) => {
      await page.getByRole('button', { name: 'Actions for 8944 5013 1018 0001 321' }).click()
      await pressOption(page.getByRole('menuitem', { name: entry }))
    }
    await menu('Change plan')
    const plan = page.getByRole('dialog', { name: 'Change plan' })
    await plan.getByLabel('SKU').fill('DATA-5GB')
    await plan.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Mobile plan changed').waitFor()
    await menu('Suspend')
    await page.getByText('Mobile subscription suspended').waitFor()
    expect(await list()).toMatchObject([{ sku: 'DATA-5GB', status: 'suspended' }])
    await menu('End subscription')
    const ending = page.getByRole('dialog', { name: 'End this mobile subscription?' })
    await ending.getByText('Its SIM card can then be added to another account.').waitFor()
    await ending.getByRole('button', { name: 'End subscription' }).click()
    await page.getByText('Mobile subscription ended').waitFor()
    await page.getByRole('button', { name: 'Actions for 8944 5013 1018 0001 321' }).click()
    expect(await menuEntries(page)).toEqual(['Change plan', 'Activate', 'Remove subscription'])
    await page.keyboard.press('Escape')
    expect(await faultsInEveryLook(page)).toEqual([])
    await menu('Remove subscription')
    const removing = page.getByRole('dialog', { name: 'Remove this mobile subscription?' })
    await removing.getByRole('button', { name: 'Remove subscription' }).click()
    await page.getByText('No mobile subscriptions').waitFor()
    expect(await list()).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a brand without the module has no mobile subscriptions on the page', async () => {
    await ask('PATCH resellers/255/modules', { mobileSubscriptions: false })
    for (const person of [DEALER, DISTRIBUTOR]) {
      await using tab = await open(person)
      await tab.page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
      expect(await tab.page.getByText('Mobile subscriptions').count()).toBe(0)
      expect(tab.complaints).toEqual([])
    }
    await ask('PATCH resellers/255/modules', { mobileSubscriptions: true })
  })
})
