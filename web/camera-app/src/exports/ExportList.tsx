import type { FootageExport } from '@sightline/contract/exports'
import { EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMoments } from '../account-time/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { ExportItem } from './ExportItem.tsx'
import { exportsQuery } from './export-queries.ts'
import { useText } from './text.ts'

/** How an export is called: by its name, else by its cameras. */
export function useExportTitle(): (made: Pick<FootageExport, 'name' | 'cameraIds'>) => string {
  const t = useText()
  const { client } = useApplication()
  const { locale } = useMoments()
  const cameras = useQuery(cameraQueries(client).list).data
  return ({ name, cameraIds }) => {
    if (name !== '') return name
    const names = cameraIds.map(
      (id) => cameras?.find(({ cameraId }) => cameraId === id)?.name ?? t('Camera {id}', { id }),
    )
    return new Intl.ListFormat(locale, { type: 'unit' }).format(names)
  }
}

/** All exports that the user may see, newest first. */
export function ExportList() {
  const t = useText()
  const { client } = useApplication()
  const { data, error, refetch } = useQuery(exportsQuery(client))
  const titleOf = useExportTitle()
  if (data === undefined) {
    if (error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
    return (
      <SkeletonGroup className="space-y-4 py-4">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </SkeletonGroup>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState icon="download" title={t('No exports yet')}>
        {t('Open a camera or Multiview, choose “Download”, and prepare a file.')}
      </EmptyState>
    )
  }
  return (
    <ul aria-label={t('Exports')} className="divide-y divide-border">
      {data.map((made) => (
        <ExportItem key={made.exportId} made={made} title={titleOf(made)} />
      ))}
    </ul>
  )
}
