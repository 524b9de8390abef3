import { useAllTexts } from '@sightline/shell'
import type { ReactNode } from 'react'
import { ChangeEmailCard } from './ChangeEmailCard.tsx'
import { ChangePasswordCard } from './ChangePasswordCard.tsx'

interface SignInCardsProps {
  email: string
  /** Stands there until their texts have come. */
  place: ReactNode
}

/** How somebody signs in, below who they are. */
export function SignInCards({ email, place }: SignInCardsProps) {
  if (!useAllTexts()) return place
  return (
    <>
      <ChangeEmailCard current={email} />
      <ChangePasswordCard email={email} />
    </>
  )
}
