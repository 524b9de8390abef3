import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function ProfilesScreen() {
  const t = useText()
  return (
    <Screen
      width="table"
      title={t('Permission profiles')}
      description={t('Sets of rights with a name, to give them to several users alike.')}
    >
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
