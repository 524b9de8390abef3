import type { Member } from '@sightline/contract/rights'
import type { FeatureFlags, UserBase } from '@sightline/contract/users'
import { ScreenSkeleton } from '@sightline/kit'
import { AgreementFirst, accountQueries, LoadFailed, useApplication, useOwnMember } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { isClosed } from './links.ts'

/** What every screen may lean on: it is there before the first one is. */
interface Account {
  readonly user: UserBase
  readonly flags: FeatureFlags
  readonly member: Member
}

const Known = createContext<Account | undefined>(undefined)

/** Base data and rights of whoever is signed in, on a screen. */
export function useAccount(): Account {
  const account = useContext(Known)
  if (account === undefined) throw new Error('useAccount outside of AccountFirst')
  return account
}

/** What the server has told so far of whoever is signed in. */
export function useTold() {
  const { client } = useApplication()
  const { user, rights, flags } = accountQueries(client)
  return { user: useQuery(user).data, rights: useQuery(rights).data, flags: useQuery(flags).data }
}

/** Leads away from a screen that is not for whoever is signed in. */
function ToDetails({ path }: { path: string }) {
  const router = useRouter()
  useEffect(() => {
    void router.navigate({ href: path.replace(/[^/]+$/, 'details'), replace: true })
  }, [router, path])
  return <ScreenSkeleton />
}

/**
 * The screen at `path`, once account base data and rights are there (specification §4), and where these open it. Until then
 * nothing of it is drawn or asked for. Each path is given a gate of its own, so that rights are asked for again with each screen.
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
