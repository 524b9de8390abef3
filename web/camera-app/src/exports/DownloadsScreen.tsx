import { EXPORT_DAYS, getExports } from '@sightline/contract/exports'
import { Card, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '@sightline/shell'
import { Gate, type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { ExportList } from './ExportList.tsx'
import { useText } from './text.ts'

/** The Download Portal: the prepared files of the account that the user may see. */
export function DownloadsScreen() {
  const t = useText()
  const own = useOwnPermissions()
  return (
    <Screen
      width="form"
      title={t('Download Portal')}
      description={t(
        '{days, plural, one {Prepared files of footage. Each is removed after # day.} other {Prepared files of footage. Each is removed after # days.}}',
        { days: EXPORT_DAYS },
      )}
    >
      <Gate own={own} needs={getExports} loading={<Loading />} instead={<NotForYou own={own.data} />}>
        {() => (
          <Card title={t('Exports')}>
            <ExportList />
          </Card>
        )}
      </Gate>
    </Screen>
  )
}

function NotForYou({ own }: { own: OwnPermissions | undefined }) {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t('You can’t export footage')}>
      {own?.standstill === 'support'
        ? t('Exports aren’t available during a support session.')
        : t('Ask the account owner for the right to export footage.')}
    </EmptyState>
  )
}

function Loading() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
