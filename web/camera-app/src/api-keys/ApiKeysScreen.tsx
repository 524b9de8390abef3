import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function ApiKeysScreen() {
  const t = useText()
  return (
    <Screen width="table" title={t('API keys')} description={t('What other programs sign in with.')}>
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
