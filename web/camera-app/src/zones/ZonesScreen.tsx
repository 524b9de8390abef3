import { patchCamera } from '@sightline/contract/cameras'
import { deleteZone, patchZone, postZone, type Zone } from '@sightline/contract/zones'
import { Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useOwnPermissions } from '../rights/index.ts'
import { AddZone } from './AddZone.tsx'
import { DeleteZone } from './DeleteZone.tsx'
import { PlaceShown } from './PlaceShown.tsx'
import { useText } from './text.ts'
import { ZoneMapDrawing } from './ZoneMapDrawing.tsx'
import { zoneQueries } from './zone-queries.ts'

function useColumns(): readonly Column<Zone>[] {
  const t = useText()
  const { languages } = useApplication()
  const language = languages.current()
  return useMemo(
    () => [
      { key: 'name', header: t('Name'), width: '32%', sortBy: ({ name }) => name, cell: ({ name }) => name },
      {
        key: 'cameras',
        header: t('Cameras'),
        width: '7rem',
        align: 'end',
        sortBy: ({ cameraIds }) => cameraIds.length,
        cell: ({ cameraIds }) => cameraIds.length,
      },
      {
        key: 'place',
        header: t('Location'),
        searchText: false,
        cell: (zone) => <PlaceShown zone={zone} />,
      },
      {
        key: 'timeZone',
        header: t('Time zone'),
        minor: true,
        sortBy: ({ timeZone }) => timeZone,
        cell: ({ timeZone }) =>
          timeZone === null ? (
            <span className="text-muted">{t('Account default')}</span>
          ) : (
            zoneInWords(timeZone, language, new Date())
          ),
      },
    ],
    [t, language],
  )
}

function NoZones({ onAdd }: { onAdd: (() => void) | undefined }) {
  const t = useText()
  return (
    <EmptyState
      icon="pin"
      title={t('No zones yet')}
      action={
        onAdd === undefined ? undefined : (
          <Button icon="plus" onClick={onAdd}>
            {t('Add zone')}
          </Button>
        )
      }
    >
      {t(
        onAdd === undefined
          ? 'Zones appear here when you get access to them or to a camera in them.'
          : 'Add a zone to group cameras by location, such as a floor or a yard.',
      )}
    </EmptyState>
  )
}

/** The zones of the account with their cameras, and a map of their locations. */
export function ZonesScreen() {
  const t = useText()
  const { client } = useApplication()
  const router = useRouter()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('zones')
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<Zone>()
  const { data: zones, error, refetch } = useQuery(zoneQueries(client).list)
  const own = useOwnPermissions().data
  const view = useRowsInHand({
    rows: zones,
    columns,
    rowsPerPage,
    onRowsPerPage,
    firstSort: { column: 'name', descending: false },
  })
  const onAdd = own?.may(postZone) === true ? () => setAdding(true) : undefined
  return (
    <Screen
      width="table"
      title={t('Zones')}
      description={t('Group your cameras by location. Detection and recording settings apply to the whole zone.')}
      actions={
        onAdd === undefined ? undefined : (
          <Button icon="plus" onClick={onAdd}>
            {t('Add zone')}
          </Button>
        )
      }
    >
      <DataTable
        label={t('Zones')}
        columns={columns}
        view={view}
        rowKey={({ zoneId }) => zoneId}
        rowName={({ name }) => name}
        rowHref={({ zoneId }) => `/app/zones/${zoneId}`}
        rowMenu={(zone) => [
          ...(own?.may(patchZone) === true && zone.whole
            ? [
                {
                  label: t('Edit'),
                  icon: 'edit' as const,
                  onSelect: () =>
                    void router.navigate({ to: '/zones/$zoneId', params: { zoneId: String(zone.zoneId) } }),
                },
              ]
            : []),
          ...(own?.may(deleteZone) === true && zone.whole
            ? [{ label: t('Delete'), icon: 'trash' as const, danger: true, onSelect: () => setDeleting(zone) }]
            : []),
        ]}
        searchLabel={t('Search zones')}
        empty={<NoZones onAdd={onAdd} />}
        failed={
          error !== null && zones === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
        }
      />
      {zones === undefined ? null : <ZoneMapDrawing zones={zones} />}
      <AddZone open={adding} onClose={() => setAdding(false)} />
      <DeleteZone
        zone={deleting}
        others={(zones ?? []).filter((one) => one.whole && one.zoneId !== deleting?.zoneId)}
        mayMove={own?.may(patchCamera) === true}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => undefined}
      />
    </Screen>
  )
}
