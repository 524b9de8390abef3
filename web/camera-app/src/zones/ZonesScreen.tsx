import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function ZonesScreen() {
  const t = useText()
  return (
    <Screen
      width="table"
      title={t('Zones')}
      description={t('Places with their cameras: what they detect and when they record is set for a whole zone.')}
    >
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
