import type { Page } from 'playwright-core'

/**
 * Records every live region that appears together with its message. Screen readers announce changes of registered regions, but
 * many announce nothing from a region that is new with its text. Alerts are the exception: they are announced on appearance.
 */
export async function watchRegions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const found: string[] = []
    Object.assign(window, { lateRegions: found })
    const isRegion = (one: Element) => {
      const live = one.getAttribute('aria-live')
      return live === null ? one.getAttribute('role') === 'status' : live !== 'off'
    }
    // Descriptions are read with their control, a count next to a list is read there, and popups bring their own regions.
    const isRead = (one: Element) =>
      (one.id !== '' && document.querySelector(`[aria-describedby~="${one.id}"]`) !== null) ||
      one.querySelector(':scope > [aria-hidden=true]') !== null ||
      one.closest('[data-base-ui-portal], button, fieldset') !== null
    const check = (one: Element) => {
      if (!one.isConnected || !isRegion(one) || isRead(one) || one.textContent?.trim() === '') return
      found.push(`${one.tagName.toLowerCase()}: ${one.textContent?.trim().slice(0, 120)}`)
    }
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((change) => [...change.addedNodes])) {
        if (!(node instanceof Element)) continue
        check(node)
        for (const each of node.querySelectorAll('*')) check(each)
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** The regions that appeared together with their messages since the last call. */
export const lateRegions = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { lateRegions: string[] }).lateRegions.splice(0))

/** Problems with a page's live regions: nested ones, inaudible ones, or none for messages. */
export const faultsOfRegions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const LIVE =
      '[role=status]:not([aria-live=off]), [role=alert], [role=log], [aria-live=polite], [aria-live=assertive], output'
    const regions = [...document.querySelectorAll(LIVE)]
    const nested = regions.filter((one) => one.parentElement?.closest(LIVE) != null)
    const silent = regions.filter((one) => one.closest('[aria-hidden=true]') !== null)
    const messages = [...document.querySelectorAll('section[data-over-dialogs][aria-label]')].map((one) =>
      [...one.querySelectorAll(LIVE)].map((each) => each.ariaLive ?? each.role).join(' '),
    )
    const titles = [...document.querySelectorAll('h1')].filter((one) => one.checkVisibility())
    return [
      ...nested.map((one) => `a region within a region: ${one.outerHTML.slice(0, 160)}`),
      ...silent.map((one) => `a region that is hidden from screen readers: ${one.outerHTML.slice(0, 160)}`),
      ...(messages.join() === 'assertive polite status' ? [] : [`regions for messages: ${messages.join() || 'none'}`]),
      ...(titles.length === 1 ? [] : [`${titles.length} headings of the first level`]),
    ]
  })

/** The texts to be announced, newest last. */
export const announced = (page: Page): Promise<string[]> =>
  page.locator('section[data-over-dialogs] > [role=status] > p').allTextContents()

/** A short description that identifies the focused element. */
export const focusedElement = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement
    if (one === null || one === document.body) return 'nothing'
    return `${one.tagName.toLowerCase()} ${one.id.startsWith('_') ? '' : one.id} ${one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 60) ?? ''}`
  })
