import { SignedInFrame } from '@sightline/shell'
import { Outlet, useRouter } from '@tanstack/react-router'

/** Header and room for a screen; cameras want the whole window. */
export function Frame() {
  const router = useRouter()
  return (
    <SignedInFrame wide onNavigate={(href) => void router.navigate({ href: href.replace(/^\/app/, '') })}>
      <Outlet />
    </SignedInFrame>
  )
}
