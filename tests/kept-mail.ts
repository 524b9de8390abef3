import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What the list of kept mails shows of one. */
interface Wanted {
  readonly to: string
  /** The beginning of it or any other part. */
  readonly subject?: string
}

/** Opens the newest kept mail of that kind, as soon as there is one. */
export async function openMail(page: Page, origin: string, { to, subject = '' }: Wanted): Promise<void> {
  const mail = page.getByRole('link').filter({ hasText: to }).filter({ hasText: subject })
  await expect
    .poll(
      async () => {
        await page.goto(`${origin}/mail/`)
        return mail.count()
      },
      { timeout: 30_000, interval: 250 },
    )
    .toBeGreaterThan(0)
  await mail.first().click()
}

/** From the list of kept mails to the page behind the first button of that one. */
export async function followMail(page: Page, origin: string, wanted: Wanted): Promise<Page> {
  await openMail(page, origin, wanted)
  const button = page.frameLocator('iframe').getByRole('link').first()
  const [opened] = await Promise.all([page.context().waitForEvent('page'), button.click()])
  await opened.waitForLoadState()
  return opened
}
