import type { Locator, Page } from 'playwright-core'

/** The value that My Account's Details show under a name, such as `First name`. */
export const detail = (page: Page, label: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')

/** Opens the personal details for changes, once they are shown. */
export async function editDetails(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit: Personal details' }).click()
  await page.getByText('First name', { exact: true }).waitFor()
}
