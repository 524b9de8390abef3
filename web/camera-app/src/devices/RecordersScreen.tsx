import { mayAddCameras } from '@sightline/contract/camera-additions'
import { getDevices, type RecorderDevice } from '@sightline/contract/devices'
import { buttonClass, EmptyState, Icon } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useConnectionLost } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LoadingForm } from '../camera-additions/index.ts'
import { Gate, type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { zoneQueries } from '../zones/index.ts'
import { deviceQueries } from './device-queries.ts'
import { RecorderState, recorderState } from './RecorderState.tsx'
import { useText } from './text.ts'

/** Brand and model, as far as they are known. */
const makeOf = ({ brand, model }: RecorderDevice): string =>
  [brand, model].filter((text) => text !== null && text !== '').join(' ')

function useColumns(): readonly Column<RecorderDevice>[] {
  const t = useText()
  const { client } = useApplication()
  const isLost = useConnectionLost()
  const zones = useQuery(zoneQueries(client).list).data
  return useMemo(() => {
    const zoneOf = ({ zoneId }: RecorderDevice) => zones?.find((zone) => zone.zoneId === zoneId)?.name ?? ''
    return [
      { key: 'name', header: t('Name'), width: '28%', sortBy: ({ name }) => name, cell: ({ name }) => name },
      {
        key: 'state',
        header: t('Status'),
        width: '9rem',
        sortBy: (device) => recorderState(device),
        searchText: false,
        cell: (device) => <RecorderState device={device} isLost={isLost} />,
      },
      {
        key: 'inputs',
        header: t('Cameras'),
        width: '9rem',
        sortBy: ({ channels }) => channels.filter(({ attached }) => attached).length,
        searchText: false,
        cell: ({ channels }) =>
          channels.length === 0
            ? '–'
            : t('{used} of {count} inputs', {
                used: channels.filter(({ attached }) => attached).length,
                count: channels.length,
              }),
      },
      { key: 'zone', header: t('Zone'), sortBy: zoneOf, cell: zoneOf },
      { key: 'make', header: t('Model'), minor: true, sortBy: makeOf, cell: makeOf },
      {
        key: 'firmware',
        header: t('Firmware'),
        minor: true,
        sortBy: ({ firmware }) => firmware ?? '',
        cell: ({ firmware }) => firmware ?? '–',
      },
    ]
  }, [t, zones, isLost])
}

function AddRecorderLink() {
  const t = useText()
  return (
    <a data-here href="/app/recorders/add" className={buttonClass()}>
      <Icon name="plus" size={18} />
      {t('Add recorder')}
    </a>
  )
}

function NoRecorders({ mayAdd }: { mayAdd: boolean }) {
  const t = useText()
  return (
    <EmptyState icon="server" title={t('No recorders yet')} action={mayAdd ? <AddRecorderLink /> : undefined}>
      {t(
        mayAdd
          ? 'Add a recorder (NVR or DVR) once, then choose which of its inputs become cameras here.'
          : 'Recorders appear here when the account owner gives you access to their zone.',
      )}
    </EmptyState>
  )
}

function Recorders({ own }: { own: OwnPermissions }) {
  const t = useText()
  const { client } = useApplication()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('recorders')
  const { data: devices, error, refetch } = useQuery(deviceQueries(client).list)
  const view = useRowsInHand({
    rows: devices,
    columns,
    rowsPerPage,
    onRowsPerPage,
    firstSort: { column: 'name', descending: false },
  })
  return (
    <DataTable
      label={t('Recorders')}
      columns={columns}
      view={view}
      rowKey={({ deviceId }) => deviceId}
      rowName={({ name }) => name}
      rowHref={({ deviceId }) => `/app/recorders/${deviceId}`}
      searchLabel={t('Search recorders')}
      empty={<NoRecorders mayAdd={mayAddCameras(own.rights)} />}
      failed={
        error !== null && devices === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
      }
    />
  )
}

/** The recorders that the user has access to. */
export function RecordersScreen() {
  const t = useText()
  const own = useOwnPermissions()
  const { client } = useApplication()
  const hasSome = (useQuery(deviceQueries(client).list).data?.length ?? 0) > 0
  return (
    <Screen
      width="table"
      title={t('Recorders')}
      description={t('Recorders (NVRs and DVRs) on your network. Each input can become a camera.')}
      actions={hasSome && own.data !== undefined && mayAddCameras(own.data.rights) ? <AddRecorderLink /> : undefined}
    >
      <Gate
        own={own}
        needs={getDevices}
        loading={<LoadingForm />}
        instead={<EmptyState icon="lock" title={t("You can't view recorders")} />}
      >
        {(permissions) => <Recorders own={permissions} />}
      </Gate>
    </Screen>
  )
}
