import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen } from '../shell/Screen.tsx'
import { useText } from './text.ts'

export function AuditLogScreen() {
  const t = useText()
  return (
    <Screen
      width="table"
      title={t('Audit log')}
      description={t('Who did what in this account, and when; no entry can be changed.')}
    >
      <SkeletonGroup>
        <Skeleton className="h-64 w-full" />
      </SkeletonGroup>
    </Screen>
  )
}
