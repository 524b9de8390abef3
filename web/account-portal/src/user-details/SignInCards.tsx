import { useAllTexts } from '@sightline/shell'
import type { ReactNode } from 'react'
import { ChangeEmailCard } from './ChangeEmailCard.tsx'
import { ChangePasswordCard } from './ChangePasswordCard.tsx'

interface SignInCardsProps {
  email: string
  /** Placeholder until their texts have loaded. */
  place: ReactNode
}

/** The user's sign-in data, below the personal details. */
export function SignInCards({ email, place }: SignInCardsProps) {
  if (!useAllTexts()) return place
  return (
    <>
      <ChangeEmailCard current={email} />
      <ChangePasswordCard email={email} />
    </>
  )
}
