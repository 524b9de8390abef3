import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function ProfileScreen() {
  const t = useText()
  return (
    <Screen
      width="form"
      title={t('Permission profile')}
      back={{ href: '/app/profiles', label: t('Permission profiles') }}
    >
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
