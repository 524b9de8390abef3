import type { Page } from 'playwright-core'

/**
 * Notes every live region that comes onto a page together with its message from now on. Screen readers read changes of regions
 * that they know; of a region that is new with its text, many read nothing. An alert is the exception: they read it when it comes.
 */
export async function watchRegions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const found: string[] = []
    Object.assign(window, { lateRegions: found })
    const isRegion = (one: Element) => {
      const live = one.getAttribute('aria-live')
      return live === null ? one.getAttribute('role') === 'status' : live !== 'off'
    }
    // What describes a control is read with it, a count beside a list is read there, and popups bring their own.
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

/** The regions that came with their messages since this was asked last. */
export const lateRegions = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { lateRegions: string[] }).lateRegions.splice(0))

/** What is wrong with the live regions of a page: one within another, one that nobody hears, or none for messages. */
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

/** What screen readers are to say, newest last. */
export const announced = (page: Page): Promise<string[]> =>
  page.locator('section[data-over-dialogs] > [role=status] > p').allTextContents()

/** Where the next Tab starts: words that tell the focused element from others. */
export const focusedElement = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement
    if (one === null || one === document.body) return 'nothing'
    return `${one.tagName.toLowerCase()} ${one.id.startsWith('_') ? '' : one.id} ${one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 60) ?? ''}`
  })
