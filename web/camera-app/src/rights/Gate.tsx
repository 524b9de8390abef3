import type { Rule } from '@sightline/contract/rights'
import { EmptyState } from '@sightline/kit'
import { LoadFailed } from '@sightline/shell'
import type { ReactNode } from 'react'
import type { KnownStanding, OwnStanding } from './own-standing.ts'
import { useText } from './text.ts'

/** What stands where the address of a screen was opened by somebody without the right to it. */
function NotForYou() {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t('You may not see users')}>
      {t('This needs the right to see user settings. The account owner can give it to you.')}
    </EmptyState>
  )
}

interface GateProps {
  own: KnownStanding
  /** The call without which the screen shows nothing. */
  needs: Rule
  loading: ReactNode
  /** What stands there for whom it shows nothing; of users unless told. */
  instead?: ReactNode
  children: (own: OwnStanding) => ReactNode
}

/** Lets those through whom the screen can show something. */
export function Gate({ own, needs, loading, instead = <NotForYou />, children }: GateProps) {
  if (own.data === undefined) {
    return own.error === null ? loading : <LoadFailed error={own.error} reset={() => own.refetch()} />
  }
  return own.data.may(needs) ? children(own.data) : instead
}
