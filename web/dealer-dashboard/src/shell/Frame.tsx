import { KeptSideMenu, LazySignInAgain, SignedInFrame } from '@sightline/shell'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useText } from '../text.ts'
import { isActive, visibleNavItems } from './nav-items.ts'
import { useOwnStaff } from './own-staff.ts'

/** Header, menu and content area. */
export function Frame() {
  const router = useRouter()
  const own = useOwnStaff()
  const t = useText()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const nav = visibleNavItems(own).map((place) => ({
    href: `/dealer${place.path}`,
    label: t(place.label),
    icon: place.icon,
    current: isActive(place, pathname),
  }))
  return (
    <SignedInFrame
      wide
      nav={nav}
      sideMenu={<KeptSideMenu items={nav} />}
      onNavigate={(href) => void router.navigate({ href: href.replace(/^\/dealer/, '') })}
    >
      <Outlet />
      <LazySignInAgain />
    </SignedInFrame>
  )
}
