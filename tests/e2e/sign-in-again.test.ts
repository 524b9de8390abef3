import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { detail, editDetails } from '../details-screen.ts'
import { longTest } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fillSignIn, openSignedIn } from '../signed-in.ts'

const TOKEN_COOKIE = 'account.v2.token'
const SIGN_IN_COOKIE = 'sightline.sign-in'
const EMAIL = 'other@demo.example'

describe.skipIf(chromiumPath === undefined)('a token that expires while a user is typing, in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const tokenIn = async (page: Page): Promise<string> => {
    const cookies = await page.context().cookies()
    return decodeURIComponent(cookies.find(({ name }) => name === TOKEN_COOKIE)?.value ?? '').split('~')[0] ?? ''
  }
  /** Revokes the token on the server; the page does not know. */
  const endToken = async (page: Page) => {
    const { status } = await callApi(product.origin, await tokenIn(page), 'DELETE users/self/tokens/current')
    expect(status).toBe(204)
  }
  const openDetails = async (page: Page, typed: string) => {
    await openSignedIn(page, product.origin, EMAIL)
    await editDetails(page)
    await page.getByLabel('First name').fill(typed)
  }
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes', exact: true }).click()
  const saved = (page: Page) => page.getByText('Your details are successfully changed').waitFor()
  const nameAtServer = async (page: Page) =>
    (await callApi<{ firstName: string }>(product.origin, await tokenIn(page), 'GET users/self')).body.firstName

  test('is replaced silently while the sign-in is valid, and the changes are saved without a page load', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openDetails(page, 'Olive')
    const dead = await tokenIn(page)
    await endToken(page)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await save(page)
    await saved(page)
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    expect(await tokenIn(page)).not.toBe(dead)
    expect(await nameAtServer(page)).toBe('Olive')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('asks the same user to sign in again in another window if the sign-in has ended too, then saves', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openDetails(page, 'Opal')
    await endToken(page)
    await tab.context.clearCookies({ name: SIGN_IN_COOKIE })
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    const signInBeside = async (email: string) => {
      const opened = page.waitForEvent('popup')
      await dialog.getByRole('link', { name: 'Sign in' }).click()
      const beside = await opened
      const closed = beside.waitForEvent('close')
      await fillSignIn(beside, email)
      await closed
    }
    await signInBeside('guard@demo.example')
    await dialog.getByText(`You signed in as guard@demo.example. Sign in as ${EMAIL}`).waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Opal')
    await signInBeside(EMAIL)
    await saved(page)
    await dialog.waitFor({ state: 'detached' })
    expect(await nameAtServer(page)).toBe('Opal')
  })

  longTest('leads to sign-in after the user discards their changes', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openDetails(page, 'Otto')
    await endToken(page)
    await tab.context.clearCookies({ name: SIGN_IN_COOKIE })
    await save(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
    await page.getByLabel('Email address', { exact: true }).waitFor()
    await fillSignIn(page, EMAIL)
    await page.getByText('First name', { exact: true }).waitFor()
    expect(await detail(page, 'First name').textContent()).not.toBe('Otto')
  })

  test('leads to sign-in immediately if there are no changes to lose', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openSignedIn(page, product.origin, EMAIL)
    await page.getByText('First name', { exact: true }).waitFor()
    await endToken(page)
    await tab.context.clearCookies({ name: SIGN_IN_COOKIE })
    await page.getByRole('link', { name: 'Sign-ins' }).first().click()
    await page.getByLabel('Email address', { exact: true }).waitFor()
  })
})
