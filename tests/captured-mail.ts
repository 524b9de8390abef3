import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RunningProduct } from './running-product.ts'

/** A row in the list of captured emails. */
interface Wanted {
  readonly to: string
  /** Any part of the subject. */
  readonly subject?: string
}

/** A product that captures emails, and its output. */
export type MailPages = Pick<RunningProduct, 'origin' | 'output'>

/** The newest printed link that admits one browser. */
const mailLink = ({ output }: MailPages): string =>
  output()
    .match(/\/mail\/\?key=\S+/g)
    ?.at(-1) ?? '/mail/'

/** Admits the browser to the pages of captured emails, once. */
export async function admitBrowser(page: Page, product: MailPages): Promise<void> {
  const context = page.context()
  const isLetIn = (await context.cookies()).some(({ name }) => name === 'sightline_mail')
  if (!isLetIn) expect((await context.request.get(`${product.origin}${mailLink(product)}`)).status()).toBe(200)
}

/** Opens the newest matching captured email, as soon as there is one. */
export async function openMail(page: Page, product: MailPages, { to, subject = '' }: Wanted): Promise<void> {
  await admitBrowser(page, product)
  const mail = page.getByRole('link').filter({ hasText: to }).filter({ hasText: subject })
  await expect
    .poll(
      async () => {
        await page.goto(`${product.origin}/mail/`)
        return mail.count()
      },
      { timeout: 30_000, interval: 250 },
    )
    .toBeGreaterThan(0)
  await mail.first().click()
}

/** Opens a captured email and follows its first button. */
export async function followMail(page: Page, product: MailPages, wanted: Wanted): Promise<Page> {
  await openMail(page, product, wanted)
  const button = page.frameLocator('iframe').getByRole('link').first()
  const [opened] = await Promise.all([page.context().waitForEvent('page'), button.click()])
  await opened.waitForLoadState()
  return opened
}
