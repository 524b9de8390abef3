import {
  getSubscriptionPackages,
  putSubscriptionPackage,
  type SubscriptionPackage,
} from '@sightline/contract/subscriptions'
import { Badge, Button, ConfirmDialog, EmptyState } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Gate } from '../shell/Gate.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { PackageDialog } from './PackageDialog.tsx'
import { type PackageStatus, packageBody, packageValues, toPackageStatus } from './package-form.ts'
import { allPackagesQuery, refetchPackages } from './package-queries.ts'
import { qualityTexts, statusTexts } from './package-texts.ts'
import { useText } from './text.ts'

const HOURS_PER_DAY = 24

function useColumns(): readonly Column<SubscriptionPackage>[] {
  const t = useText()
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('Name'),
        sortBy: ({ name }) => name,
        searchText: ({ name, sku }) => `${name} ${sku ?? ''}`,
        cell: ({ name, sku }) => (
          <span className="wrap-anywhere">
            {name}
            {sku === null ? null : <span className="block text-xs text-muted">{sku}</span>}
          </span>
        ),
      },
      {
        key: 'quality',
        header: t('Video quality'),
        width: '9rem',
        sortBy: ({ quality }) => quality ?? '',
        cell: ({ quality }) => t(quality === null ? 'Custom' : qualityTexts[quality]),
      },
      {
        key: 'retention',
        header: t('Recording'),
        width: '6.5rem',
        sortBy: ({ retention }) => retention,
        searchText: false,
        cell: ({ retention }) => (retention === null ? '–' : t('{count} days', { count: retention / HOURS_PER_DAY })),
      },
      {
        key: 'cameras',
        header: t('Cameras'),
        width: '6rem',
        align: 'end',
        sortBy: ({ maxAmountOfCameras }) => maxAmountOfCameras ?? Number.POSITIVE_INFINITY,
        searchText: false,
        cell: ({ maxAmountOfCameras }) => maxAmountOfCameras ?? t('No limit'),
      },
      {
        key: 'status',
        header: t('Availability'),
        width: '12rem',
        sortBy: (one) => toPackageStatus(one),
        searchText: (one) => t(statusTexts[toPackageStatus(one)].label),
        cell: (one) => (
          <Badge mood={statusTexts[toPackageStatus(one)].mood}>{t(statusTexts[toPackageStatus(one)].label)}</Badge>
        ),
      },
      {
        key: 'number',
        header: t('Package number'),
        width: '10rem',
        align: 'end',
        minor: true,
        sortBy: ({ subscriptionPackageId }) => subscriptionPackageId,
        cell: ({ subscriptionPackageId }) => subscriptionPackageId,
      },
      {
        key: 'priceReference',
        header: t('Price reference'),
        width: '9rem',
        minor: true,
        sortBy: ({ priceReference }) => priceReference ?? '',
        cell: ({ priceReference }) => priceReference ?? '–',
      },
    ],
    [t],
  )
}

type Act =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly one: SubscriptionPackage }
  | { readonly kind: 'set'; readonly one: SubscriptionPackage; readonly status: PackageStatus }

interface SetStatusProps {
  resellerId: string
  act: Act & { readonly kind: 'set' }
  onClose: () => void
}

/** Asks before a package is retired or offered again, and says what it means for accounts. */
function SetStatus({ resellerId, act: { one, status }, onClose }: SetStatusProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const isRetired = status === 'retired'
  const { name } = one
  const set = async () => {
    setBusy(true)
    const params = { resellerId, subscriptionPackageId: one.subscriptionPackageId }
    const body = packageBody({ ...packageValues(one), status }, one)
    await save(() => client.call(putSubscriptionPackage, { params, body }), {
      success: isRetired ? t('{name} was retired', { name }) : t('{name} is available again', { name }),
    })
    setBusy(false)
    refetchPackages(queries, resellerId)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={isRetired ? t('Retire {name}?', { name }) : t('Offer {name} again?', { name })}
      confirm={t(isRetired ? 'Retire package' : 'Offer again')}
      danger={isRetired}
      busy={busy}
      onClose={() => {
        if (!busy) onClose()
      }}
      onConfirm={() => void set()}
    >
      {t(
        isRetired
          ? 'Accounts can no longer choose or renew this package. Accounts that have it keep it, along with their recordings. You can offer it again later.'
          : 'Every account of this reseller can choose it.',
      )}
    </ConfirmDialog>
  )
}

function PackageTable({ resellerId, onAct }: { resellerId: string; onAct: ((act: Act) => void) | undefined }) {
  const { client } = useApplication()
  const t = useText()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('packages')
  const { data: rows, error, refetch } = useQuery(allPackagesQuery(client, resellerId))
  const view = useRowsInHand({ rows, columns, rowsPerPage, onRowsPerPage })
  return (
    <DataTable
      label={t('Packages')}
      columns={columns}
      view={view}
      rowKey={({ subscriptionPackageId }) => subscriptionPackageId}
      rowName={({ name }) => name}
      rowMenu={(one) =>
        onAct === undefined
          ? []
          : [
              { label: t('Edit'), icon: 'edit', onSelect: () => onAct({ kind: 'edit', one }) },
              toPackageStatus(one) === 'offered'
                ? {
                    label: t('Retire'),
                    icon: 'block',
                    danger: true,
                    onSelect: () => onAct({ kind: 'set', one, status: 'retired' }),
                  }
                : {
                    label: t('Offer again'),
                    icon: 'refresh',
                    onSelect: () => onAct({ kind: 'set', one, status: 'offered' }),
                  },
            ]
      }
      searchLabel={t('Search packages')}
      empty={
        <EmptyState
          icon="card"
          title={t('No packages yet')}
          action={
            onAct === undefined ? undefined : (
              <Button icon="plus" onClick={() => onAct({ kind: 'add' })}>
                {t('Add package')}
              </Button>
            )
          }
        >
          {t('A package sets quality, days of recording and number of cameras. Every new account needs one.')}
        </EmptyState>
      }
      failed={
        error !== null && rows === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
      }
    />
  )
}

/** What accounts of a reseller can subscribe to. */
export function PackagesScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/packages' })
  const [act, setAct] = useState<Act>()
  const { data: packages = [] } = useQuery(allPackagesQuery(client, resellerId))
  const onAct = own.may(putSubscriptionPackage) ? setAct : undefined
  const close = () => setAct(undefined)
  return (
    <Gate call={getSubscriptionPackages}>
      <Screen
        width="table"
        title={t('Packages')}
        description={t(
          onAct === undefined
            ? 'The packages accounts can subscribe to. Only your distributor can change them.'
            : "The packages this reseller's accounts can subscribe to.",
        )}
        actions={
          onAct === undefined ? undefined : (
            <Button icon="plus" onClick={() => onAct({ kind: 'add' })}>
              {t('Add package')}
            </Button>
          )
        }
      >
        <PackageTable resellerId={resellerId} onAct={onAct} />
        {act === undefined || act.kind === 'set' ? null : (
          <PackageDialog
            resellerId={resellerId}
            edited={act.kind === 'edit' ? act.one : undefined}
            packages={packages}
            onClose={close}
          />
        )}
        {act?.kind === 'set' ? <SetStatus resellerId={resellerId} act={act} onClose={close} /> : null}
      </Screen>
    </Gate>
  )
}
