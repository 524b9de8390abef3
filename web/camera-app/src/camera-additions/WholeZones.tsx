import { EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { zoneQueries } from '../zones/index.ts'
import { useText } from './text.ts'

export interface WholeZone {
  readonly zoneId: number
  readonly name: string
}

export function LoadingForm() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-96 w-full rounded-lg" />
    </SkeletonGroup>
  )
}

/** The zones that cameras can be added to: those that are the user's as a whole. */
export function WholeZones({ children }: { children: (zones: readonly WholeZone[]) => ReactNode }) {
  const t = useText()
  const { client } = useApplication()
  const { data: zones, error, refetch } = useQuery(zoneQueries(client).list)
  const whole = zones?.filter((zone) => zone.whole)
  if (whole === undefined) {
    if (error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
    return <LoadingForm />
  }
  if (whole.length > 0) return children(whole)
  return (
    <EmptyState icon="lock" title={t('You need a zone first')}>
      {t('You can add cameras to a zone that you have full access to. Ask the account owner for access to one.')}
    </EmptyState>
  )
}
