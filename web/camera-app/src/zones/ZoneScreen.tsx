import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function ZoneScreen() {
  const t = useText()
  return (
    <Screen width="form" title={t('Zone')} back={{ href: '/app/zones', label: t('Zones') }}>
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
