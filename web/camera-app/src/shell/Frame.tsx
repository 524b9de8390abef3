import type { NavItem } from '@sightline/kit'
import { SideMenu } from '@sightline/kit/page'
import { accountQueries, SignedInFrame, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useText } from '../text.ts'
import { isIn, places } from './places.ts'

/** The places that serve who is signed in; those that hang on rights appear as soon as these are known. */
function useNav(): readonly NavItem[] {
  const { client } = useApplication()
  const t = useText()
  const { user, rights } = accountQueries(client)
  const { data: own } = useQuery(user)
  const viewer = { rights: useQuery(rights).data, isOwner: own !== undefined && own.userId === own.accountId }
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return places
    .filter((place) => place.serves(viewer))
    .map((place) => ({
      href: `/app${place.path === '' ? '/' : place.path}`,
      label: t(place.label),
      icon: place.icon,
      current: isIn(place, pathname),
    }))
}

/** Header, menu and room for a screen; cameras want the whole window. */
export function Frame() {
  const router = useRouter()
  const nav = useNav()
  return (
    <SignedInFrame
      wide
      nav={nav}
      sideMenu={<SideMenu items={nav} />}
      onNavigate={(href) => void router.navigate({ href: href.replace(/^\/app/, '') })}
    >
      <Outlet />
    </SignedInFrame>
  )
}
