import { EmptyState, type NavItem } from '@sightline/kit'
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

/** Stands in place of everything where the account has closed the Web App to its sub-users (decision 25). */
function Barred() {
  const t = useText()
  return (
    <EmptyState icon="block" isPage title={t('Please contact the owner of the account')}>
      {t('The Web App is closed to the other users of this account at present. My Account stays open to you.')}
    </EmptyState>
  )
}

/** Header, menu and room for a screen; cameras want the whole window. */
export function Frame() {
  const router = useRouter()
  const { client } = useApplication()
  const isBarred = useQuery(accountQueries(client).flags).data?.webAppBarred === true
  const whole = useNav()
  const nav = isBarred ? [] : whole
  return (
    <SignedInFrame
      wide
      nav={nav}
      sideMenu={<SideMenu items={nav} />}
      onNavigate={(href) => void router.navigate({ href: href.replace(/^\/app/, '') })}
    >
      {isBarred ? <Barred /> : <Outlet />}
    </SignedInFrame>
  )
}
