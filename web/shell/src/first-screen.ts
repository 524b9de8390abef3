import { nextTask } from '@sightline/client'
import type { AnyRouter } from '@tanstack/react-router'
import type { Application } from './create-application.ts'
import type { MountPoint } from './start-application.ts'

/** Maximum milliseconds that a first paint stays after the user is identified. Then the frame shows what is loading. */
const PATIENCE_MS = 3000

/** Milliseconds that a redirect may take. If the browser is still here, a message appears. */
const LEAVING_MS = 10_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Resolves when a router can replace the first paint with its complete first screen, or after a timeout; immediately
 * if there is no first paint.
 */
export async function firstScreenReady(
  router: AnyRouter,
  { session }: Pick<Application, 'session'>,
  { hasFirstPaint, prepared }: MountPoint,
): Promise<void> {
  if (!hasFirstPaint) return
  await nextTask()
  // Follows the back button meanwhile. After the first render, the router does this.
  const stop = router.history.subscribe(() => void router.load())
  const drawn = router.subscribe('onRendered', () => {
    stop()
    drawn()
  })
  await Promise.race([pause(PATIENCE_MS), Promise.all([router.load(), prepared])])
  // Redirects to the sign-in, unless that failed to start.
  const isLeaving =
    session.token() === undefined && router.state.matches.every(({ status }: { status: string }) => status !== 'error')
  if (isLeaving) await pause(LEAVING_MS)
}
