import type { Rule } from '@sightline/contract/rights'
import { EmptyState } from '@sightline/kit'
import { LoadFailed } from '@sightline/shell'
import type { ReactNode } from 'react'
import type { OwnPermissions, PermissionsQuery } from './own-permissions.ts'
import { useText } from './text.ts'

/** Replaces a screen if the user lacks the right to it. */
function NotForYou() {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t("You can't view users")}>
      {t('Ask the account owner for the “View users and audit log” right.')}
    </EmptyState>
  )
}

interface GateProps {
  own: PermissionsQuery
  /** The call that the screen depends on. */
  needs: Rule
  loading: ReactNode
  /** What to show if the call isn't allowed; by default, a text for users. */
  instead?: ReactNode
  children: (own: OwnPermissions) => ReactNode
}

/** Shows the screen only if the user may make its call. */
export function Gate({ own, needs, loading, instead = <NotForYou />, children }: GateProps) {
  if (own.data === undefined) {
    return own.error === null ? loading : <LoadFailed error={own.error} reset={() => own.refetch()} />
  }
  return own.data.may(needs) ? children(own.data) : instead
}
