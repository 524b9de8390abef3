import { getAuditActions, getAuditExport, getAuditLogs } from '@sightline/contract/audit-logs'
import { getUsers } from '@sightline/contract/sub-users'
import { EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { AuditLogTable, type AuditSource, useAuditText } from '@sightline/shell/audit-logs'
import { useQuery } from '@tanstack/react-query'
import { useMoments } from '../account-time/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { DayFilter } from '../day-filter/index.ts'
import { useOwnPermissions } from '../rights/index.ts'

const KNOWN_MS = 300_000
/** A file with 100,000 entries takes time. */
const EXPORT_WITHIN_MS = 120_000

/** The calls about the log of the account, and the options of its filters. */
function useAccountLog(mayExport: boolean): AuditSource {
  const { client } = useApplication()
  const { data: actions = [] } = useQuery({
    queryKey: ['auditLogs', 'actions'],
    queryFn: ({ signal }) => client.call(getAuditActions, {}, { signal }),
    staleTime: KNOWN_MS,
  })
  const { data: people = [] } = useQuery({
    queryKey: ['people', 'of the audit log'],
    queryFn: async ({ signal }) => {
      const { rows } = await client.page(getUsers, {}, { limit: 500, sort: 'name' }, { signal })
      return rows.map(({ userId, firstName, lastName }) => ({ userId, name: `${firstName} ${lastName}` }))
    },
    staleTime: KNOWN_MS,
  })
  const { data: cameras = [] } = useQuery(cameraQueries(client).list)
  return {
    kind: 'account',
    queryKey: ['auditLogs'],
    list: (query, wish, signal) => client.page(getAuditLogs, { query }, wish, { signal }),
    actions,
    people,
    cameras,
    exportFile: mayExport
      ? (query) => client.blob(getAuditExport, { query }, { timeoutMs: EXPORT_WITHIN_MS })
      : undefined,
  }
}

function Log({ mayExport }: { mayExport: boolean }) {
  const t = useAuditText()
  return (
    <AuditLogTable
      source={useAccountLog(mayExport)}
      times={useMoments()}
      dayFilter={(days, onChange) => <DayFilter days={days} onChange={onChange} />}
      emptyText={t('Sign-ins, video views and changes appear here.')}
    />
  )
}

/** Who did what in the account, and when. */
export function AuditLogScreen() {
  const t = useAuditText()
  const own = useOwnPermissions()
  return (
    <Screen
      width="table"
      title={t('Audit log')}
      description={t("See who did what in this account, and when. Entries can't be changed.")}
    >
      {own.data === undefined ? <Waiting own={own} /> : null}
      {own.data?.may(getAuditLogs) === true ? <Log mayExport={own.data.may(getAuditExport)} /> : null}
      {own.data?.may(getAuditLogs) === false ? (
        <EmptyState icon="lock" title={t("You can't view the audit log")}>
          {t('Ask the account owner for the “View users and audit log” right.')}
        </EmptyState>
      ) : null}
    </Screen>
  )
}

function Waiting({ own }: { own: ReturnType<typeof useOwnPermissions> }) {
  if (own.error !== null) return <LoadFailed error={own.error} reset={() => void own.refetch()} />
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
