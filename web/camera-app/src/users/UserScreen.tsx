import { Tabs } from '@sightline/kit/page'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { Screen } from '../shell/Screen.tsx'
import { type Text, useText } from './text.ts'

const pages: readonly { path: string; label: Text }[] = [
  { path: 'details', label: 'Details' },
  { path: 'rights', label: 'Rights' },
  { path: 'cameras', label: 'Cameras and zones' },
  { path: 'why', label: 'Why' },
]

/** The pages of one user. */
export function UserScreen() {
  const t = useText()
  const { userId } = useParams({ from: '/signed-in/users/$userId' })
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const tabs = pages.map(({ path, label }) => ({
    href: `/app/users/${userId}/${path}`,
    label: t(label),
    current: pathname === `/users/${userId}/${path}`,
  }))
  return (
    <Screen width="form" title={t('User')} back={{ href: '/app/users', label: t('All users') }}>
      <Tabs label={t('User')} tabs={tabs} />
      <Outlet />
    </Screen>
  )
}
