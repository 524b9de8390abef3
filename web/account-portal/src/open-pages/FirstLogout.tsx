import { Card, ScreenTitle } from '@sightline/kit'
import { LoadFailed, useApplication, usePageTitle, useTranslation } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Text } from '../text.ts'
import type english from './locales/en.json'

type Known =
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly isStaff: boolean }
  | { readonly kind: 'failed'; readonly error: unknown }

/**
 * Whether this browser is signed in to the Dealer Dashboard. Uses a plain effect, because the query library would split
 * the first load.
 */
function useIsStaff(authServer: string): { readonly known: Known; readonly askAgain: () => void } {
  const [known, setKnown] = useState<Known>({ kind: 'asking' })
  const [times, setTimes] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested again for each retry
  useEffect(() => {
    const leaving = new AbortController()
    const ask = async () => {
      const request = { credentials: 'include', cache: 'no-store', signal: leaving.signal } as const
      const response = await fetch(`${authServer}/auth/session`, request)
      if (!response.ok) throw new Error(`${authServer}/auth/session answered ${response.status}`)
      const { otherApp } = (await response.json()) as { readonly otherApp: string | null }
      setKnown({ kind: 'known', isStaff: otherApp !== null })
    }
    ask().catch((error: unknown) => {
      if (!leaving.signal.aborted) setKnown({ kind: 'failed', error })
    })
    return () => leaving.abort()
  }, [authServer, times])
  return { known, askAgain: () => setTimes(times + 1) }
}

/** For a browser that is signed in as staff, which must sign out before an end user can sign in (specification §2). */
export function FirstLogout() {
  const { config, home } = useApplication()
  const { authServer, dealerURL } = config
  const t = useTranslation<keyof typeof english | Text>()
  const router = useRouter()
  const { known, askAgain } = useIsStaff(authServer)
  const isElsewhere = known.kind === 'known' && !known.isStaff
  useEffect(() => {
    if (isElsewhere) void router.navigate({ to: '/', replace: true })
  }, [isElsewhere, router])
  usePageTitle(t("You're signed in to the Dealer Dashboard"))
  if (known.kind === 'failed') return <LoadFailed isPage error={known.error} reset={askAgain} />
  if (known.kind === 'asking' || isElsewhere) return null
  const back = new URL(home, window.location.origin).href
  const signOut = `${authServer}/auth/logout?redirect_uri=${encodeURIComponent(back)}`
  return (
    <div className="max-w-3xl space-y-6">
      <ScreenTitle title={t("You're signed in to the Dealer Dashboard")}>
        {t('Staff accounts have no cameras here. Sign out first, then sign in as an end user.')}
      </ScreenTitle>
      <Card title={t('Next steps')}>
        <ul className="space-y-3">
          <li>
            <a data-here href={signOut} className="text-link-underline">
              {t('Sign out, then sign in as an end user')}
            </a>
          </li>
          <li>
            <a href={dealerURL} className="text-link-underline">
              {t('Back to the Dealer Dashboard')}
            </a>
          </li>
        </ul>
      </Card>
    </div>
  )
}
