import { ChangeEmailCard } from './ChangeEmailCard.tsx'
import { ChangePasswordCard } from './ChangePasswordCard.tsx'

/** How somebody signs in, below who they are. */
export function SignInCards({ email }: { email: string }) {
  return (
    <>
      <ChangeEmailCard current={email} />
      <ChangePasswordCard email={email} />
    </>
  )
}
