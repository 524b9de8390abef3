import { type SmtpReceiver, startSmtpReceiver } from '@sightline/platform/mail/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, openSignedIn, staffClient } from '../signed-in.ts'

describe.skipIf(chromiumPath === undefined)('the jobs page in Chromium', () => {
  let receiver: SmtpReceiver
  let product: RunningProduct
  let browser: TestBrowser
  let admin: string
  beforeAll(async () => {
    receiver = await startSmtpReceiver()
    const smtp = `smtp://127.0.0.1:${receiver.port}`
    const environment = { SIGHTLINE_SMTP_URL: smtp, SIGHTLINE_MAIL_FROM: 'no-reply@video.example' }
    product = await startProduct({ environment, cameras: false })
    browser = await openBrowser()
    admin = await fetchToken(product.origin, 'admin@demo.example', undefined, staffClient)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  /** Sends an email that the mail server rejects permanently. */
  const inviteRefused = async (name: string) => {
    receiver.answer('RCPT', '550 no such mailbox')
    const person = { email: `${name}@video.example`, firstName: 'Nina', lastName: 'New' }
    const { status } = await callApi(product.origin, admin, 'POST provider/users', person)
    expect(status).toBe(201)
  }
  const invitations = () => receiver.mails.filter(({ to }) => /^n(in|or)a@/.test(String(to))).length
  const failed = async () => (await callApi<object[]>(product.origin, admin, 'GET jobs?state=failed')).body.length

  test('an administrator sees failed jobs, retries one, and discards one after reading what is lost', async () => {
    await inviteRefused('nina')
    await inviteRefused('nora')
    await expect.poll(failed, { timeout: 30_000 }).toBe(2)
    // The sign-in's own email is to be delivered.
    receiver.answer('RCPT', undefined)
    await using tab = await browser.newPage()
    const { page } = tab
    await openSignedIn(page, `${product.origin}/dealer/jobs`, 'admin@demo.example')
    await page.getByText("2 failed jobs won't be retried automatically").waitFor()
    await page.getByRole('button', { name: 'Status' }).first().click()
    await page.getByRole('menuitemradio', { name: 'Failed (2)' }).click()
    await page.waitForURL(/\/dealer\/jobs\?state=failed$/)
    const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row').filter({ hasText: 'Send email' })
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.first().textContent()).toContain('550')
    expect(await faultsInEveryLook(page)).toEqual([])

    await rows.first().getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Retry now' }).click()
    await page.getByText('The job will run now').waitFor()
    await expect.poll(invitations, { timeout: 30_000 }).toBe(1)
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(1)

    await rows.first().getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Discard' }).click()
    const dialog = page.getByRole('dialog', { name: 'Discard this job?' })
    await dialog.getByText("The email won't be sent.").waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await failed()).toBe(1)
    await rows.first().getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Discard' }).click()
    await dialog.getByRole('button', { name: 'Discard job' }).click()
    await page.getByText('Job discarded').waitFor()
    await page.getByText('No results match your search and filters').waitFor()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText('No jobs right now').waitFor()
    expect(await failed()).toBe(0)
    expect(invitations()).toBe(1)
    expect(tab.complaints).toEqual([])
  })

  test('staff of a reseller or distributor have no access to the jobs page', async () => {
    for (const email of ['dealer@demo.example', 'distributor@demo.example']) {
      await using tab = await browser.newPage()
      await openSignedIn(tab.page, `${product.origin}/dealer/jobs`, email)
      await tab.page.getByText("You don't have access to this page").waitFor()
      expect(await tab.page.getByRole('link', { name: 'Jobs' }).count()).toBe(0)
    }
  })
})
