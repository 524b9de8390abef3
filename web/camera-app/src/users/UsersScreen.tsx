import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function UsersScreen() {
  const t = useText()
  return (
    <Screen
      width="table"
      title={t('Users')}
      description={t('Who else may use this account, and what each of them may see and do.')}
    >
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
