import type { Deletion } from '@sightline/contract/account-deletion'
import { downloadPersonalData } from '@sightline/contract/personal-data'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { deletionQuery, Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../shell/AccountFirst.tsx'
import { DeletionCard } from './DeletionCard.tsx'
import { DownloadCard } from './DownloadCard.tsx'
import { usePersonalDataText } from './text.ts'

function Loading() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="mt-2 h-4 w-96 max-w-full" />
        <Skeleton className="mt-6 h-10 w-32" />
      </Card>
    </SkeletonGroup>
  )
}

function Cards({ deletion }: { deletion: Deletion }) {
  const t = usePersonalDataText()
  const { member } = useAccount()
  const denyReason = getMemberDenyReason(downloadPersonalData, member)
  const readOnly = denyReason !== undefined
  return (
    <div className="space-y-6">
      {denyReason?.check === 'demoUser' ? (
        <Notice>{t("You're signed in as a demo user. You can see everything, but you can't change anything.")}</Notice>
      ) : null}
      {denyReason?.check === 'support' ? (
        <Notice>{t("During a support session, you can't download or delete personal data.")}</Notice>
      ) : null}
      <DownloadCard asksForCode={deletion.asksForCode} readOnly={readOnly} />
      <DeletionCard deletion={deletion} readOnly={readOnly} />
    </div>
  )
}

/** The signed-in user's data: download and deletion. */
export function PersonalDataScreen() {
  const t = usePersonalDataText()
  const { client } = useApplication()
  usePageTitle(t('Personal data'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Personal data')}>{t('Download or delete the data we hold about you.')}</ScreenTitle>
      <Loaded asked={[useQuery(deletionQuery(client))]} place={<Loading />}>
        {(deletion) => <Cards deletion={deletion} />}
      </Loaded>
    </div>
  )
}
