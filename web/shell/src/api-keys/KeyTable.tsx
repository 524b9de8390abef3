import type { ApiKey } from '@sightline/contract/api-keys'
import { Badge, Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, timeWidths, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LoadFailed } from '../LoadFailed.tsx'
import type { KeyAct } from './KeyDialogs.tsx'
import type { KeyCalls } from './key-calls.ts'
import { useText } from './text.ts'

const DAY_MS = 86_400_000
/** Keys that expire within this number of days are highlighted. */
const SOON_DAYS = 14
const FRESH_MS = 5000

function Expiry({ expiresAt, when }: { expiresAt: string | null; when: (time: string) => string }) {
  const t = useText()
  if (expiresAt === null) return <span className="text-muted">{t('Never')}</span>
  const left = Date.parse(expiresAt) - Date.now()
  if (left <= 0) return <Badge mood="danger">{t('Expired')}</Badge>
  return left < SOON_DAYS * DAY_MS ? <Badge mood="warning">{when(expiresAt)}</Badge> : when(expiresAt)
}

function Addresses({ addresses }: { addresses: readonly string[] }) {
  const t = useText()
  if (addresses.length === 0) return <span className="text-muted">{t('Any IP address')}</span>
  return (
    <bdi dir="ltr" className="wrap-anywhere">
      {addresses.join(', ')}
    </bdi>
  )
}

function useColumns({ when, showsOwner }: Pick<KeyTableProps, 'when' | 'showsOwner'>): readonly Column<ApiKey>[] {
  const t = useText()
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('Name'),
        width: '18%',
        sortBy: ({ name }) => name,
        cell: ({ name, oldSecretUntil }) => (
          <span className="inline-flex flex-wrap items-center gap-x-2">
            {name}
            {oldSecretUntil === null ? null : (
              <span className="text-xs text-muted">
                {t('old secret works until {time}', { time: when(oldSecretUntil) })}
              </span>
            )}
          </span>
        ),
      },
      {
        key: 'clientId',
        header: t('Client ID'),
        sortBy: ({ clientId }) => clientId,
        cell: ({ clientId }) => (
          <bdi dir="ltr" className="font-mono text-xs wrap-anywhere">
            {clientId}
          </bdi>
        ),
      },
      {
        key: 'scopes',
        header: t('Permissions'),
        width: '8.5rem',
        sortBy: ({ scopes }) => scopes.length,
        searchText: false,
        cell: ({ scopes, provisioning }) => {
          if (provisioning) return t('Read, write and set up accounts')
          return t(scopes.includes('write') ? 'Read and write' : 'Read only')
        },
      },
      {
        key: 'lastUsed',
        header: t('Last used'),
        width: timeWidths.minute,
        sortBy: ({ lastUsed }) => lastUsed,
        searchText: false,
        cell: ({ lastUsed }) => (lastUsed === null ? <span className="text-muted">{t('Never')}</span> : when(lastUsed)),
      },
      {
        key: 'expires',
        header: t('Expires'),
        width: timeWidths.minute,
        sortBy: ({ expiresAt }) => expiresAt,
        searchText: false,
        cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} when={when} />,
      },
      {
        key: 'addresses',
        header: t('IP addresses'),
        minor: true,
        searchText: ({ allowedAddresses }) => allowedAddresses.join(' '),
        cell: ({ allowedAddresses }) => <Addresses addresses={allowedAddresses} />,
      },
      ...(showsOwner ? [ownerColumn(t('Acts as'))] : []),
    ],
    [t, when, showsOwner],
  )
}

const ownerColumn = (header: string): Column<ApiKey> => ({
  key: 'actsAs',
  header,
  sortBy: ({ actsAs }) => actsAs.name,
  cell: ({ actsAs }) => actsAs.name,
})

interface KeyTableProps {
  calls: KeyCalls
  /** What the table lists. */
  label: string
  /** Writes a date-time of the API; one function as long as it writes the same. */
  when: (time: string) => string
  /** Keys of several people are in it. */
  showsOwner: boolean
  canCreate: boolean
  /** Whether the key can be changed; any key can be deleted. */
  canEdit: (key: ApiKey) => boolean
  onAct: (act: KeyAct) => void
}

/** The keys, with what can be done with each. */
export function KeyTable({ calls, label, when, showsOwner, canCreate, canEdit, onAct }: KeyTableProps) {
  const t = useText()
  const columns = useColumns({ when, showsOwner })
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('apiKeys')
  const {
    data: keys,
    error,
    refetch,
  } = useQuery({ queryKey: calls.queryKey, queryFn: ({ signal }) => calls.list(signal), staleTime: FRESH_MS })
  const firstSort = { column: 'name', descending: false }
  const view = useRowsInHand({ rows: keys, columns, rowsPerPage, onRowsPerPage, firstSort })
  return (
    <DataTable
      label={label}
      columns={columns}
      view={view}
      rowKey={({ apiKeyId }) => apiKeyId}
      rowName={({ name }) => name}
      rowMenu={(key) => [
        ...(canEdit(key)
          ? ([
              { label: t('Edit'), icon: 'edit', onSelect: () => onAct({ kind: 'edit', key }) },
              { label: t('Create new secret'), icon: 'refresh', onSelect: () => onAct({ kind: 'rotate', key }) },
            ] as const)
          : []),
        { label: t('Delete'), icon: 'trash', danger: true, onSelect: () => onAct({ kind: 'delete', key }) },
      ]}
      searchLabel={t('Search API keys')}
      empty={
        <EmptyState
          icon="key"
          title={t('No API keys yet')}
          action={
            canCreate ? (
              <Button icon="plus" onClick={() => onAct({ kind: 'add' })}>
                {t('Create API key')}
              </Button>
            ) : undefined
          }
        >
          {t('Use an API key to connect a program without sharing your password.')}
        </EmptyState>
      }
      failed={
        error !== null && keys === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
      }
    />
  )
}
