import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { fillSignIn } from '../signed-in.ts'

describe.skipIf(chromiumPath === undefined)('§2 /firstlogout, §4 logged into another app', () => {
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

  const title = "You're signed in to the Dealer Dashboard"
  async function signInAsDealer(page: Page): Promise<void> {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: 'dealer.v1',
      response_type: 'code',
      redirect_uri: `${product.origin}/dealer/`,
      scope: 'read write',
      state: 'test',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    await page.goto(`${product.origin}/oauth/authorize?${query}`)
    await fillSignIn(page, 'dealer@demo.example')
    await page.waitForURL((url) => url.pathname.startsWith('/dealer/'))
  }

  test.each(['/', '/app/'])(
    'a browser signed in to the Dealer Dashboard that opens %s is asked to sign out first',
    async (path) => {
      await using opened = await browser.newPage()
      const { page } = opened
      await signInAsDealer(page)
      await page.goto(product.origin + path)
      await page.getByRole('heading', { name: title }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/firstlogout')
      await page.getByRole('link', { name: 'Sign out, then sign in as an end user' }).click()
      await fillSignIn(page, 'owner@demo.example')
      await page.waitForURL(`${product.origin}/details`)
    },
  )

  test('a browser that is not signed in gets the sign-in page and then its account', async () => {
    await using opened = await browser.newPage()
    const { page } = opened
    await page.goto(`${product.origin}/firstlogout`)
    await page.getByLabel('Email address', { exact: true }).waitFor()
    await fillSignIn(page, 'owner@demo.example')
    await page.waitForURL(`${product.origin}/details`)
    expect(opened.complaints).toEqual([])
  })
})
