import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { OwnSupportSession } from '@sightline/contract/support-sessions'
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'

/** The query key of the current support session; its value is null if there is none. */
export const supportSessionKey = ['users/self/supportSession'] as const

/** The query key of the support sessions in the account, for its owner. */
export const supportSessionsKey = ['accounts/self/supportSessions'] as const

const useKnown = (): OwnSupportSession | null | undefined =>
  useQuery<OwnSupportSession | null>({ queryKey: supportSessionKey, queryFn: skipToken }).data

/**
 * The support session in which the application is used; undefined if there is none, and until it is known. The banner
 * requests it after the first screen.
 */
export const useSupportSession = (): OwnSupportSession | undefined => useKnown() ?? undefined

/** Whether it is known that this isn't a support session. */
export const useIsNoSupport = (): boolean => useKnown() === null

/** Whether the session that just ended was a support session. Call this before the data is cleared. */
export const wasSupportSession = (queries: QueryClient): boolean =>
  (queries.getQueryData(supportSessionKey) ?? null) !== null

/** Parameter of the page after sign-out: it was a support session that the owner or its time limit ended. */
export const SUPPORT_IS_OVER = 'support'

/** Where the support session started, and the page to return to. */
export const dealerAddress = ({ theme, dealerURL }: RuntimeConfig): string => theme.links.dealerdashboard ?? dealerURL
