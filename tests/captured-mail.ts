import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RunningProduct } from './running-product.ts'

/** A row in the list of captured emails. */
interface Wanted {
  readonly to: string
  /** The beginning of it or any other part. */
  readonly subject?: string
}

/** Where mails are kept, and what it printed. */
export type MailPages = Pick<RunningProduct, 'origin' | 'output'>

/** The newest printed link that lets one browser in. */
const mailLink = ({ output }: MailPages): string =>
  output()
    .match(/\/mail\/\?key=\S+/g)
    ?.at(-1) ?? '/mail/'

/** Lets that browser into the pages of captured emails, once. */
export async function admitBrowser(page: Page, product: MailPages): Promise<void> {
  const context = page.context()
  const isLetIn = (await context.cookies()).some(({ name }) => name === 'sightline_mail')
  if (!isLetIn) expect((await context.request.get(`${product.origin}${mailLink(product)}`)).status()).toBe(200)
}

/** Opens the newest captured email of that kind, as soon as there is one. */
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

/** From the list of captured emails to the page behind the first button of that one. */
export async function followMail(page: Page, product: MailPages, wanted: Wanted): Promise<Page> {
  await openMail(page, product, wanted)
  const button = page.frameLocator('iframe').getByRole('link').first()
  const [opened] = await Promise.all([page.context().waitForEvent('page'), button.click()])
  await opened.waitForLoadState()
  return opened
}
