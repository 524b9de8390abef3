import { ApiFailure } from '@sightline/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountQueries } from './account-queries.ts'
import { useAgreementOwed } from './agreements/agreement-owed.ts'
import { useApplication } from './application.ts'
import { DeletionNotice } from './deletion/DeletionNotice.tsx'
import { SignInAgain } from './sign-in-again/SignInAgain.tsx'
import { SupportNotices } from './support/SupportNotices.tsx'

const NOT_AUTHORIZED = 9

/**
 * A new version of the agreement, or a revoked right, first shows up as a rejected call. Then the user's data is loaded
 * again.
 */
function useNewsOfRefusals(): void {
  const { client } = useApplication()
  const queries = useQueryClient()
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const { error } = event.action
        if (!(error instanceof ApiFailure) || error.code !== NOT_AUTHORIZED) return
        void queries.invalidateQueries({ queryKey: accountQueries(client).flags.queryKey, exact: true })
      }),
    [client, queries],
  )
}

/** Notices for members of an account, on every page. */
export function AccountNotices() {
  useNewsOfRefusals()
  return (
    <>
      {useAgreementOwed() ? null : <SupportNotices />}
      <DeletionNotice />
      <SignInAgain />
    </>
  )
}
