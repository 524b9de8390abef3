import type { Client } from '@sightline/client'
import { type ApiKey, getApiKeys } from '@sightline/contract/api-keys'
import { Badge, Button, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { accountQueries, LoadFailed, Screen, useApplication } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { localeOf } from '../locale.ts'
import { type OwnStanding, useOwnStanding } from '../rights/index.ts'
import { HowTo } from './HowTo.tsx'
import { type KeyAct, KeyDialogs } from './KeyDialogs.tsx'
import { useText } from './text.ts'

const apiKeysQuery = (client: Client) =>
  queryOptions({
    queryKey: ['apiKeys'],
    queryFn: ({ signal }) => client.call(getApiKeys, {}, { signal }),
    staleTime: 5000,
  })

const DAY_MS = 86_400_000
/** Keys that expire within this number of days are highlighted. */
const SOON_DAYS = 14

const useTimeZone = (): string => {
  const { client } = useApplication()
  return useQuery(accountQueries(client).timeZone).data?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

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

function useColumns(timeZone: string): readonly Column<ApiKey>[] {
  const t = useText()
  const { languages } = useApplication()
  const language = languages.current()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone })
    const when = (time: string) => format.format(new Date(time))
    return [
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
        cell: ({ scopes }) => (scopes.includes('write') ? t('Read and write') : t('Read only')),
      },
      {
        key: 'lastUsed',
        header: t('Last used'),
        width: '10rem',
        sortBy: ({ lastUsed }) => lastUsed,
        searchText: false,
        cell: ({ lastUsed }) => (lastUsed === null ? <span className="text-muted">{t('Never')}</span> : when(lastUsed)),
      },
      {
        key: 'expires',
        header: t('Expires'),
        width: '10rem',
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
    ]
  }, [t, language, timeZone])
}

function KeyTable({ timeZone, onAct }: { timeZone: string; onAct: (act: KeyAct) => void }) {
  const t = useText()
  const { client } = useApplication()
  const columns = useColumns(timeZone)
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('apiKeys')
  const { data: keys, error, refetch } = useQuery(apiKeysQuery(client))
  const view = useRowsInHand({
    rows: keys,
    columns,
    rowsPerPage,
    onRowsPerPage,
    firstSort: { column: 'name', descending: false },
  })
  return (
    <DataTable
      label={t('API keys')}
      columns={columns}
      view={view}
      rowKey={({ apiKeyId }) => apiKeyId}
      rowName={({ name }) => name}
      rowMenu={(key) => [
        { label: t('Edit'), icon: 'edit', onSelect: () => onAct({ kind: 'edit', key }) },
        { label: t('Create new secret'), icon: 'refresh', onSelect: () => onAct({ kind: 'rotate', key }) },
        { label: t('Delete'), icon: 'trash', danger: true, onSelect: () => onAct({ kind: 'delete', key }) },
      ]}
      searchLabel={t('Search API keys')}
      empty={
        <EmptyState
          icon="key"
          title={t('No API keys yet')}
          action={
            <Button icon="plus" onClick={() => onAct({ kind: 'add' })}>
              {t('Create API key')}
            </Button>
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

function NotForYou({ own }: { own: OwnStanding }) {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t('Only the account owner can manage API keys')}>
      {own.standstill === 'support'
        ? t("You can't view or change API keys during a support session.")
        : t('If a program needs an API key, ask the account owner to create one.')}
    </EmptyState>
  )
}

/** The API keys of the account, for its owner only. */
export function ApiKeysScreen() {
  const t = useText()
  const timeZone = useTimeZone()
  const own = useOwnStanding()
  const [act, onAct] = useState<KeyAct>()
  const isOwn = own.data?.may(getApiKeys) === true
  return (
    <Screen
      width="table"
      title={t('API keys')}
      description={t('API keys let other programs act as you, with your rights.')}
      actions={
        isOwn ? (
          <Button icon="plus" onClick={() => onAct({ kind: 'add' })}>
            {t('Create API key')}
          </Button>
        ) : undefined
      }
    >
      {isOwn ? (
        <>
          <KeyTable timeZone={timeZone} onAct={onAct} />
          <HowTo />
          <KeyDialogs act={act} timeZone={timeZone} onAct={onAct} />
        </>
      ) : (
        <Standing own={own} />
      )}
    </Screen>
  )
}

function Standing({ own }: { own: ReturnType<typeof useOwnStanding> }) {
  if (own.data !== undefined) return <NotForYou own={own.data} />
  if (own.error !== null) return <LoadFailed error={own.error} reset={() => void own.refetch()} />
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
