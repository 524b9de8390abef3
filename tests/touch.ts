import type { Page } from 'playwright-core'

interface Point {
  readonly x: number
  readonly y: number
}

const STEPS = 8

/** Puts a finger down, moves it and keeps it there, as a touch screen reports it. Disposing lifts it. */
export async function drag(page: Page, from: Point, to: Point): Promise<AsyncDisposable> {
  const screen = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [from])
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS
    await send('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }])
  }
  return {
    async [Symbol.asyncDispose]() {
      await send('touchEnd', [])
      await screen.detach()
    },
  }
}
