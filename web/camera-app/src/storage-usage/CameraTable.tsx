import type { StorageUsage } from '@sightline/contract/storage-usage'
import { EmptyState } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { byteSize } from '@sightline/shell'
import { useMemo } from 'react'
import { useMoments } from '../account-time/index.ts'
import { useText } from './text.ts'

type OneCamera = StorageUsage['cameras'][number]

function useColumns(bytesOfAll: number): readonly Column<OneCamera>[] {
  const t = useText()
  const { locale, shortly } = useMoments()
  return useMemo(() => {
    const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
    const hours = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    return [
      { key: 'name', header: t('Camera'), sortBy: ({ name }) => name, cell: ({ name }) => name },
      {
        key: 'bytes',
        header: t('Footage'),
        width: '9rem',
        align: 'end',
        sortBy: ({ bytes }) => bytes,
        searchText: false,
        cell: ({ bytes }) => <bdi>{byteSize(bytes, locale)}</bdi>,
      },
      {
        key: 'share',
        header: t('Share of total'),
        width: '7rem',
        align: 'end',
        minor: true,
        cell: ({ bytes }) => share.format(bytesOfAll === 0 ? 0 : bytes / bytesOfAll),
      },
      {
        key: 'hours',
        header: t('Hours'),
        width: '8rem',
        align: 'end',
        sortBy: (camera) => camera.hours,
        searchText: false,
        cell: (camera) => hours.format(camera.hours),
      },
      {
        key: 'oldest',
        header: t('Oldest recording'),
        width: '13rem',
        sortBy: ({ oldestRecording }) => oldestRecording,
        searchText: false,
        cell: ({ oldestRecording }) =>
          oldestRecording === null ? <span className="text-muted">{t('None')}</span> : shortly(oldestRecording),
      },
    ]
  }, [t, locale, shortly, bytesOfAll])
}

/** The storage of each camera on the selected days, and its oldest footage. */
export function CameraTable({ storage }: { storage: StorageUsage }) {
  const t = useText()
  const columns = useColumns(storage.bytes)
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('storage')
  const view = useRowsInHand({
    rows: storage.cameras,
    columns,
    rowsPerPage,
    onRowsPerPage,
    firstSort: { column: 'bytes', descending: true },
  })
  return (
    <DataTable
      label={t('Storage by camera')}
      columns={columns}
      view={view}
      rowKey={({ cameraId }) => cameraId}
      rowName={({ name }) => name}
      rowHref={({ cameraId }) => `/app/cameras/${cameraId}`}
      searchLabel={t('Search cameras')}
      empty={<EmptyState icon="camera" title={t('No cameras yet')} />}
    />
  )
}
