import type { Member } from '@sightline/contract/rights'
import type { FeatureFlags, UserBase } from '@sightline/contract/users'
import { ScreenSkeleton } from '@sightline/kit'
import { AgreementFirst, accountQueries, LoadFailed, useApplication, useOwnMember } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { isClosed } from './links.ts'

/** The data that every screen can rely on, because it loads before the first one. */
interface Account {
  readonly user: UserBase
  readonly flags: FeatureFlags
  readonly member: Member
}

const Known = createContext<Account | undefined>(undefined)

/** Base data and rights of the signed-in user, in a screen. */
export function useAccount(): Account {
  const account = useContext(Known)
  if (account === undefined) throw new Error('useAccount outside of AccountFirst')
  return account
}

/** The data about the signed-in user that has loaded so far. */
export function useTold() {
  const { client } = useApplication()
  const { user, rights, flags } = accountQueries(client)
  return { user: useQuery(user).data, rights: useQuery(rights).data, flags: useQuery(flags).data }
}

/** Redirects from a screen that the signed-in user may not open. */
function ToDetails({ path }: { path: string }) {
  const router = useRouter()
  useEffect(() => {
    void router.navigate({ href: path.replace(/[^/]+$/, 'details'), replace: true })
  }, [router, path])
  return <ScreenSkeleton />
}

/**
 * The screen at `path`, after account base data and rights have loaded (specification §4) and if they allow it. Until
 * then, it neither renders nor requests anything. Each path has its own gate, so the rights are requested again for
 * each screen.
 */
export function AccountFirst({ path, children }: { path: string; children: ReactNode }) {
  const { data: member, error, refetch } = useOwnMember()
  const told = useTold()
  const { user, flags } = told
  if (error !== null) return <LoadFailed isPage error={error} reset={refetch} />
  if (!(member && user && flags)) return <ScreenSkeleton />
  if (isClosed(path, told)) return <ToDetails path={path} />
  return (
    <AgreementFirst>
      <Known.Provider value={{ user, flags, member }}>{children}</Known.Provider>
    </AgreementFirst>
  )
}
