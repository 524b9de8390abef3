import type { Locator, Page } from 'playwright-core'

/** Presses an option or menu item like a mouse. A press counts only on the highlighted one, which a busy machine draws later. */
export async function pressOption(option: Locator): Promise<void> {
  await option.hover()
  await option.and(option.page().locator('[data-highlighted]')).waitFor()
  await option.click()
}

/** Chooses an entry of a short list (`Select` of the kit) by its text, its value or its position. */
export async function chooseOption(select: Locator, choice: string | { readonly index: number }): Promise<void> {
  const page = select.page()
  await select.click()
  const options = page.getByRole('listbox').getByRole('option')
  const option =
    typeof choice === 'string'
      ? page
          .getByRole('option', { name: choice, exact: true })
          .or(options.and(page.locator(`[data-value="${choice}"]`)))
      : options.nth(choice.index)
  await pressOption(option)
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}

/** The texts of a short list's entries. */
export async function listOptions(select: Locator): Promise<readonly string[]> {
  await select.click()
  const list = select.page().getByRole('listbox')
  await list.waitFor()
  const texts = await list.getByRole('option').allTextContents()
  await list.press('Escape')
  await list.waitFor({ state: 'detached' })
  return texts
}

/** The selected value of a short list. */
export const chosenValue = (select: Locator): Promise<string | null> => select.getAttribute('value')

/** Opens a long list (`SearchSelect` of the kit) and types into its search; only its entries are options on the page. */
export async function searchOption(select: Locator, typed: string): Promise<void> {
  await select.click()
  await select.page().locator('[data-base-ui-portal] input[role=combobox]').fill(typed)
}

/** The texts of the open menu's entries. */
export async function menuEntries(page: Page): Promise<readonly string[]> {
  await page.getByRole('menu').waitFor()
  return page.getByRole('menuitem').or(page.getByRole('menuitemradio')).allTextContents()
}
