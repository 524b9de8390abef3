import type { Page } from 'playwright-core'

/** The canvases of recorded pictures. */
export const RECORDED = 'canvas[data-camera-picture=footage]'

/**
 * Waits until the stage is paused and every camera shows its picture of a time other than `before`; returns that time, milliseconds
 * since 1970. Asked in each animation frame, because reading the pictures themselves again and again is slow.
 */
export async function untilStill(page: Page, before?: number): Promise<number> {
  const found = await page.waitForFunction(
    (last) => {
      const { footageTime, still } = document.querySelector<HTMLElement>('[data-footage-time]')?.dataset ?? {}
      const time = Number(footageTime)
      return still === 'true' && time !== last ? { time } : undefined
    },
    before,
    { timeout: 15_000, polling: 'raf' },
  )
  return (await found.jsonValue())?.time ?? 0
}

/** Types a time into the field "Go to" and waits until it plays from there. */
export async function typeTime(page: Page, moment: number, timeZone: string): Promise<void> {
  const clock = { timeZone, hourCycle: 'h23', timeStyle: 'medium' } as const
  await page.getByRole('textbox', { name: 'Go to' }).fill(new Intl.DateTimeFormat('en-US', clock).format(moment))
  await page.keyboard.press('Enter')
}

/** A time as in an address. */
export const inAddress = (moment: number): string => encodeURIComponent(new Date(moment).toISOString())

/** Chooses the rate of playback, such as `−16×`. */
export async function setSpeed(page: Page, speed: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Speed' }).click()
  await page.getByRole('option', { name: speed, exact: true }).click()
}

/** Hides the page as another tab in front does, or shows it again. */
export const hidePage = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (hidden ? 'hidden' : 'visible'),
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** Counts what the page's sockets receive: frames, and sockets that are open. */
export async function countSockets(
  page: Page,
): Promise<{ readonly frames: () => number; readonly open: () => number }> {
  const counts = { frames: 0 }
  const open = new Set<string>()
  const session = await page.context().newCDPSession(page)
  session.on('Network.webSocketFrameReceived', () => {
    counts.frames += 1
  })
  session.on('Network.webSocketCreated', ({ requestId }) => open.add(requestId))
  session.on('Network.webSocketClosed', ({ requestId }) => open.delete(requestId))
  await session.send('Network.enable')
  return { frames: () => counts.frames, open: () => open.size }
}
