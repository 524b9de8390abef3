import type { LaterText } from '@sightline/client'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

const SOON_MS = 5000

/**
 * Whether a page can be opened. The content security policy forbids calls to other origins, so there only a missing
 * network is known.
 */
async function isReachable(address: URL): Promise<boolean> {
  if (!navigator.onLine) return false
  if (address.origin !== window.location.origin) return true
  try {
    const { status } = await fetch(address, {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(SOON_MS),
    })
    return status < 500
  } catch {
    return false
  }
}

/** Opens another application. If it can't be reached, the user stays here and gets the message of specification §8. */
export function useLaunch(): (href: string) => Promise<void> {
  const { snackBar } = useApplication()
  const t = useTranslation<LaterText>()
  return async (href) => {
    if (await isReachable(new URL(href, window.location.href))) window.location.assign(href)
    else snackBar.error(t('The app could not be launched. If the problem persists, contact support.'))
  }
}
