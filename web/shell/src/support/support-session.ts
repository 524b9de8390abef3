import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { OwnSupportSession } from '@sightline/contract/support-sessions'
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'

/** Where the support session of who is signed in stands among the queries; null where it is none. */
export const supportSessionKey = ['users/self/supportSession'] as const

const useKnown = (): OwnSupportSession | null | undefined =>
  useQuery<OwnSupportSession | null>({ queryKey: supportSessionKey, queryFn: skipToken }).data

/**
 * The support session that the application is used in; undefined where it is none, and until it is known. It is asked for
 * by what shows the banner, which comes after the first screen.
 */
export const useSupportSession = (): OwnSupportSession | undefined => useKnown() ?? undefined

/** Whether it is known that nobody of support is here. */
export const useIsNoSupport = (): boolean => useKnown() === null

/** Whether it was a support session that ended just now; to be asked before what is known is thrown away. */
export const wasSupportSession = (queries: QueryClient): boolean =>
  (queries.getQueryData(supportSessionKey) ?? null) !== null

/** In the address of the page after signing out: it was a support session, which the owner or the clock ended. */
export const SUPPORT_IS_OVER = 'support'

/** Where support came from and goes back to. */
export const dealerAddress = ({ theme, dealerURL }: RuntimeConfig): string => theme.links.dealerdashboard ?? dealerURL
