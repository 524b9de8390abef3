import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { newDataFolder } from '../data-folders.ts'
import { detail } from '../details-screen.ts'
import { longTest } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, fillSignIn } from '../signed-in.ts'

const EMAIL = 'grace@noord.example'
const PASSWORD = 'Nobody-knows.2026'
// An empty variable counts as unset: without the demonstration there is no demo password.
const environment = { SIGHTLINE_DEMO: 'off', SIGHTLINE_DEMO_PASSWORD: '' }
/** Allows for a machine that is busy with other tests. */
const PATIENCE = { timeout: 30_000 }
const LINK = /http:\/\/\S+\/sign-in\/first-run\?code=[\w-]{43}(?!\S)/g

describe.skipIf(chromiumPath === undefined)('the first start without demonstration', () => {
  let dataFolder: string
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    dataFolder = await newDataFolder()
    product = await startProduct({ dataFolder, environment })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await rm(dataFolder, { recursive: true, force: true })
  })

  /** The output is complete shortly after the product says that it is ready. */
  const printedLinks = async (): Promise<readonly string[]> => {
    await expect.poll(product.output, PATIENCE).toContain('Web App')
    return product.output().match(LINK) ?? []
  }
  const restart = async (changed: Readonly<Record<string, string>> = {}) => {
    const { port } = product
    await product.stop()
    product = await startProduct({ dataFolder, port, environment: { ...environment, ...changed } })
  }

  test('prints a one-time link that creates the owner of an empty account, without script', async () => {
    const [first = ''] = await printedLinks()
    await restart()
    const links = await printedLinks()
    const [link = ''] = links
    expect(links).toHaveLength(1)
    expect(product.output()).toContain('until the setting SIGHTLINE_CAMERA_NETWORKS allows them')
    expect(link).not.toBe(first)
    expect((await fetch(first)).status).toBe(404)

    const scriptless = await browser.browser.newContext({ javaScriptEnabled: false, locale: 'nl-NL' })
    const page = await scriptless.newPage()
    await page.goto(link)
    await page.getByLabel('Bedrijf of dienst').fill('Camera Noord')
    await page.getByLabel('Voornaam').fill('Grace')
    await page.getByLabel('Achternaam').fill('Hopper')
    await page.getByLabel('E-mailadres').fill(EMAIL)
    await page.getByLabel('Wachtwoord', { exact: true }).fill('Password1')
    await page.getByLabel('Wachtwoord bevestigen').fill('Password2')
    await page.getByRole('button', { name: 'Account aanmaken' }).click()
    await page.getByText('Dit wachtwoord komt te vaak voor').waitFor()
    await page.getByText('Wachtwoorden komen niet overeen').waitFor()
    expect(await page.getByLabel('Voornaam').inputValue()).toBe('Grace')
    expect(await page.getByLabel('Wachtwoord', { exact: true }).inputValue()).toBe('')
    await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Wachtwoord bevestigen').fill(PASSWORD)
    await page.getByRole('button', { name: 'Account aanmaken' }).click()
    await page.waitForURL(`${product.origin}/app/`)
    await scriptless.close()

    await using tab = await browser.newPage()
    await tab.page.goto(product.origin)
    await tab.page.getByLabel('Email address', { exact: true }).waitFor()
    await fillSignIn(tab.page, EMAIL, PASSWORD)
    await expect.poll(() => detail(tab.page, 'Voornaam').textContent(), PATIENCE).toBe('Grace')
    expect(await detail(tab.page, 'Bedrijf').textContent()).toBe('Camera Noord')
    await tab.page.goto(`${product.origin}/app/`)
    await tab.page.getByText("Nog geen camera's").waitFor()
    await tab.page.getByText('Voeg uw eerste camera toe').waitFor()
    expect(tab.complaints).toEqual([])

    const token = await fetchToken(product.origin, EMAIL, PASSWORD)
    const cameras = await callApi<readonly unknown[]>(product.origin, token, 'GET cameras')
    expect(cameras).toMatchObject({ status: 200, body: [] })

    expect((await fetch(link)).status).toBe(404)
    expect(product.output()).toContain('/sign-in/first-run')
    expect(product.output().match(LINK)).toHaveLength(1)
  })

  longTest('later starts print no link and never turn into the demonstration', async () => {
    await restart()
    expect(await printedLinks()).toEqual([])
    await restart({ SIGHTLINE_DEMO: 'on' })
    expect(await printedLinks()).toEqual([])
    expect(product.output()).not.toContain('Demo users')
    await fetchToken(product.origin, EMAIL, PASSWORD)
  })
})
