import { EXPORT_DAYS, getExports } from '@sightline/contract/exports'
import { buttonClass, Card, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen, useApplication } from '@sightline/shell'
import { ExportList } from '../exports/index.ts'
import { Gate, type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { ShareList } from '../shares/index.ts'
import { type Text, useText } from './text.ts'

const applications: readonly {
  readonly link: 'windowsApp' | 'macApp' | 'iosApp' | 'androidApp'
  readonly name: Text
}[] = [
  { link: 'windowsApp', name: 'Windows' },
  { link: 'macApp', name: 'Mac' },
  { link: 'iosApp', name: 'iPhone and iPad' },
  { link: 'androidApp', name: 'Android' },
]

/** The Download Portal: the prepared files of the account that the user may see, and the brand's applications. */
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
          <div className="space-y-6">
            <Card title={t('Exports')}>
              <ExportList />
            </Card>
            <Card title={t('Shared links')}>
              <ShareList />
            </Card>
          </div>
        )}
      </Gate>
      <Applications />
    </Screen>
  )
}

/** Nothing if the brand has none. */
function Applications() {
  const t = useText()
  const { links, companyName } = useApplication().config.theme
  const offered = applications.flatMap(({ link, name }) => {
    const address = links[link]
    return address === undefined ? [] : [{ address, name }]
  })
  if (offered.length === 0) return null
  return (
    <Card title={t('Apps')} description={t('Get {company} on your computer or phone.', { company: companyName })}>
      <ul className="flex flex-wrap gap-3">
        {offered.map(({ address, name }) => (
          <li key={name}>
            <a className={buttonClass('secondary')} href={address} rel="noreferrer">
              {t(name)}
            </a>
          </li>
        ))}
      </ul>
    </Card>
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
