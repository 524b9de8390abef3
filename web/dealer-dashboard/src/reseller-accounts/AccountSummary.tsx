import type { Insights } from '@sightline/contract/insights'
import { Skeleton, SkeletonGroup, StatTile } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { insightsQuery } from '../insights/index.ts'
import { useText } from './text.ts'

/** On a phone only the figures, so that the list starts on the first screen. */
const grid = 'mb-4 grid grid-cols-2 gap-2 sm:grid-cols-4 sm:gap-3 max-sm:[&>div]:py-2'
const more = 'max-sm:hidden'

function Tiles({ accounts, cameras, users }: Insights) {
  const t = useText()
  const { languages } = useApplication()
  const number = (value: number) => value.toLocaleString(languages.current())
  return (
    <dl className={grid}>
      <StatTile label={t('Accounts')} value={number(accounts.total)}>
        <span className={more}>{t('Trial: {count}', { count: accounts.trial })}</span>
      </StatTile>
      <StatTile label={t('Active')} value={number(accounts.active)}>
        <span className={more}>{t('Inactive: {inactive} · Suspended: {suspended}', accounts)}</span>
      </StatTile>
      <StatTile label={t('Cameras')} value={number(cameras.total)}>
        <span className={more}>{t('Online: {count}', { count: cameras.online })}</span>
      </StatTile>
      <StatTile label={t('Users')} value={number(users)}>
        <span className={more}>{t('Including owners')}</span>
      </StatTile>
    </dl>
  )
}

/** Figures of all accounts that the user may manage, above their list. If they fail to load, only the list appears. */
export function AccountSummary({ resellerId }: { resellerId: string }) {
  const { client } = useApplication()
  const { data, isPending } = useQuery(insightsQuery(client, resellerId, 'day'))
  if (data !== undefined) return <Tiles {...data} />
  if (!isPending) return null
  return (
    <SkeletonGroup className={grid}>
      {['accounts', 'active', 'cameras', 'users'].map((figure) => (
        <Skeleton key={figure} className="h-18 w-full sm:h-27" />
      ))}
    </SkeletonGroup>
  )
}
