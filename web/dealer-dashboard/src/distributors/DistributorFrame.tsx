import type { Rule } from '@sightline/contract/rights'
import { getDistributorStaff } from '@sightline/contract/staff'
import { BackLink, Tabs } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { isNotFound, NotAllowed, NothingHere } from '../shell/NothingHere.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { type Text, useText } from '../text.ts'
import { distributorQuery } from './distributor-queries.ts'

const pages: readonly { readonly path: string; readonly label: Text; readonly call?: Rule }[] = [
  { path: 'resellers', label: 'Resellers' },
  { path: 'staff', label: 'Staff', call: getDistributorStaff },
  { path: 'settings', label: 'Settings' },
]

/** The frame of a distributor's pages, for administrators. The distributor's staff use the menu. */
export function DistributorFrame() {
  const own = useOwnStaff()
  const { distributorId } = useParams({ from: '/signed-in/distributors/$distributorId' })
  if (own.isAtLeast('admin')) return <FromAbove />
  if (!own.isAtLeast('distributor')) return <NotAllowed />
  return distributorId === String(own.distributorId) ? <Outlet /> : <NoSuchDistributor />
}

/** For a distributor that doesn't exist or isn't accessible. */
function NoSuchDistributor() {
  const t = useText()
  const title = t("Distributor not found, or you don't have access to it")
  if (!useOwnStaff().isAtLeast('admin')) return <NothingHere title={title} />
  return <NothingHere title={title} back={{ href: '/dealer/distributors', label: t('All distributors') }} />
}

function FromAbove() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { distributorId } = useParams({ from: '/signed-in/distributors/$distributorId' })
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const { data: distributor, error } = useQuery(distributorQuery(client, distributorId))
  if (isNotFound(error)) return <NoSuchDistributor />
  const tabs = pages
    .filter(({ call }) => call === undefined || own.may(call))
    .map(({ path, label }) => ({
      href: `/dealer/distributors/${distributorId}/${path}`,
      label: t(label),
      current: `${pathname}/`.startsWith(`/distributors/${distributorId}/${path}/`),
    }))
  return (
    <>
      <div className="mx-auto max-w-7xl">
        <BackLink href="/dealer/distributors">{t('All distributors')}</BackLink>
        <p className="mb-1 h-7 text-lg font-semibold">{distributor?.name}</p>
        <Tabs label={t('Distributor')} tabs={tabs} />
      </div>
      <Outlet />
    </>
  )
}
