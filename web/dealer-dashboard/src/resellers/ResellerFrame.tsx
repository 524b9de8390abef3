import { getResellerApiKeys } from '@sightline/contract/api-keys'
import { getResellerAuditLogs } from '@sightline/contract/audit-logs'
import { getFirmwareImages } from '@sightline/contract/firmware-images'
import { getInsights } from '@sightline/contract/insights'
import { getResellerReports } from '@sightline/contract/reports'
import { getResellerAccounts } from '@sightline/contract/reseller-accounts'
import { getResellerTheme } from '@sightline/contract/resellers'
import type { Module, Rule } from '@sightline/contract/rights'
import { getResellerStaff } from '@sightline/contract/staff'
import { getSubscriptionPackages } from '@sightline/contract/subscriptions'
import { BackLink, Tabs } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { isNotFound, NothingHere } from '../shell/NothingHere.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { type Text, useText } from '../text.ts'
import { resellerQuery } from './reseller-queries.ts'

interface Page {
  readonly path: string
  readonly label: Text
  readonly call?: Rule
  /** The module that the page needs. */
  readonly module?: Module
}

const pages: readonly Page[] = [
  { path: 'accounts', label: 'Accounts', call: getResellerAccounts },
  { path: 'insights', label: 'Insights', call: getInsights },
  { path: 'reports', label: 'Reports', call: getResellerReports, module: 'reports' },
  { path: 'packages', label: 'Packages', call: getSubscriptionPackages },
  { path: 'firmware', label: 'Firmware', call: getFirmwareImages },
  { path: 'brand', label: 'Brand', call: getResellerTheme, module: 'whiteLabel' },
  { path: 'staff', label: 'Staff', call: getResellerStaff },
  { path: 'api-keys', label: 'API keys', call: getResellerApiKeys },
  { path: 'audit-log', label: 'Audit log', call: getResellerAuditLogs },
  { path: 'settings', label: 'Settings and modules' },
]

/**
 * The frame of a reseller's pages for staff above it, with its name and its pages. The reseller's staff use the menu.
 */
export function ResellerFrame() {
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId' })
  if (own.isAtLeast('distributor')) return <FromAbove />
  return resellerId === String(own.resellerId) ? <Outlet /> : <NoSuchReseller />
}

/** For a reseller that doesn't exist or isn't accessible. */
function NoSuchReseller() {
  const t = useText()
  const own = useOwnStaff()
  const title = t("Reseller not found, or you don't have access to it")
  if (own.level === 'reseller') return <NothingHere title={title} />
  const back =
    own.level === 'admin'
      ? { href: '/dealer/distributors', label: t('All distributors') }
      : { href: `/dealer/distributors/${own.distributorId}/resellers`, label: t('All resellers') }
  return <NothingHere title={title} back={back} />
}

function FromAbove() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId' })
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const { data: reseller, error } = useQuery(resellerQuery(client, resellerId))
  if (isNotFound(error)) return <NoSuchReseller />
  const tabs = pages
    .filter(({ call }) => call === undefined || own.may(call))
    .filter(({ module }) => module === undefined || reseller?.modules[module] !== false)
    .map(({ path, label }) => ({
      href: `/dealer/resellers/${resellerId}/${path}`,
      label: t(label),
      current: `${pathname}/`.startsWith(`/resellers/${resellerId}/${path}/`),
    }))
  return (
    <>
      <div className="mx-auto max-w-7xl">
        {reseller === undefined ? null : (
          <BackLink href={`/dealer/distributors/${reseller.distributorId}/resellers`}>{t('All resellers')}</BackLink>
        )}
        <p className="mb-1 h-7 text-lg font-semibold">{reseller?.name}</p>
        <Tabs label={t('Reseller')} tabs={tabs} />
      </div>
      <Outlet />
    </>
  )
}
