import type { Locator, Page } from 'playwright-core'

/** The value with a label on the details page, such as `First name`. */
export const detail = (page: Page, label: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')

/** Opens the personal details for editing. */
export async function editDetails(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit: Personal details' }).click()
  await page.getByText('First name', { exact: true }).waitFor()
}
